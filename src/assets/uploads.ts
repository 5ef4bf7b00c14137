import type { Logger } from "pino";
import { endFileProtection, insertFileHold, listOldFileHolds } from "../../db/assets/file-holds.ts";
import { StoreError } from "../../db/engine/store-error.ts";
import type { Store } from "../../db/engine/store.ts";
import { tooLarge } from "../http/body.ts";
import { tooMany } from "../limits/rate-limits.ts";
import type { StoredFile } from "../../core/assets/assets.ts";
import { isLargeImport, type ImportLimits, type StoredLines } from "../../core/analyses/imports.ts";
import type { BlobStore, StagedBlob } from "../../core/shared/blobs.ts";
import { AppError, invalidInput } from "../../core/shared/errors.ts";
import { addMs, type Instant } from "../../core/shared/time.ts";
import { validateImportLines, openImportPlaces, type CountedLines } from "./import-bodies.ts";
import { ACCEPTED, isDisguised, Sniffer, type SniffedType } from "./sniff.ts";

export interface UploadService {
  maxBytes: number;
  /** RATE_LIMITED or UNAVAILABLE while too many files are in transfer. */
  begin(userId: string): FileUpload;
  /** RATE_LIMITED or UNAVAILABLE while too many bodies are in transfer. */
  beginLines(sender: { userId: string; organizationId: string }): LinesUpload;
  close(): void;
}

export interface FileUpload {
  /** PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, STORAGE_FULL. */
  receive(bytes: AsyncIterable<Uint8Array>, fileName: string): Promise<StoredFile>;
  /** Deletes the file unless a row references it. */
  release(): Promise<void>;
}

export interface LinesUpload {
  /** Rejects an announced length before the body is sent. PAYLOAD_TOO_LARGE, RATE_LIMITED. */
  admit(bytes: number): Promise<void>;
  /** PAYLOAD_TOO_LARGE, RATE_LIMITED, VALIDATION_FAILED, STORAGE_FULL. */
  receive(bytes: AsyncIterable<Uint8Array>): Promise<StoredLines>;
  /** Deletes the body unless a row references it. */
  release(): Promise<void>;
}

const SWEEP_MS = 10 * 60_000;
/** No request takes as long. */
const STALE_HOLD_MS = 60 * 60_000;

export function openUploads(options: {
  blobs: BlobStore;
  store: Store;
  now: () => Instant;
  newId: () => string;
  log: Logger;
  limits: { bytes: number; videoBytes: number; atOnce: AtOnce; imports: ImportLimits };
}): UploadService {
  const { blobs, store, now, newId, log, limits } = options;
  const slots = openPlaces(limits.atOnce);
  const importPlaces = openImportPlaces(store, limits.imports);

  async function drop(holdId: string): Promise<void> {
    await store.write(async (db) => {
      const unused = await endFileProtection(db, holdId);
      // In the transaction, so that a concurrent identical upload comes entirely before or after.
      if (unused !== undefined) await blobs.delete(unused);
    });
  }

  /** The hold references the bytes until a row does. `judge` may reject them. */
  async function keep<T>(holdId: string, bytes: AsyncIterable<Uint8Array>, judge: (staged: StagedBlob) => Promise<T>) {
    const staged = await blobs.stage(bytes).catch((error: unknown) => {
      throw toStorageError(error);
    });
    try {
      const judged = await judge(staged);
      await store.write((db) => insertFileHold(db, { id: holdId, sha256: staged.sha256, createdAt: now() }));
      await staged.commit();
      return judged;
    } catch (error) {
      await staged.discard();
      throw toStorageError(error);
    }
  }

  async function receive(holdId: string, bytes: AsyncIterable<Uint8Array>, fileName: string): Promise<StoredFile> {
    const sniffer = new Sniffer();
    return keep(holdId, rejectInvalidBytes(bytes, sniffer, limits), async (staged) => {
      const { type, mediaType } = await detectAcceptedType(sniffer, staged, fileName);
      const { sha256, sizeBytes } = staged;
      return { sha256, size_bytes: sizeBytes, file_name: fileName, type, media_type: mediaType };
    });
  }

  async function receiveLines(holdId: string, bytes: AsyncIterable<Uint8Array>, onLarge: () => Promise<void>) {
    const lineCounts: CountedLines = { lineCount: 0, isLarge: false };
    const watching = validateImportLines(bytes, limits.imports, { lineCounts, onLarge });
    return keep(holdId, watching, async ({ sha256, sizeBytes }) => {
      const { lineCount, isLarge } = lineCounts;
      return { sha256, size_bytes: sizeBytes, lines: lineCount, is_large: isLarge };
    });
  }

  /** The first bytes take the slot, so that an announced body occupies none. */
  function request(userId: string) {
    slots.check(userId);
    const holdId = newId();
    let receiving: Promise<unknown> | undefined;
    let leave: (() => void) | undefined;
    return {
      holdId,
      begin: () => void (leave = slots.take(userId)),
      take<T>(taken: Promise<T>): Promise<T> {
        receiving = taken;
        return taken;
      },
      async release() {
        try {
          if (receiving === undefined) return;
          await receiving.catch(() => undefined);
          await drop(holdId);
        } finally {
          leave?.();
        }
      },
    };
  }

  async function sweep(): Promise<void> {
    await blobs.sweep(STALE_HOLD_MS);
    const before = addMs(now(), -STALE_HOLD_MS);
    for (const id of await store.read((db) => listOldFileHolds(db, before))) await drop(id);
  }

  const sweepOrTell = () =>
    void sweep().catch((error: unknown) => log.error({ err: error }, "could not delete unused files"));
  sweepOrTell();
  const timer = setInterval(sweepOrTell, SWEEP_MS);
  timer.unref();
  return {
    maxBytes: Math.max(limits.bytes, limits.videoBytes),
    begin(userId) {
      const own = request(userId);
      return {
        receive: (bytes, fileName) => own.take(receive(own.holdId, onFirstBytes(bytes, own.begin), fileName)),
        release: () => own.release(),
      };
    },
    beginLines({ userId, organizationId }) {
      const upload = request(userId);
      let leave: (() => void) | undefined;
      const onLarge = async () => void (leave ??= await importPlaces.take(organizationId));
      let isAnnouncedLarge = false;
      const begin = async () => {
        upload.begin();
        if (isAnnouncedLarge) await onLarge();
      };
      return {
        async admit(bytes) {
          if (bytes > limits.imports.bytes) throw tooLarge(limits.imports.bytes);
          isAnnouncedLarge = isLargeImport({ bytes, lineCount: 0 });
          if (isAnnouncedLarge) await importPlaces.check(organizationId);
        },
        receive: (bytes) => upload.take(receiveLines(upload.holdId, onFirstBytes(bytes, begin), onLarge)),
        release: () => upload.release().finally(() => leave?.()),
      };
    },
    close: () => clearInterval(timer),
  };
}

/** 0 for no limit. */
interface AtOnce {
  all: number;
  account: number;
}

/** Typical transfer time of a small file. */
const WAIT_SECONDS = 5;

async function* onFirstBytes(
  bytes: AsyncIterable<Uint8Array>,
  begin: () => void | Promise<void>,
): AsyncIterable<Uint8Array> {
  let hasBegun = false;
  for await (const chunk of bytes) {
    if (!hasBegun && chunk.length > 0) {
      hasBegun = true;
      await begin();
    }
    yield chunk;
  }
}

/** Per account, so that slow files of one account do not block others. */
function openPlaces({ all, account }: AtOnce) {
  const counts = new Map<string, number>();
  let total = 0;

  function check(userId: string): void {
    if (account > 0 && (counts.get(userId) ?? 0) >= account) {
      throw tooMany(`At most ${account} files are received from one account at once.`, WAIT_SECONDS);
    }
    if (all > 0 && total >= all) {
      const message = `Too many files are being received. Wait ${WAIT_SECONDS} seconds, then try again.`;
      throw new AppError("UNAVAILABLE", message, { retryAfterSeconds: WAIT_SECONDS });
    }
  }

  return {
    /** RATE_LIMITED or UNAVAILABLE without a free slot. */
    check,
    /** Returns the release function. */
    take(userId: string): () => void {
      check(userId);
      counts.set(userId, (counts.get(userId) ?? 0) + 1);
      total += 1;
      return () => {
        const left = (counts.get(userId) ?? 1) - 1;
        if (left === 0) counts.delete(userId);
        else counts.set(userId, left);
        total -= 1;
      };
    },
  };
}

/** Rejects at once, while the bytes stream. */
async function* rejectInvalidBytes(
  bytes: AsyncIterable<Uint8Array>,
  sniffer: Sniffer,
  limits: { bytes: number; videoBytes: number },
): AsyncIterable<Uint8Array> {
  let [size, limit, judged] = [0, limits.bytes, false];
  for await (const chunk of bytes) {
    sniffer.add(chunk);
    size += chunk.length;
    if (!judged && sniffer.isHeadComplete) {
      const guess = await sniffer.guess();
      if (guess === undefined) throw createNotAcceptedError();
      if (guess.startsWith("video/")) limit = limits.videoBytes;
      judged = true;
    }
    if (size > limit) throw tooLarge(limit);
    yield chunk;
  }
}

async function detectAcceptedType(sniffer: Sniffer, { sizeBytes }: StagedBlob, fileName: string): Promise<SniffedType> {
  if (sizeBytes === 0) throw invalidInput([{ path: "content", message: "is empty" }]);
  const sniffed = await sniffer.conclude();
  if (!sniffed) throw createNotAcceptedError();
  if (!isDisguised(fileName, sniffed)) return sniffed;
  throw new AppError(
    "UNSUPPORTED_MEDIA_TYPE",
    `The content of the file does not match the extension of its name. Correct the extension. Accepted files: ${ACCEPTED}.`,
  );
}

function createNotAcceptedError(): AppError {
  return new AppError("UNSUPPORTED_MEDIA_TYPE", `Files of this type are not accepted. Accepted files: ${ACCEPTED}.`);
}

function toStorageError(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOSPC" || code === "EDQUOT") return new StoreError("full", { cause: error });
  // The folder was created at the start, so it was removed since.
  return code === "ENOENT" ? new StoreError("replaced", { cause: error }) : error;
}
