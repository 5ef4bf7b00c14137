import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const PROGRAM = join(ROOT, "dist/src/start.js");
const build = () => execFileSync(process.execPath, ["build.js"], { cwd: ROOT, encoding: "utf8" });

test("the compiled service answers as the product, its worker works, and it ends when told to", async () => {
  const folder = await mkdtemp(join(tmpdir(), "visibility-build-"));
  const env = { PATH: process.env["PATH"], DATA_DIR: folder, PORT: "0", LOG_LEVEL: "info" };
  const service = spawn(process.execPath, ["--enable-source-maps", PROGRAM], { cwd: folder, env });
  try {
    let address: string | undefined;
    let works = false;
    for await (const line of createInterface(service.stdout)) {
      if (!line.startsWith("{")) continue;
      const entry = JSON.parse(line) as { msg: string; address?: string; name?: string };
      if (entry.msg === "listening") address = entry.address;
      if (entry.msg === "working" && entry.name === "worker") works = true;
      if (address !== undefined && works) break;
    }
    const statuses = await Promise.all(
      ["/readyz", "/sign-in", "/docs", "/openapi.json", "/v1/auth/me", "/mcp"].map(async (path) => {
        const response = await fetch(`${address}${path}`);
        await response.arrayBuffer();
        return [path, response.status];
      }),
    );
    expect(Object.fromEntries(statuses)).toEqual({
      "/readyz": 200,
      "/sign-in": 200,
      "/docs": 200,
      "/openapi.json": 200,
      "/v1/auth/me": 401,
      "/mcp": 405,
    });
    const ended = once(service, "exit");
    service.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  } finally {
    service.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
});

test("every program that the service starts by its file is compiled", () => {
  const sources = ["src", "auth", "db", "core"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join(ROOT, folder, file)),
  );
  const started = sources.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/(?:programFile|threadProgram)\("([^"]+)"\)/g)].map(
      ([, program = ""]) => program,
    ),
  );
  expect(started.toSorted()).toEqual([
    "db/engine/quick-check",
    "src/assets/extract-process",
    "src/jobs/audit/check-worker",
    "src/jobs/exports/export-worker",
  ]);
  // Compiled, a source is part of another file, which has no neighbours.
  const besides = sources.filter((file) => /new URL\([^)]*import\.meta\.url\)/.test(readFileSync(file, "utf8")));
  expect(besides).toEqual([]);
  expect(started.filter((program) => !existsSync(join(ROOT, `dist/${program}.js`)))).toEqual([]);
});

test("nothing is compiled where no source is younger than the program", () => {
  const compiled = statSync(PROGRAM).mtimeMs;
  build();
  expect(statSync(PROGRAM).mtimeMs).toBe(compiled);
});

test("a changed source is compiled without packages, which are compiled where others are imported or installed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "visibility-build-"));
  const write = async (file: string, text: string) => {
    await mkdir(join(folder, dirname(file)), { recursive: true });
    await writeFile(join(folder, file), text);
  };
  const run = (file: string) => execFileSync(process.execPath, [file], { cwd: folder, encoding: "utf8" });
  /** Compiles anew; whether the packages were, and what the program says. */
  const made = async () => {
    const zod = join(folder, "dist/node_modules/zod/index.js");
    await utimes(zod, 0, 0).catch(() => undefined);
    run("build.js");
    return { packages: statSync(zod).mtimeMs > 0, says: run("dist/src/start.js") };
  };
  const start = (text: string) =>
    write("src/start.ts", `import { z } from "zod"; console.log(z.string().parse("${text}"));`);
  try {
    for (const file of ["build.js", "package.json", "package-lock.json"]) {
      await copyFile(join(ROOT, file), join(folder, file));
    }
    await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
    for (const program of ["assets/extract-process", "jobs/audit/check-worker", "jobs/exports/export-worker"]) {
      await write(`src/${program}.ts`, "");
    }
    await write("db/engine/quick-check.ts", "");
    await start("first");
    expect(await made()).toEqual({ packages: true, says: "first\n" });
    await start("second");
    expect(await made()).toEqual({ packages: false, says: "second\n" });
    // One of the older kind, and a part of another.
    await write(
      "core/text.ts",
      `import busboy from "busboy"; export { eq } from "drizzle-orm"; export const text = typeof busboy;`,
    );
    await write(
      "src/start.ts",
      `import { z } from "zod"; import { eq, text } from "../core/text.ts"; console.log(z.string().parse(text), typeof eq);`,
    );
    expect(await made()).toEqual({ packages: true, says: "function function\n" });
    await write("package-lock.json", "{}");
    expect(await made()).toEqual({ packages: true, says: "function function\n" });
  } finally {
    await rm(folder, { recursive: true });
  }
});
