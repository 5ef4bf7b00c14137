import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express from "express";
import { expect, test } from "vitest";
import { MAX_CSV_ROWS, sendCsv } from "../../src/http/pages/csv.ts";

/** A download of these parts, and the number of parts read. */
async function downloaded(parts: readonly (readonly { name: unknown }[])[], take: (url: string) => Promise<unknown>) {
  let read = 0;
  async function* reading() {
    for (const part of parts) {
      read += 1;
      yield part;
    }
  }
  const server = createServer();
  const ended = new Promise<void>((resolve) => {
    const app = express().get("/", async (_request, response) => {
      await sendCsv(response, "names.csv", { columns: ["name"], parts: reading() });
      resolve();
    });
    server.on("request", app);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    const taken = await take(`http://127.0.0.1:${port}/`);
    await ended;
    return { taken, read };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const whole = async (url: string) => (await fetch(url)).text();

test("a download has its columns though it has no row, values as they are, and no formula", async () => {
  expect((await downloaded([[]], whole)).taken).toBe('"name"\r\n');
  const rows = [{ name: "=1+1" }, { name: true }, { name: null }, { name: [1, "b"] }, { name: -2 }];
  expect((await downloaded([rows], whole)).taken).toBe(`"name"\r\n"'=1+1"\r\n"true"\r\n""\r\n"1; b"\r\n"-2"\r\n`);
});

test("a download stops at its limit, and reads nothing beyond", async () => {
  const part = Array.from({ length: 3000 }, (_, at) => ({ name: at }));
  const { taken, read } = await downloaded([part, part, part, part, part], whole);
  expect([String(taken).trim().split("\r\n").length, read]).toEqual([MAX_CSV_ROWS + 1, 4]);
});

test("a download that is no longer taken reads no further", async () => {
  const long = Array.from({ length: 50 }, () => ({ name: "x".repeat(100_000) }));
  const { read } = await downloaded(
    Array.from({ length: 100 }, () => long),
    async (url) => {
      const controller = new AbortController();
      await fetch(url, { signal: controller.signal });
      controller.abort();
    },
  );
  expect(read).toBeLessThan(100);
});
