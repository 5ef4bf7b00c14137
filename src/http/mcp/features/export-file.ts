import type { z } from "zod";
import { AppError, notFound } from "../../../../core/shared/errors.ts";
import type { BlobStore } from "../../../../core/shared/blobs.ts";
import { Export, toSentFile } from "../../../../tools/exports/export.ts";

/** A larger file exceeds what clients take in one message. */
const MAX_FILE_BYTES = 1_000_000;

export type ResourceFile = { mimeType: string } & ({ text: string } | { blob: string });

/** Throws NOT_FOUND without a file, and PAYLOAD_TOO_LARGE for a file that only the console sends. */
export async function readExportFile(
  exported: z.output<typeof Export>,
  { blobs, now }: { blobs: Pick<BlobStore, "read">; now: () => string },
): Promise<ResourceFile> {
  if (!hasFile(exported) || now() >= (exported.expires_at ?? "")) throw notFound("export");
  const { sha256, sizeBytes, mediaType } = toSentFile(exported);
  if (sizeBytes > MAX_FILE_BYTES)
    throw new AppError("PAYLOAD_TOO_LARGE", "This file has over 1 MB. A person downloads it on the page of exports.");
  const chunks: Uint8Array[] = [];
  for await (const chunk of blobs.read(sha256)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return exported.format === "parquet"
    ? { mimeType: mediaType, blob: bytes.toString("base64") }
    : { mimeType: mediaType, text: bytes.toString() };
}

export function hasFile({ url }: Pick<z.output<typeof Export>, "url">): boolean {
  return url !== null;
}
