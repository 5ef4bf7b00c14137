import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer } from "node:http";
import { expect, test } from "vitest";
import { readConfig } from "../src/config.ts";
import { connectionTimes } from "../src/connection-times.ts";
import { world } from "./world.ts";

test("an unused connection outlives those of proxies, and a request may take as long as the largest upload", () => {
  // Fault: Node closed a connection after 5 s, on which a proxy was just sending the next request: 502.
  const usual = connectionTimes(readConfig({}));
  expect(usual.keepAliveTimeout).toBeGreaterThan(60_000);
  for (const env of [
    {},
    { KEEP_ALIVE_SECONDS: "620" },
    { KEEP_ALIVE_SECONDS: "3600" },
    { ASSET_VIDEO_MAX_MB: "10240" },
  ]) {
    const config = readConfig(env);
    const { keepAliveTimeout = 0, headersTimeout = 0, requestTimeout = 0 } = connectionTimes(config);
    expect(headersTimeout).toBeGreaterThan(keepAliveTimeout);
    // Also where the upload begins right after the longest wait: 200 MB at two megabits a second.
    expect(requestTimeout).toBeGreaterThanOrEqual(Math.max(headersTimeout, config.ASSET_VIDEO_MAX_MB * 4000));
    expect(() => createServer(connectionTimes(config))).not.toThrow();
  }
});

test("a connection that was unused for longer than its time is closed, one within it is used again", async () => {
  await using w = await world({ env: { KEEP_ALIVE_SECONDS: "1" } });
  const socket = connect(Number(new URL(w.config.baseUrl).port), "127.0.0.1");
  let [answers, isClosed] = [0, false];
  socket.on("data", (chunk: Buffer) => (answers += chunk.toString().split("HTTP/1.1 200").length - 1));
  socket.on("close", () => (isClosed = true));
  const ask = () => socket.write(`GET /healthz HTTP/1.1\r\nhost: ${new URL(w.config.baseUrl).host}\r\n\r\n`);
  ask();
  await expect.poll(() => answers).toBe(1);
  await sleep(300);
  ask();
  await expect.poll(() => answers).toBe(2);
  await expect.poll(() => isClosed, { timeout: 10_000 }).toBe(true);
});
