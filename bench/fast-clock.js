// Loaded before a service, it makes an hour pass in FAST_CLOCK-th of one: its clock and its timers run so many times as fast.

import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers";
import promises from "node:timers/promises";

const times = Number(process.env["FAST_CLOCK"] ?? 1);
const RealDate = Date;
const startedAt = RealDate.now();
const now = () => startedAt + Math.floor((RealDate.now() - startedAt) * times);

globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given));
  }
  static now() {
    return now();
  }
};

for (const name of ["setTimeout", "setInterval"]) {
  const real = timers[name];
  const fast = (work, ms = 1, ...given) => real(work, ms / times, ...given);
  timers[name] = fast;
  globalThis[name] = fast;
}
const { setTimeout: sleep } = promises;
promises.setTimeout = (ms = 1, ...given) => sleep(ms / times, ...given);
syncBuiltinESMExports();
