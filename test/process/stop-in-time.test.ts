import { pino } from "pino";
import { expect, test } from "vitest";
import { openStopDeadlines } from "../../src/process/stop-in-time.ts";

test("stops all parts although one hangs or fails, and names both in the log", async () => {
  // Fault: the process waited for each part without a limit and was killed with unflushed writes.
  const stopping = openStopDeadlines(pino({ level: "silent" }));
  const ended: string[] = [];
  await stopping.waitFor("streams", new Promise(() => undefined), 10);
  await stopping.waitFor("requests", Promise.reject(new Error("broken")));
  await stopping.waitFor(
    "audit log",
    Promise.resolve().then(() => ended.push("audit log")),
  );
  expect(ended).toEqual(["audit log"]);
  expect(() => stopping.finish()).toThrow("Not stopped in time: streams, requests.");
});
