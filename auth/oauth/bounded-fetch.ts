import type { Fetch } from "./client-documents.ts";

const TIMEOUT_MS = 10_000;
const LIMIT_BYTES = 512 * 1024;

/**
 * Asks within ten seconds for half a megabyte at most, over https alone; `allowsLocalHttp` adds http on this machine.
 * Which addresses may be asked is for `fetch` to say.
 */
export function boundedFetch(fetch: Fetch, { allowsLocalHttp }: { allowsLocalHttp: boolean }): Fetch {
  return async (address, init = {}) => {
    const { protocol, hostname } = new URL(address instanceof Request ? address.url : address);
    const isLocal = protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
    if (protocol !== "https:" && !(allowsLocalHttp && isLocal)) {
      throw Object.assign(new Error("only https is asked"), { code: "ADDRESS_REFUSED" });
    }
    const response = await fetch(address, { ...init, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
    const chunks: Uint8Array[] = [];
    let size = 0;
    // The type of a body leaves out that it can be walked through. Leaving the loop ends the connection.
    for await (const chunk of (response.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > LIMIT_BYTES) throw new Error("the answer is larger than 512 KB");
      chunks.push(chunk);
    }
    const { status, headers } = response;
    return new Response(response.body && Buffer.concat(chunks), { status, headers });
  };
}
