import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** Allowed imports between layers; imports point down only. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  bin: ["examples", "src", "core"],
  examples: ["examples", "src", "tools", "auth", "db", "core", "lists"],
  src: ["src", "tools", "auth", "db", "core", "lists"],
  tools: ["tools", "auth", "db", "core", "lists"],
  auth: ["auth", "db", "core"],
  db: ["db", "core"],
  core: ["core", "lists"],
};

/** Packages that a layer must not know. Sources outside `core` may import anything else. */
const FOREIGN: Record<string, RegExp> = {
  tools: /^(express|drizzle-orm|better-sqlite3|@modelcontextprotocol|node:(fs|http|net))/,
  db: /^(express|@modelcontextprotocol|node:http)/,
  core: /^(?!zod$|htmlparser2$|tldts$|croner$|lru-cache$|fastest-levenshtein$|node:crypto$|node:vm$)[^.]/,
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

const files = ["bin", "src", "tools", "auth", "db", "core", "examples"].flatMap(sources);

test("imports point down only: src, tools, auth, db, core, lists", () => {
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

test("keeps HTTP, SQL and protocol libraries out of tools, and all of them out of core", () => {
  const wrong = files.flatMap((file) => {
    const foreign = FOREIGN[layerOf(file)];
    return importsOf(file)
      .filter((target) => !target.startsWith(".") && foreign?.test(target))
      .map((target) => `${file} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

test("imports the console in src/http only from the route table", () => {
  const wrong = files
    .filter((file) => file.startsWith("src/http/") && file !== "src/http/web/route-table.ts")
    .filter((file) => importsOf(file).some((target) => target.includes("/console/")));
  expect(wrong).toEqual([]);
});

/**
 * Exports of Node's network modules that open no connection: types, servers and address functions.
 */
const CONNECTS_NOWHERE = /^(?:type \w+|createServer|isIP|isIPv4|isIPv6|BlockList)?$/;

/** Outbound connections of a file. An injected function has another name than `fetch`. */
function connectionsOf(file: string): string[] {
  const code = readFileSync(join(ROOT, file), "utf8");
  const network =
    /^import (?!type )\{?([^;]*?)\}? from "(?:node:(?:https?|http2|net|tls|dns|dns\/promises|dgram)|undici|pg)"/gm;
  const imported = [...code.matchAll(network)].flatMap(([, names = ""]) => names.split(",").map((name) => name.trim()));
  const called = code.match(/(?<![.\w])fetch\(|(?<!typeof )\bglobalThis\.fetch\b|\bnew (?:WebSocket|EventSource)\b/g);
  const isLeftToLibrary = /from "openid-client"/.test(code) && !code.includes("client.customFetch");
  return [
    ...imported.filter((name) => !CONNECTS_NOWHERE.test(name)),
    ...(called ?? []),
    ...(code.match(/\bcreateRemoteJWKSet\b/g) ?? []),
    ...(isLeftToLibrary ? ["openid-client without customFetch"] : []),
  ];
}

test("only src/outside connects elsewhere, and the engine of the database to its server", () => {
  const connecting = files.filter((file) => connectionsOf(file).length > 0 && layerOf(file) !== "examples");
  expect(connecting.filter((file) => !file.startsWith("db/engine/")).toSorted()).toEqual([
    "src/outside/guard.ts",
    "src/outside/http.ts",
    "src/outside/name-servers.ts",
    "src/outside/public-fetch.ts",
    "src/outside/txt-records.ts",
  ]);
});

test("imports in delivered code only packages that are installed with it", () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const delivered = files.filter((file) => layerOf(file) !== "examples");
  const packages = delivered.flatMap((file) =>
    importsOf(file)
      .filter((target) => !/^(?:\.|node:|#)/.test(target))
      .map((target) => ({ file, name: target.split("/", target.startsWith("@") ? 2 : 1).join("/") })),
  );
  expect(packages.length).toBeGreaterThan(100);
  expect(packages.filter(({ name }) => !(name in dependencies))).toEqual([]);
});

test("only db/engine knows an engine: its package, the builder's part for it, its error codes", () => {
  const engine = /^(?:better-sqlite3|pg$|drizzle-orm\/(?!sql$))/;
  const elsewhere = files.filter((file) => !file.startsWith("db/engine/"));
  const knowing = elsewhere.filter(
    (file) =>
      importsOf(file).some((target) => engine.test(target)) ||
      /\bSQLITE_|\bPRAGMA\b/i.test(readFileSync(join(ROOT, file), "utf8")),
  );
  expect(knowing).toEqual([]);
  expect(files.length).toBeGreaterThan(elsewhere.length + 10);
});

test("gives repositories a connection and nothing else: no transaction, file or network access", () => {
  const repositories = files.filter((file) => layerOf(file) === "db" && !file.startsWith("db/engine/"));
  const wrong = repositories.filter((file) => {
    const code = readFileSync(join(ROOT, file), "utf8");
    return (
      /\bStore\b|\bopenStore\b|\.transaction\(/.test(code) ||
      importsOf(file).some((target) => /^node:(?!timers)/.test(target))
    );
  });
  expect(repositories.length).toBeGreaterThan(50);
  expect(wrong).toEqual([]);
});

test("only the configuration reads the environment", () => {
  const readers = files.filter((file) => readFileSync(join(ROOT, file), "utf8").includes("process.env"));
  expect(readers.filter((file) => file !== "src/main.ts" && !file.startsWith("src/cli/"))).toEqual([]);
});

test("has no file longer than 400 lines", () => {
  const long = files.filter((file) => readFileSync(join(ROOT, file), "utf8").split("\n").length > 400);
  expect(long).toEqual([]);
});

/**
 * Files that parse only our own text: repository files, settings, and data written or sealed by the
 * same code.
 */
const PARSES_OWN_TEXT = new Set([
  "src/process/package.ts",
  "src/config/setting-fields.ts",
  "src/cli/measure.ts",
  "src/http/rest/openapi-parts.ts",
  "src/console/platforms/platform-account-routes.ts",
  "src/http/mcp/tools/tool-listing.ts",
  "src/outside/sources/simulated/world-file.ts",
  "auth/keys/signing-keys.ts",
  "core/platforms/platforms.ts",
  "core/metrics/packed-columns.ts",
  "db/engine/sqlite/migrate.ts",
]);

test("parses JSON from outside in one place, with a bound on nesting depth", () => {
  // Attack: exhaust the stack with deeply nested JSON, through a parser without the bound.
  const parsing = files.filter((file) => readFileSync(join(ROOT, file), "utf8").includes("JSON.parse("));
  const foreign = parsing.filter((file) => !file.startsWith("examples/") && !PARSES_OWN_TEXT.has(file));
  expect(foreign).toEqual(["core/shared/json.ts"]);
});
