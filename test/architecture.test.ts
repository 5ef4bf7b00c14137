import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");

/** What each layer may import of the others: imports point down only. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  examples: ["examples", "src", "tools", "auth", "db", "core"],
  src: ["src", "tools", "auth", "db", "core"],
  tools: ["tools", "auth", "db", "core"],
  auth: ["auth", "db", "core"],
  db: ["db", "core"],
  core: ["core"],
};

/** Packages that a layer must not know. Sources outside `core` may import anything else. */
const FOREIGN: Record<string, RegExp> = {
  tools: /^(express|drizzle-orm|better-sqlite3|@modelcontextprotocol|node:(fs|http|net))/,
  db: /^(express|@modelcontextprotocol|node:http)/,
  core: /^(?!zod$|tldts$|node:crypto$)[^.]/,
};

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, file));
}

function layerOf(file: string): string {
  return file.split("/")[0] ?? "";
}

function importsOf(file: string): string[] {
  const code = readFileSync(join(ROOT, file), "utf8");
  return [...code.matchAll(/^(?:import|export)[^"';]*?from "([^"]+)"|^import "([^"]+)"|import\("([^"]+)"\)/gm)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? "",
  );
}

const files = ["src", "tools", "auth", "db", "core", "examples"].flatMap(sources);

test("imports point down only: src, tools, auth, db, core", () => {
  const wrong = files.flatMap((file) => {
    const allowed = MAY_IMPORT[layerOf(file)] ?? [];
    const inward = importsOf(file).filter((target) => target.startsWith("."));
    return inward
      .map((target) => relative(ROOT, join(ROOT, dirname(file), target)))
      .filter((target) => !allowed.includes(layerOf(target)))
      .map((target) => `${file} imports ${target}`);
  });
  expect(files.length).toBeGreaterThan(50);
  expect(wrong).toEqual([]);
});

test("tools know no HTTP, SQL or protocol library; the sums know none at all", () => {
  const wrong = files.flatMap((file) => {
    const foreign = FOREIGN[layerOf(file)];
    return importsOf(file)
      .filter((target) => !target.startsWith(".") && foreign?.test(target))
      .map((target) => `${file} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

test("only the configuration reads the environment", () => {
  const readers = files.filter((file) => readFileSync(join(ROOT, file), "utf8").includes("process.env"));
  expect(readers.filter((file) => file !== "src/main.ts" && !file.startsWith("src/cli/"))).toEqual([]);
});

test("no file is longer than 400 lines", () => {
  const long = files.filter((file) => readFileSync(join(ROOT, file), "utf8").split("\n").length > 400);
  expect(long).toEqual([]);
});
