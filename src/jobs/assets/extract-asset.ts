import { failAsset, findAsset, storeAssetText } from "../../../db/assets/assets.ts";
import { tenantStore } from "../../../db/engine/tenant-store.ts";
import { EXTRACTION_LIMITS, extractText } from "../../assets/extract.ts";
import type { BackgroundHandler } from "../background/background.ts";

/** A document that exceeds its limits is retried, because the machine may have been busy. */
const MAX_ATTEMPTS = 2;

export const extractAsset: BackgroundHandler = async (job, work) => {
  const store = tenantStore(work.store, job);
  const asset = await store.read((tenant) => findAsset(tenant, job.subjectId));
  if (asset?.status !== "processing") return;
  const bytes = await readWhole(work.blobs.read(asset.sha256), asset.sizeBytes);
  const read = await extractText({ type: asset.type, bytes }, EXTRACTION_LIMITS, work.signal);
  if (read.kind === "exhausted" && (job.attempts < MAX_ATTEMPTS || work.signal.aborted)) throw new Error(read.reason);
  await store.write(async (tenant) => {
    const ended = { id: asset.id, at: work.now() };
    if (read.kind !== "text") await failAsset(tenant, { ...ended, reason: read.reason });
    else await storeAssetText(tenant, { ...ended, text: read.text, statusReason: describeExtraction(read) });
  });
};

function describeExtraction({ text, isCut }: { text: string; isCut: boolean }): string | null {
  if (text === "") return "It has no text that can be read, such as pages that are pictures.";
  return isCut ? "Only the first million characters of its text are kept." : null;
}

async function readWhole(bytes: AsyncIterable<Uint8Array>, sizeBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(sizeBytes);
  let at = 0;
  for await (const chunk of bytes) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
