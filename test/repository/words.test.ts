import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const PRODUCT = ["src", "tools", "auth", "db", "core", "examples"];

/** Words that product code and its texts avoid, also inside identifiers, with the replacement. */
const WORDS: Readonly<Record<string, string>> = {
  nobody: "say what does not happen: 'cannot be guessed', 'is not verified'",
  somebody: "name the role: a person, a member, another organization, the caller",
  anybody: "name the role, or 'any caller'",
  whoever: "name the role, or 'the process that', 'the member who'",
};

function textFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(ts|js|css|json|sql)$/.test(file))
    .map((file) => join(folder, file));
}

test("names persons and roles in product code and its texts", () => {
  const files = PRODUCT.flatMap(textFiles);
  const found = files.flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8")
      .split("\n")
      .flatMap((line, at) =>
        Object.entries(WORDS)
          .filter(([word]) => line.toLowerCase().includes(word))
          .map(([word, instead]) => `${file}:${at + 1} says ${word}; ${instead}`),
      ),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});
