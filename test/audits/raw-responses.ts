import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { expect } from "vitest";
import type { PageOutcome } from "../../core/audits/crawler.ts";
import { chooseExtent } from "../support/proof.ts";
import { createCrawler, startRawSite } from "./crawler-scene.ts";

// Responses that no library would send.

export const MEGABYTE = 1024 * 1024;
/** Size of hostile bodies, and limit of a page. */
export const SENT_BYTES = chooseExtent(50 * MEGABYTE, 4 * MEGABYTE);
export const MAX_KEPT_BYTES = chooseExtent(5 * MEGABYTE, MEGABYTE / 2);
export const LIMITS = { connectMs: 20_000, responseMs: 20_000, totalMs: 25_000, limitBytes: MAX_KEPT_BYTES };
/** For cases that end by timeout. */
export const SHORT_LIMITS = { ...LIMITS, responseMs: 150, totalMs: 300 };

export const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
export type Responder = (socket: Socket, request: string) => void;

/** Outcome of fetching a page from such a server. */
export async function fetchOutcome(speak: Responder, limits = LIMITS): Promise<{ outcome: PageOutcome; sent: number }> {
  const sockets: Socket[] = [];
  await using there = await startRawSite((socket, request) => {
    sockets.push(socket);
    speak(socket, request);
  });
  const outcome = await createCrawler({ ...there, limits: { fetch: limits } }).fetchPage("http://site.example/");
  // The connection is closed, whatever the server still sends.
  await expect.poll(there.open, { timeout: 10_000 }).toBe(0);
  return { outcome, sent: sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0) };
}

export function summarizeOutcome({ outcome }: { outcome: PageOutcome }) {
  if (outcome.kind === "skipped") return outcome.reason;
  return outcome.kind === "page" ? { bytes: outcome.page.bytes, isTruncated: outcome.page.isTruncated } : outcome.kind;
}

/**
 * Sends a head, and then the same piece again and again until nobody listens or `times` are over.
 */
export function repeatResponse(head: string, piece: string | Buffer, times = Infinity): Responder {
  return (socket) => {
    let left = times;
    const pieces = function* () {
      yield Buffer.from(head, "latin1");
      for (; left > 0; left--) yield Buffer.from(piece);
    };
    Readable.from(pieces()).pipe(socket);
  };
}

export const respondWith =
  (...parts: (string | Buffer)[]): Responder =>
  (socket) => {
    socket.end(Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part))));
  };

export const respondEncoded = (coding: string, body: Buffer): Responder =>
  respondWith(`${HEAD}Content-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`, body);
