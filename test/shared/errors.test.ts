import { pino } from "pino";
import { expect, test } from "vitest";
import { AppError } from "../../core/shared/errors.ts";

test("keeps the response body of an error out of the log", () => {
  // Fault: a send that was broken off wrote the whole brief into the log.
  const lines: string[] = [];
  const details = { brief: { body: "Launch on 4 May" } };
  const error = new AppError("UNAVAILABLE", "Send again.", { details });
  pino({}, { write: (line) => void lines.push(line) }).error({ err: error }, "request failed");
  expect(lines.join("")).toContain("Send again.");
  expect(lines.join("")).not.toContain("Launch");
  expect(error.details).toEqual(details);
});
