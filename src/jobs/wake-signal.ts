/** Sleeps until it is woken or the time is over. A wake while nothing sleeps ends the next sleep at once. */
export interface WakeSignal {
  wake(): void;
  sleep(ms: number): Promise<void>;
}

export function openWakeSignal(): WakeSignal {
  let woken = false;
  let end: (() => void) | undefined;
  return {
    wake() {
      woken = true;
      end?.();
    },
    async sleep(ms) {
      if (!woken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      end = undefined;
      woken = false;
    },
  };
}
