/** Runs a generator and awaits `pause` at each yield. */
export async function runWithPauses<Made>(
  work: Generator<undefined, Made>,
  pause: () => Promise<unknown>,
): Promise<Made> {
  let part = work.next();
  while (!part.done) {
    await pause();
    part = work.next();
  }
  return part.value;
}

export function runWithoutPauses<Made>(work: Generator<undefined, Made>): Made {
  let part = work.next();
  while (!part.done) part = work.next();
  return part.value;
}
