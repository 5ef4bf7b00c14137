import { z } from "zod";
import type { HttpContext } from "../http-provider.ts";
import { ProviderError } from "../provider-error.ts";
import { readBody } from "../bodies/read-body.ts";
import { Answer } from "./text-blocks.ts";

const Search = z.object({
  search_metadata: z.object({ status: z.string() }),
  /** Set in a successful search in which the engine found or showed nothing. */
  error: z.string().nullish(),
  organic_results: z
    .array(z.object({ link: z.string(), title: z.string().nullish(), snippet: z.string().nullish() }))
    .nullish(),
  serpapi_pagination: z.object({ next: z.url().nullish() }).nullish(),
  ai_overview: Answer.extend({ page_token: z.string().nullish(), error: z.string().nullish() }).nullish(),
  header: z.string().nullish(),
  ...Answer.shape,
});
export type Search = z.output<typeof Search> & { rawBody: string };

const COMPLETE_STATUSES = new Set(["Success", "Cached"]);

export interface SearchSession {
  search: (query: Record<string, string>) => Promise<Search>;
  /** A list of bodies after several searches. Null if the price is unknown. */
  billedSoFar: () => { rawBody: string; costUsd: number | null };
}

export function createSearches(call: HttpContext<unknown>["call"], usd: number | undefined): SearchSession {
  const bodies: string[] = [];
  return {
    async search(query) {
      try {
        const { text } = await call("/search.json", { query });
        const search = readSearch(text);
        bodies.push(text);
        return { ...search, rawBody: text };
      } catch (error) {
        throw error instanceof ProviderError ? addSearchCost(error, bodies.length, usd) : error;
      }
    },
    billedSoFar: () => ({
      rawBody: bodies.length === 1 ? (bodies[0] ?? "") : `[${bodies.join(",")}]`,
      costUsd: usd === undefined ? null : usd * bodies.length,
    }),
  };
}

function readSearch(rawBody: string): z.output<typeof Search> {
  const search = readBody(rawBody, Search);
  if (COMPLETE_STATUSES.has(search.search_metadata.status)) return search;
  const message = "The provider's search failed, or did not end in time.";
  throw new ProviderError("unavailable", { message, rawBody });
}

/** Successful searches are billed, even if parsing fails. */
function addSearchCost(error: ProviderError, before: number, usd = 0): ProviderError {
  const { kind, message, retryAfterMs, rawBody } = error;
  const costUsd = usd * (before + (kind === "malformed" ? 1 : 0));
  return new ProviderError(kind, { message, retryAfterMs, rawBody, costUsd, cause: error });
}
