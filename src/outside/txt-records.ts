import { Resolver } from "node:dns/promises";
import type { TxtRecords } from "../../core/identity/domain-ownership.ts";
import { withTimeLimit } from "./http.ts";

/** Milliseconds that one name server is waited for, and how often each is asked. */
const LIMITS = { timeout: 3000, tries: 2 };

/** What name servers answer where there is no such record. */
const NOTHING_THERE = new Set(["ENODATA", "ENOTFOUND"]);

/** What all tries at all name servers may take together. */
const MOST_MS = 15_000;

/** Reads TXT records from these name servers, or from those of the system, until `closing` is aborted. */
export function openTxtRecords(
  servers: readonly string[] | undefined,
  closing: AbortSignal,
  timeoutMs = MOST_MS,
): TxtRecords {
  const resolver = new Resolver(LIMITS);
  if (servers) resolver.setServers(servers);
  return {
    async lookUp(name) {
      try {
        // A record that is longer than 255 octets comes in parts.
        const records = await withTimeLimit(timeoutMs, closing, () => resolver.resolveTxt(name));
        return records.map((parts) => parts.join(""));
      } catch (error) {
        if (NOTHING_THERE.has((error as NodeJS.ErrnoException).code ?? "")) return [];
        throw error;
      }
    },
  };
}

/** True for what can be said to be a name server: an address with or without a port. */
export function isNameServer(server: string): boolean {
  try {
    new Resolver().setServers([server]);
    return true;
  } catch {
    return false;
  }
}
