import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configurationPage, openApiText } from "../src/reference.ts";

test.each([
  ["openapi.json", openApiText],
  ["docs/configuration.md", configurationPage],
])("%s is what the code describes", (file, describe) => {
  const stored = readFileSync(join(import.meta.dirname, "..", file), "utf8");
  expect(stored === describe(), "run: npm run generate").toBe(true);
});
