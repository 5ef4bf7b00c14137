import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { BlobStore } from "../../core/shared/blobs.ts";
import type { SentFile } from "../../tools/endpoint.ts";

/** Sends a file as an attachment, so that a browser never renders it. */
export async function sendFile(response: ServerResponse, file: SentFile, blobs: Pick<BlobStore, "read">) {
  const headers = {
    "cache-control": "no-store",
    "content-type": file.mediaType,
    "content-disposition": `attachment; filename="${file.name}"`,
    "content-length": String(file.sizeBytes),
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "referrer-policy": "no-referrer",
    "repr-digest": `sha-256=:${Buffer.from(file.sha256, "hex").toString("base64")}:`,
  };
  response.setHeaders(new Map(Object.entries(headers)));
  if (response.req.method === "HEAD") {
    response.end();
    return;
  }
  try {
    await pipeline(Readable.from(blobs.read(file.sha256)), response);
  } catch (error) {
    if (!response.destroyed) throw error;
  }
}
