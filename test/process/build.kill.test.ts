import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const PROGRAM = join(ROOT, "dist/src/start.js");
const build = () => execFileSync(process.execPath, ["build.js"], { cwd: ROOT, encoding: "utf8" });

test("serves requests and runs jobs from the compiled build, and stops on a signal", async () => {
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

test("every command of the program describes itself with --help and does nothing else", () => {
  const program = join(ROOT, "dist/bin/brand-visibility.js");
  const help = (...args: string[]) => {
    const env = { PATH: process.env["PATH"], DATA_DIR: join(tmpdir(), "visibility-no-such-folder") };
    const { status, stdout } = spawnSync(process.execPath, [program, ...args, "--help"], { env, encoding: "utf8" });
    return { status, stdout };
  };
  const names = [...help().stdout.matchAll(/^ {2}(\w+) {2,}/gm)].map(([, name = ""]) => name);
  expect(names).toContain("demo");
  for (const name of names) {
    expect({ name, ...help(name) }).toEqual({
      name,
      status: 0,
      stdout: expect.stringMatching(new RegExp(`^\\S.*\\n[^]*\\n {2}npx brand-visibility ${name}\\b`)),
    });
  }
  expect(existsSync(join(tmpdir(), "visibility-no-such-folder"))).toBe(false);
});

test("every program that the service starts by its file is compiled", () => {
  const sources = ["src", "auth", "db", "core"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join(ROOT, folder, file)),
  );
  const started = sources.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/(?:programUrl|resolveWorkerProgram)\("([^"]+)"\)/g)].map(
      ([, program = ""]) => program,
    ),
  );
  expect(started.toSorted()).toEqual([
    "db/engine/sqlite/quick-check",
    "src/assets/extract-process",
    "src/jobs/audits/check-worker",
    "src/jobs/exports/export-worker",
  ]);
  // Compiled, a source is part of another file, which has no neighbours.
  const besides = sources.filter((file) => /new URL\([^)]*import\.meta\.url\)/.test(readFileSync(file, "utf8")));
  expect(besides).toEqual([]);
  expect(started.filter((program) => !existsSync(join(ROOT, `dist/${program}.js`)))).toEqual([]);
});

test("skips compiling when no source is newer than the build", () => {
  const compiled = statSync(PROGRAM).mtimeMs;
  build();
  expect(statSync(PROGRAM).mtimeMs).toBe(compiled);
});

test("prints the operator commands and the version, and exits with an error code for an unknown command", () => {
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(ROOT, "dist/bin/brand-visibility.js"), ...args],
      {
        encoding: "utf8",
        env: { PATH: process.env["PATH"], DATA_DIR: join(ROOT, "no-data") },
      },
    );
    return { status, stdout, stderr };
  };
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  expect(run("--version")).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  expect(run()).toMatchObject({ status: 0, stdout: expect.stringContaining("\n  reencrypt ") });
  expect(run("nothing")).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^No command is named nothing\.\n/),
  });
  expect(run("keys", "--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("keys rotate --now") });
  expect(run("partner", "--nothing")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("See npx brand-visibility partner --help"),
  });
});
