import { pino } from "pino";
import { expect, test } from "vitest";
import { stopInTime } from "../../src/process/stop-in-time.ts";

test("a part that hangs, or fails, keeps no other from ending, and both are named at the end", async () => {
  // Fault: the process waited for each part as long as that took, and was killed with what it had still to write.
  const stopping = stopInTime(pino({ level: "silent" }));
  const ended: string[] = [];
  await stopping.ends("streams", new Promise(() => undefined), 10);
  await stopping.ends("requests", Promise.reject(new Error("broken")));
  await stopping.ends(
    "audit log",
    Promise.resolve().then(() => ended.push("audit log")),
  );
  expect(ended).toEqual(["audit log"]);
  expect(() => stopping.finish()).toThrow("What did not end in time: streams, requests.");
});
