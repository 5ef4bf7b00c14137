/** Where the bytes of assets and imports are kept, by what they are: the disk, or any object store that can do the same. */
export interface BlobStore {
  /** Takes bytes in durably, not yet under their name. Throws what `bytes` throws and keeps nothing then. */
  stage(bytes: AsyncIterable<Uint8Array>): Promise<StagedBlob>;
  /** The bytes with this SHA-256 (hex), from this one on; what it gives throws if there are none. */
  read(sha256: string, from?: number): AsyncIterable<Uint8Array>;
  /** Nothing if there are none. */
  delete(sha256: string): Promise<void>;
  /** Removes what was staged longer ago than `ms` and left behind by a process that is gone. */
  sweep(ms: number): Promise<void>;
}

/** Bytes that were taken in and have no name yet. */
export interface StagedBlob {
  sha256: string;
  sizeBytes: number;
  /** Gives the bytes their name, durably; the same bytes under the same name are one. */
  keep(): Promise<void>;
  drop(): Promise<void>;
}
