import { keyedHash } from "../keys/secrets.ts";

/** Successors derive from tokens: a repeated refresh gets the same one, and none is stored. */
export interface RefreshSuccessors {
  newest(token: string, isRotated: (token: string) => Promise<boolean>): Promise<string>;
}

/** `key` is secret, so that the holder of a token cannot compute its successor. */
export function createRefreshSuccessors(key: Buffer, prefix = ""): RefreshSuccessors {
  const next = (token: string) => prefix + keyedHash(key, token);
  return {
    async newest(token, isRotated) {
      let successor = next(token);
      // Terminates soon: each token in the chain was rotated within the grace period of the first.
      while (await isRotated(successor)) successor = next(successor);
      return successor;
    },
  };
}
