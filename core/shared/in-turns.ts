/** Runs work that yields between its parts, and waits for `pause` after each: others have their turn. */
export async function inTurns<Made>(work: Generator<undefined, Made>, pause: () => Promise<unknown>): Promise<Made> {
  let part = work.next();
  while (!part.done) {
    await pause();
    part = work.next();
  }
  return part.value;
}

/** Runs it at once. */
export function atOnce<Made>(work: Generator<undefined, Made>): Made {
  let part = work.next();
  while (!part.done) part = work.next();
  return part.value;
}
