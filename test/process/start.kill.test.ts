import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { startService } from "../../src/service.ts";
import { releaseWarning } from "../../src/process/node-release.ts";
import { startFailureText } from "../../src/process/start-failure.ts";
import { startServiceProcess } from "../support/killable-process.ts";
import { world } from "../support/world.ts";

/** The message an operator reads when the service fails to start with these settings. */
async function failureOf(env: Record<string, string>, init = false): Promise<string> {
  const environment = readConfig({ PORT: "0", LOG_LEVEL: "silent", DEMO: "0", ...env });
  return startService(environment, { log: pino({ level: "silent" }), init }).then(
    async (service) => {
      await service.close();
      return "started";
    },
    (error: unknown) => startFailureText(error, environment),
  );
}

async function folder() {
  const path = await mkdtemp(join(tmpdir(), "start-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

test("says what to do about a port in use, a path that is no folder, and a damaged database", async () => {
  await using data = await folder();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  expect(await failureOf({ DATA_DIR: data.path, PORT: String(port) })).toContain(`Port ${port} is in use`);
  other.close();
  const file = join(data.path, "file");
  await writeFile(file, "x");
  for (const path of [file, join(file, "below")]) {
    for (const NODE_ENV of ["production", "development"]) {
      const failure = await failureOf({ DATA_DIR: path, NODE_ENV });
      expect(failure).toContain("is a file or inside a file. Set DATA_DIR to a folder.");
    }
  }
  await using damaged = await folder();
  await writeFile(join(damaged.path, "visibility.db"), randomBytes(8192));
  expect(await failureOf({ DATA_DIR: damaged.path })).toContain("is corrupt or belongs to another program");
});

test("refuses to start in production on an empty volume without --init", async () => {
  await using data = await folder();
  const env = { DATA_DIR: join(data.path, "volume"), NODE_ENV: "production" };
  expect(await failureOf(env)).toContain("start once with --init: npm start -- --init");
  expect(await readdir(data.path)).toEqual([]);
  await mkdir(env.DATA_DIR);
  expect(await failureOf(env)).toContain("mount its disk or set DATA_DIR");
  expect(await readdir(env.DATA_DIR)).toEqual([]);
  await writeFile(join(env.DATA_DIR, "visibility.db"), "");
  expect(await failureOf(env)).toContain("There is no database in");
  expect(await failureOf(env, true)).toBe("started");
  expect(await failureOf(env, true)).toBe("started");
  expect(await failureOf(env)).toBe("started");
});

/** The message an operator reads for this error of the operating system. */
function said(code: string, more: object = {}): string {
  const error = Object.assign(new Error("x"), { code }, more);
  return startFailureText(error, { PORT: 80, HOST: "127.0.0.1", DATA_DIR: "/data" });
}

test("has a separate message for each fault of the disk and the machine", () => {
  expect(said("EACCES", { syscall: "listen" })).toMatch(/may not listen on port 80\..* PORT to 1024 or more/);
  expect(said("EACCES", { syscall: "open", path: "/data/master.key" })).toMatch(
    /cannot use \/data\/master\.key\. .*chown/,
  );
  expect(said("EROFS")).toMatch(/on a read-only disk\. Mount it writable/);
  expect(said("EMFILE")).toMatch(/limit on open files is too low\. Raise it with ulimit -n/);
  expect(said("ENOSPC")).toBe("The disk of /data is full. Free some space, then start again.");
  expect(said("EIO")).toMatch(/reports read or write errors/);
  const causes = ["EACCES", "EROFS", "EEXIST", "EMFILE", "ENOSPC", "EIO", "ERR_DLOPEN_FAILED", "ERR_MODULE_NOT_FOUND"];
  expect(new Set(causes.map((code) => said(code))).size).toBe(causes.length);
});

test("names a master key that differs from the database's as the cause", async () => {
  await using data = await folder();
  {
    await using first = await world({ dataDir: data.path });
    expect((await first.request("GET", "/readyz")).status).toBe(200);
  }
  const env = { DATA_DIR: data.path, MASTER_KEY: randomBytes(32).toString("base64") };
  expect(await failureOf(env)).toContain("Restore the MASTER_KEY");
  expect(await failureOf({ DATA_DIR: data.path })).toBe("started");
});

test("settings that are not valid are all named", () => {
  const wrong = { PORT: "abc", SERVE: "core,everything", BASE_URL: "ftp://x" };
  for (const name of Object.keys(wrong)) expect(() => readConfig(wrong)).toThrow(`  ${name}`);
  expect(() => readConfig({ BOOTSTRAP_EMAIL: "a@b.test" })).toThrow(/BOOTSTRAP_PASSWORD together/);
});

test("answers requests at once while it starts, and asks clients to retry", async () => {
  await using data = await folder();
  const port = await new Promise<number>((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = probe.address() as AddressInfo;
      probe.close(() => resolve(free));
    });
  });
  const statuses = new Set<number>();
  const up = new AbortController();
  const asking = (async () => {
    while (!up.signal.aborted) {
      // Before the port is open, connections fail; a connected request must get a response.
      const signal = AbortSignal.timeout(10_000);
      await fetch(`http://127.0.0.1:${port}/readyz`, { signal }).then(
        ({ status }) => statuses.add(status),
        (error: Error) => expect(error.name).not.toBe("TimeoutError"),
      );
    }
  })();
  const env = { PORT: String(port), DATA_DIR: data.path, DEMO: "0", LOG_LEVEL: "silent" };
  const service = await startService(readConfig(env), { log: pino({ level: "silent" }) });
  const first = await fetch(`http://127.0.0.1:${port}/readyz`);
  up.abort();
  await asking;
  await service.close();
  expect(first.status).toBe(200);
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
});

test("prints the addresses last on a terminal, without request lines, and one line about an outdated Node.js", async () => {
  await using data = await folder();
  const env = { DATA_DIR: data.path, PORT: "0", DEMO: "0" };
  const terminal = "data:text/javascript,process.stdout.isTTY=true";
  await using service = await startServiceProcess(env, { preloads: [terminal] });
  expect((await fetch(`${service.address}/healthz`)).status).toBe(200);
  service.signal("SIGTERM");
  await service.ended;
  expect(service.written()).not.toMatch(/"msg":"(?:request|listening|working)"|unsupported runtime/i);
  const warning = releaseWarning(process.version);
  const lines = service.written().split("\n");
  expect(lines.filter((line) => line.includes("security fixes"))).toHaveLength(warning === undefined ? 0 : 1);
});

test("logs a line per request when the log is not a terminal", async () => {
  await using data = await folder();
  await using service = await startServiceProcess({ DATA_DIR: data.path, PORT: "0", DEMO: "0", SERVE: "core" });
  expect((await fetch(`${service.address}/healthz`)).status).toBe(200);
  await service.writes(`"path":"/healthz","status":200`);
});

const cannotLimit = spawnSync("prlimit", ["--nofile=60", "true"]).status !== 0;
if (cannotLimit) process.stdout.write("skipped: there is no prlimit to lower the limit on open files with\n");

test.skipIf(cannotLimit)(
  "exits with the reason when modules for sign-in fail to load after the port is open",
  async () => {
    // Fault: Node.js caches the failed import, so the service ran on without sign-in for
    // assistants.
    await using data = await folder();
    const env = { DATA_DIR: data.path, PORT: "0", DEMO: "0", LOG_LEVEL: "silent", SERVE: "core,mcp,web" };
    await using service = await startServiceProcess(env, { under: ["prlimit", "--nofile=60", "--"] });
    expect(await service.ended).toBe(1);
    expect(service.written().trimEnd().split("\n").at(-1)).toBe(
      "The limit on open files is too low. Raise it with ulimit -n 4096, or LimitNOFILE=4096 in systemd, then start again.",
    );
  },
);
