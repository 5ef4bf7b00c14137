import { Resolver } from "node:dns/promises";
import type { TxtRecords } from "../../core/identity/domain-ownership.ts";
import { withTimeLimit } from "./http.ts";

/** `timeout` is in milliseconds; both apply per name server. */
const TXT_LOOKUP_LIMITS = { timeout: 3000, tries: 2 };

const NO_RECORD_CODES = new Set(["ENODATA", "ENOTFOUND"]);

const MAX_MS = 15_000;

/** Uses the system's name servers by default. */
export function openTxtRecords(
  servers: readonly string[] | undefined,
  closing: AbortSignal,
  timeoutMs = MAX_MS,
): TxtRecords {
  const resolver = new Resolver(TXT_LOOKUP_LIMITS);
  if (servers) resolver.setServers(servers);
  return {
    async lookUp(name) {
      try {
        // A record longer than 255 octets has several chunks.
        const records = await withTimeLimit(timeoutMs, closing, () => resolver.resolveTxt(name));
        return records.map((parts) => parts.join(""));
      } catch (error) {
        if (NO_RECORD_CODES.has((error as NodeJS.ErrnoException).code ?? "")) return [];
        throw error;
      }
    },
  };
}

export function isNameServer(server: string): boolean {
  try {
    new Resolver().setServers([server]);
    return true;
  } catch {
    return false;
  }
}
