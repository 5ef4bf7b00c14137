import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

// Programs of this folder's own package, which needs a newer Node.js than the product.

const HERE = import.meta.dirname;
/** The package's Node.js binary. */
export const NODE = join(HERE, "node_modules/.bin/node");

/** A file of one of the package's dependencies. */
export function scriptOf(path: string): string {
  return join(HERE, "node_modules", path);
}

/** Installs this folder's package unless it matches its lock file. */
export async function installTools(): Promise<void> {
  const installed = join(HERE, "node_modules/.package-lock.json");
  const isThere = existsSync(NODE) && existsSync(installed);
  if (isThere && statSync(installed).mtimeMs >= statSync(join(HERE, "package-lock.json")).mtimeMs) return;
  console.info("Installing the tools of proofs/interop ...");
  // `npm ci` requires every optional package of the lock file, and some of opencode's are in no
  // registry.
  const { code, output } = await run("npm", ["install", "--no-save", "--no-audit", "--no-fund"]);
  if (code !== 0) throw new Error(`npm install failed in proofs/interop:\n${output}`);
}

/**
 * Runs one of the package's scripts on the package's Node.js. `heard` receives all output so far.
 */
export function runTool(
  script: string,
  given: readonly string[],
  options: { env?: Record<string, string>; heard?: (output: string) => void } = {},
) {
  return run(NODE, [scriptOf(script), ...given], options);
}

const LIMIT_MS = 300_000;

/** Runs a program to its end, within `limitMs`. */
export function run(
  command: string,
  given: readonly string[],
  {
    env,
    heard,
    cwd = HERE,
    limitMs = LIMIT_MS,
  }: { env?: Record<string, string>; heard?: (output: string) => void; cwd?: string; limitMs?: number } = {},
) {
  return new Promise<{ code: number; output: string }>((resolve, reject) => {
    const child = spawn(command, given, {
      cwd,
      env: { ...process.env, NO_COLOR: "1", ...env },
      timeout: limitMs,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const add = (chunk: Buffer) => {
      output += chunk.toString();
      heard?.(output);
    };
    child.stdout.on("data", add);
    child.stderr.on("data", add);
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
