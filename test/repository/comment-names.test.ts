import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const PRODUCT = ["src", "tools", "auth", "db", "core", "bin", "examples"];
/** Texts that name fields, settings and tools, and terms of other systems. */
const TEXTS = ["openapi.json", "package.json", "lists", "docs"];
/** Names in camelCase, PascalCase (in backticks), snake_case (in backticks) and UPPER_CASE. */
const NAME = /`(\w+_\w+|\w*[a-z][A-Z]\w*|[A-Z]{2,})[`(]|\b([a-z]+[A-Z]\w*)|\b([A-Z][A-Z\d]*_[A-Z\d_]+)\b/g;
const WORD = /\w+/g;
const STRING = /"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
/** Keys of tables and rows, and called methods, such as those of packages. */
const MEMBER = /\b(?:[A-Z][A-Z\d_]+|[a-z]+_[a-z\d_]+)(?=\??:)|(?<=\.)\w+(?=\()/g;

function filesIn(path: string, ending: RegExp): string[] {
  const names = path.includes(".") ? [""] : readdirSync(join(ROOT, path), { recursive: true, encoding: "utf8" });
  return names.map((name) => join(path, name)).filter((file) => ending.test(file));
}

function withoutComments(source: string, comments: readonly { start: number; end: number }[]): string {
  return comments.reduce(
    (code, { start, end }) => code.slice(0, start) + " ".repeat(end - start) + code.slice(end),
    source,
  );
}

test("names in comments are declared in the file, exported, or part of a text", () => {
  const known = new Set<string>();
  const unknown: { file: string; name: string }[] = [];
  const learn = (names: Iterable<string>) => {
    for (const name of names) known.add(name);
  };
  for (const file of PRODUCT.flatMap((path) => filesIn(path, /\.ts$/))) {
    const source = readFileSync(join(ROOT, file), "utf8");
    const { comments, module } = parseSync(file, source);
    const code = withoutComments(source, comments);
    learn(module.staticExports.flatMap(({ entries }) => entries.flatMap(({ exportName }) => exportName.name ?? [])));
    learn(code.match(MEMBER) ?? []);
    for (const text of code.match(STRING) ?? []) learn(text.replaceAll(/\$\{[^{}]*\}/g, " ").match(WORD) ?? []);
    const own = new Set(code.match(WORD));
    for (const { value } of comments)
      for (const match of value.matchAll(NAME)) {
        const name = match.slice(1).find(Boolean) ?? "";
        if (!own.has(name)) unknown.push({ file, name });
      }
  }
  for (const file of TEXTS.flatMap((path) => filesIn(path, /\.(?:json|md)$/)))
    learn(readFileSync(join(ROOT, file), "utf8").match(WORD) ?? []);
  const stale = unknown.filter(({ name }) => !known.has(name));
  expect(unknown.length).toBeGreaterThan(50);
  expect(stale.map(({ file, name }) => `${name} in a comment of ${file}`)).toEqual([]);
});
