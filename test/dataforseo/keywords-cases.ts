import { dataforseoProvider } from "../../src/outside/sources/providers/dataforseo.ts";
import type { KeywordBatch } from "../../src/outside/sources/provider.ts";
import { startFakeProvider, type Reply } from "../providers/fake-provider.ts";
import { DATAFORSEO } from "../providers/scenes.ts";
import { ID } from "./replies.ts";

// Bodies of our own, in the form that the provider documents.

export const { signal } = new AbortController();

const PLACE = { country: "DE", language: "de" };

export const VOLUME: KeywordBatch = { wanted: "volume", keywords: ["best phone", "acme phone"], ...PLACE };

export const INTEREST: KeywordBatch = { wanted: "interest", keywords: ["best phone"], ...PLACE };

/** Keyword client of the provider at this address. */
export function createKeywordsProvider(url: string, figures = "interest") {
  const env = { ...DATAFORSEO.env, DATAFORSEO_BASE_URL: url, DATAFORSEO_KEYWORDS: figures };
  const keywords = dataforseoProvider.open(env, { concurrency: 1 })?.keywords;
  if (!keywords) throw new Error("DataForSEO is not asked of keywords");
  return keywords;
}

export const env = (DATAFORSEO_KEYWORDS: string) => ({ ...DATAFORSEO.env, DATAFORSEO_KEYWORDS });

/** Polls a task of this batch once at a provider that sends this reply. */
export async function pollOnce(batch: KeywordBatch, reply: Reply) {
  await using server = await startFakeProvider([reply]);
  const state = await createKeywordsProvider(server.url).poll(ID, batch, { signal });
  return state.state === "answered" ? Object.fromEntries(state.answer.figures) : state;
}
