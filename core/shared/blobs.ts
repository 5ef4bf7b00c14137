/** Content-addressed storage of the bytes of assets and imports, on disk or in an object store. */
export interface BlobStore {
  /** Stores bytes durably without a name. Rethrows errors of `bytes` and then stores nothing. */
  stage(bytes: AsyncIterable<Uint8Array>): Promise<StagedBlob>;
  /** Bytes of a SHA-256 (hex) from an offset; iterating throws if absent. */
  read(sha256: string, from?: number): AsyncIterable<Uint8Array>;
  /** Deletes the bytes of a SHA-256; no effect if absent. */
  delete(sha256: string): Promise<void>;
  /** Removes staged bytes older than `ms`, left by crashed processes. */
  sweep(ms: number): Promise<void>;
}

/** Stored bytes without a name. */
export interface StagedBlob {
  sha256: string;
  sizeBytes: number;
  /** Names the bytes durably; equal bytes share one name. */
  commit(): Promise<void>;
  discard(): Promise<void>;
}
