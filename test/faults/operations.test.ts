import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documentedFaults } from "./rows.ts";

test("every row of the table of faults has a run, and every run a row", () => {
  const provoked = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith(".test.ts"))
    .flatMap((file) => [...readFileSync(join(import.meta.dirname, file), "utf8").matchAll(/^ +fault:\s*"([^"]+)",$/gm)])
    .map((match) => match[1] ?? "");
  const documented = documentedFaults().map((row) => row.fault);
  expect(documented.length).toBeGreaterThan(0);
  expect(documented.toSorted()).toEqual(provoked.toSorted());
});
