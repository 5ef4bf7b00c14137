// Compiles the product into `dist` if a source is newer, without checking types (`npm run types`).
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/** Each bundle shares no file with another, so that the service loads few files. */
const BUNDLES = [
  ["src/start.ts"],
  ["bin/brand-visibility.ts"],
  // Entry points of separate processes and threads.
  [
    "src/assets/extract-process.ts",
    "src/jobs/audits/check-worker.ts",
    "src/jobs/exports/export-worker.ts",
    "db/engine/sqlite/quick-check.ts",
  ],
];
/** Native packages, packages that start threads from their own files, and large ones of few requests. */
const EXTERNAL = [
  "argon2",
  "better-sqlite3",
  "better-sqlite3-node22",
  "jszip",
  "mammoth",
  "oidc-provider",
  "pino",
  "unpdf",
];
const SOURCES = ["bin", "src", "examples", "tools", "auth", "db", "core", "lists", "package-lock.json", "build.js"];

if (Math.max(...SOURCES.map(changedAt)) >= changedAt("dist/src/start.js")) {
  rmSync("dist", { recursive: true, force: true });
  const options = {
    outdir: "dist",
    outbase: ".",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    minifyWhitespace: true,
    sourcemap: true,
    sourcesContent: false,
    external: ["#root/*", ...EXTERNAL],
    // CommonJS packages call `require` for modules of Node.js.
    banner: {
      js: 'import { createRequire as $require } from "node:module"; const require = $require(import.meta.url);',
    },
    logLevel: "warning",
  };
  await Promise.all(BUNDLES.map((entryPoints) => build({ ...options, entryPoints })));
}

/** Returns the latest modification in milliseconds of a file or folder; 0 if it does not exist. */
function changedAt(path) {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (!entry?.isDirectory()) return entry?.mtimeMs ?? 0;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, changedAt(join(path, name))), entry.mtimeMs);
}
