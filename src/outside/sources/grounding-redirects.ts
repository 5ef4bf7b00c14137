import type { Guard } from "../guard.ts";
import { isHostName, type GroundingPage } from "./bodies/gemini-body.ts";

const REDIRECT_HOST = "vertexaisearch.cloud.google.com";
const REDIRECT_PATH_PREFIX = "/grounding-api-redirect/";
const MAX_CONCURRENT = 8;
const MAX_ATTEMPTS = 2;

/** Does not request the targets. Unresolved pages become the host that Google names. */
export async function resolvePages(
  pages: readonly (GroundingPage | null)[],
  { guard, timeoutMs, signal }: { guard: Guard; timeoutMs: number; signal: AbortSignal },
): Promise<(page: GroundingPage) => string> {
  const targets = new Map<string, string | undefined>();
  const waiting = [...new Set(pages.flatMap((page) => (page && isRedirect(page.uri) ? [page.uri] : [])))];
  const resolveNext = async () => {
    for (let uri = waiting.shift(); uri !== undefined; uri = waiting.shift()) {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS && targets.get(uri) === undefined; attempt++) {
        targets.set(uri, await resolveRedirect(new URL(uri), { guard, timeoutMs, signal }));
      }
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, resolveNext));
  return ({ uri, title }) => {
    if (!isRedirect(uri)) return uri;
    return targets.get(uri) ?? (title !== undefined && isHostName(title) ? `https://${title.toLowerCase()}/` : uri);
  };
}

function isRedirect(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { hostname, pathname } = new URL(uri);
  return hostname === REDIRECT_HOST && pathname.startsWith(REDIRECT_PATH_PREFIX);
}

async function resolveRedirect(
  url: URL,
  { guard, timeoutMs, signal }: { guard: Guard; timeoutMs: number; signal: AbortSignal },
): Promise<string | undefined> {
  try {
    const incoming = await guard.request(url, { signal, connectMs: timeoutMs, responseMs: timeoutMs });
    incoming.on("error", () => undefined).destroy();
    const { location = "" } = incoming.headers;
    return /^https?:\/\//i.test(location) && URL.canParse(location) ? new URL(location).href : undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}
