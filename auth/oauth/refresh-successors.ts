import { keyedHash } from "../keys/secrets.ts";

/**
 * The refresh tokens that follow one another. The successor of a token is computed from it, so that a client that lost an
 * answer, or refreshes from two places, gets the same one again, and no token is kept in a form that could be used.
 */
export interface RefreshSuccessors {
  /** The token to give for `token`: the first that follows it and that `isRotated` does not call rotated. */
  newest(token: string, isRotated: (token: string) => Promise<boolean>): Promise<string>;
}

/** `key` is secret: who has a token cannot compute the next one. */
export function refreshSuccessors(key: Buffer, prefix = ""): RefreshSuccessors {
  const next = (token: string) => prefix + keyedHash(key, token);
  return {
    async newest(token, isRotated) {
      let successor = next(token);
      // Ends soon: each of these was rotated in turn, within the time in which the first may be used again.
      while (await isRotated(successor)) successor = next(successor);
      return successor;
    },
  };
}
