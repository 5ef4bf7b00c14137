/** Sleeps until somebody rings or the time is over. A ring while nobody sleeps ends the next sleep at once. */
export interface Alarm {
  ring(): void;
  sleep(ms: number): Promise<void>;
}

export function openAlarm(): Alarm {
  let rung = false;
  let end: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      end?.();
    },
    async sleep(ms) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      end = undefined;
      rung = false;
    },
  };
}
