import type { Source } from "../../../../core/sources/sources.ts";
import type { CapturedAnswer, Question } from "../provider.ts";
import type { Search, SearchSession } from "./searches.ts";
import { readAnswer } from "./text-blocks.ts";

interface PromptLocation {
  country: string;
  language: string;
}

/** `gl` and `hl`; the provider rejects values that Google does not support. */
function toGoogleLocation({ country, language }: PromptLocation): { gl: string; hl: string } {
  return { gl: country === "GB" ? "uk" : country.toLowerCase(), hl: toGoogleLanguage(language) };
}

/** Only Chinese and Portuguese need a region. */
function toGoogleLanguage(tag: string): string {
  const [language = tag, region = ""] = tag.split("-");
  if (language === "zh") return ["TW", "HK", "MO"].includes(region) ? "zh-tw" : "zh-cn";
  if (language === "pt" && ["BR", "PT"].includes(region)) return tag.toLowerCase();
  return language;
}

function toBingMarket({ country, language }: PromptLocation): { mkt: string } {
  return { mkt: `${language.split("-")[0]}-${country}` };
}

type PageContent = Pick<CapturedAnswer, "text" | "citations" | "results" | "showedNothing">;
type SearchFunction = SearchSession["search"];

interface SerpapiEngine {
  read: (question: Question, search: SearchFunction, pages: number) => Promise<PageContent>;
  maxSearches: (pages: number) => number;
}

const NOT_SHOWN: PageContent = { text: "", citations: [], results: [], showedNothing: true };
/** A cached page would make all runs of a prompt identical. */
const NO_CACHE = { no_cache: "true" };

const buildGoogleQuery = (question: Question) => ({
  engine: "google",
  q: question.prompt,
  ...toGoogleLocation(question),
  ...NO_CACHE,
});
const buildBingQuery = (question: Question) => ({
  engine: "bing",
  q: question.prompt,
  ...toBingMarket(question),
  ...NO_CACHE,
});

const countOneSearch = () => 1;

export const ENGINES: Partial<Record<Source, SerpapiEngine>> = {
  SEARCH_A: {
    read: (question, search, pages) => readPages(buildBingQuery(question), search, pages),
    maxSearches: (pages) => pages,
  },
  SEARCH_A_AIO: {
    read: async (question, search) =>
      readConversation(await search({ engine: "bing_copilot", q: buildConversationText(question), ...NO_CACHE })),
    maxSearches: countOneSearch,
  },
  SEARCH_B: {
    read: (question, search, pages) => readPages(buildGoogleQuery(question), search, pages),
    maxSearches: (pages) => pages,
  },
  SEARCH_B_AIO: { read: readOverview, maxSearches: () => 2 },
  SEARCH_B_AI_MODE: {
    read: async (question, search) => {
      const query = {
        engine: "google_ai_mode",
        q: buildConversationText(question),
        ...toGoogleLocation(question),
        ...NO_CACHE,
      };
      return readConversation(await search(query));
    },
    maxSearches: countOneSearch,
  },
};

/** A search query cannot include the persona; a conversation can. */
function buildConversationText({ prompt, persona }: Question): string {
  return persona === null ? prompt : `${persona}\n\n${prompt}`;
}

/** Ranks continue from page to page. */
async function readPages(first: Record<string, string>, search: SearchFunction, pages: number): Promise<PageContent> {
  const results: CapturedAnswer["results"] = [];
  let query: Record<string, string> | undefined = first;
  for (let page = 0; page < pages && query; page++) {
    const found: Search = await search(query);
    if (found.organic_results == null && found.error != null) break;
    for (const { link: url, title, snippet } of found.organic_results ?? []) {
      const rank = results.length + 1;
      results.push({ rank, url, ...(title != null && { title }), ...(snippet != null && { snippet }) });
    }
    query = findNextPageQuery(found);
    if (results.length === 0) return { text: "", citations: [], results };
  }
  return results.length === 0 ? NOT_SHOWN : { text: "", citations: [], results };
}

function findNextPageQuery({ serpapi_pagination: pagination }: Search): Record<string, string> | undefined {
  if (pagination?.next == null) return undefined;
  const { api_key: _key, ...query } = Object.fromEntries(new URL(pagination.next).searchParams);
  return { ...query, ...NO_CACHE };
}

async function readOverview(question: Question, search: SearchFunction): Promise<PageContent> {
  const page = await search(buildGoogleQuery(question));
  const token = page.ai_overview?.text_blocks == null ? page.ai_overview?.page_token : undefined;
  const found = token == null ? page : await search({ engine: "google_ai_overview", page_token: token });
  const overview = found.ai_overview;
  if (overview == null || overview.error != null) return NOT_SHOWN;
  return { ...readAnswer(overview, found.rawBody), results: [] };
}

function readConversation(found: Search): PageContent {
  if (found.text_blocks == null && found.error != null) return NOT_SHOWN;
  return { ...readAnswer(found, found.rawBody, found.header ?? undefined), results: [] };
}
