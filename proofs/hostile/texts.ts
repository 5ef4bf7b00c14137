import { auditPage } from "../../core/audits/audit-page.ts";
import { LLMS_TXT_CHECKS } from "../../core/audits/crawlability/llms-txt.ts";
import { checkSite } from "../../core/audits/run-checks.ts";
import { PAGE_CHECKS, SITE_CHECKS } from "../../core/audits/checks.ts";
import { createNameGatherer } from "../../core/brands/name-gatherer.ts";
import { checkClaim } from "../../core/claims/check-claim.ts";
import { JudgedOpinions, type Capture } from "../../core/reading/capture.ts";
import { findBrandsInPrompt, findMentions } from "../../core/reading/find-mentions.ts";
import { parseAnswerLine } from "../../core/reading/recorded-line.ts";
import { extractHtmlText } from "../../src/assets/html-text.ts";
import { guessColumns } from "../../src/console/new-analysis/guess-columns.ts";
import { readRows } from "../../src/console/new-analysis/read-rows.ts";
import { PAGE_READER } from "../../src/jobs/audits/page-reader.ts";
import { listPages } from "../../src/jobs/audits/list-pages.ts";
import { evaluateRobots } from "../../src/jobs/audits/evaluate-robots.ts";
import { readHtml } from "../../src/outside/crawler/fetch-page.ts";
import { parseReply } from "../../src/outside/judge/ask-model.ts";
import { verifyJudgement, ModelAnswer } from "../../src/outside/judge/model-scorer.ts";
import { rulesScorer } from "../../src/outside/judge/rules-scorer.ts";
import { parseMarkdownLinks } from "../../src/outside/sources/bodies/text-links.ts";
import { getAnalysisKind, readAnswer } from "../../tools/analyses/kinds/kinds.ts";
import { alias, brand, catalogOf } from "../../test/measurement/brands.ts";
import {
  ANSWER,
  DOCUMENT,
  KEYWORD,
  LLMS_TXT,
  limitLength,
  PAGE,
  pagesOf,
  PASTED,
  REPLY,
  ROBOTS,
  SITEMAP,
  SNIPPET,
  tagsOf,
  textsOf,
  TITLE,
} from "./text-pieces.ts";

/** A reader of text from outside, with texts made to occupy it. */
export interface HostileTexts {
  name: string;
  /** At the reader's max length, or at the length that is known to be worst. */
  texts: readonly string[];
  /** Calls the product's reader with one text. */
  read: (text: string) => unknown;
}

const catalog = catalogOf(
  brand("Target", { excluded_phrases: ["Target audience"], domains: ["target.com"], relationship: "mine" }),
  brand("Sony", { aliases: [alias("SONY", true)], domains: ["sony.com"] }),
  "Nothing",
  "索尼",
  "A1",
);
const brandContext = {
  prompt: "Is Target better than Sony?",
  category: "phones",
  attributes: ["battery life", "price"],
  asked: {
    kind: "aided" as const,
    brandId: "Target",
    lookAlike: null,
    otherBrandId: "Sony",
    attribute: "price",
    asksProsCons: true,
  },
};
const answerOf = (text: string): Capture => ({ text, citations: [], results: [] });
const criteria = { category: "phones", attributes: ["battery life"], brandNames: ["Target"], language: "en" };
const completion = (content: string) => JSON.stringify({ choices: [{ message: { content } }] });
const headers = {
  contentType: "text/html",
  xRobotsTag: [],
  link: [],
  contentLanguage: null,
  cacheControl: null,
  etag: null,
  lastModified: null,
};
const site = {
  origin: "https://shop.test",
  robots: { text: "", status: 200 },
  sitemap: { urls: [], files: [], faults: [] },
  llmsTxt: null,
};

/** Parses a page like the thread that audits pages, with every content check. */
function checkHtml(html: string): unknown {
  const at = { url: "https://shop.test/", finalUrl: "https://shop.test/", redirects: [], status: 200, responseMs: 1 };
  const fetched = { ...at, headers, bytes: html.length, html, encoding: "utf-8", isTruncated: false };
  const rules = { version: 1, pageChecks: PAGE_CHECKS, siteChecks: SITE_CHECKS };
  const order = { fetched, site, siteFindings: [], brandNames: ["Target"], pageType: null, fetchedAtMs: 0 };
  return auditPage(rules, order, PAGE_READER);
}

const claimOf = (text: string, value: Parameters<typeof checkClaim>[1]["value"], attribute: string) =>
  checkClaim({ text, mentions: findMentions(text, catalog) }, { brandId: "Target", attribute, value });

const context = { prompt: "best shop", source: "ASSISTANT_A" as const };
const search = (capture: Capture) => readAnswer(getAnalysisKind("search_analysis"), capture, { catalog, context });
const resultPage = (title: string, snippet: string): Capture => {
  return { text: "", citations: [], results: [{ rank: 1, url: "https://shop.test/", title, snippet }] };
};

/** Every reader of text from outside. */
export const HOSTILE_TEXTS: readonly HostileTexts[] = [
  { name: "answer of a search analysis", texts: textsOf(ANSWER), read: (text) => search(answerOf(text)) },
  {
    name: "answer of a brand analysis",
    texts: textsOf(ANSWER),
    read: (text) => readAnswer(getAnalysisKind("brand_analysis"), answerOf(text), { catalog, context: brandContext }),
  },
  {
    name: "answer with a model's opinions",
    texts: textsOf(ANSWER),
    read: (text) => {
      const quote = text.slice(0, 1000);
      const judged = {
        judge: "m",
        comparisons: [],
        attributes: [],
        points: [{ brand: "Sony", polarity: "pro" as const, quote }],
      };
      const capture = { ...answerOf(`Sony is good. ${text}`), judged };
      return readAnswer(getAnalysisKind("brand_analysis"), capture, { catalog, context: brandContext });
    },
  },
  { name: "title of a result", texts: textsOf(TITLE), read: (text) => search(resultPage(text, "a")) },
  { name: "snippet of a result", texts: textsOf(SNIPPET), read: (text) => search(resultPage("a", text)) },
  {
    name: "address and title of a citation",
    texts: textsOf(TITLE),
    read: (text) =>
      search({
        ...answerOf("Target [1]"),
        citations: [{ url: `https://shop.test/${text}`, title: text, position: 1 }],
      }),
  },
  {
    name: "address of a citation",
    texts: textsOf(TITLE),
    read: (text) => search({ ...answerOf("a"), citations: [{ url: text, position: 1 }] }),
  },
  { name: "links in an answer", texts: textsOf(ANSWER), read: parseMarkdownLinks },
  {
    name: "names in an answer",
    texts: textsOf(ANSWER),
    read: (text) => {
      const gathering = createNameGatherer(catalog);
      const found = {
        id: "1",
        source: "ASSISTANT_A" as const,
        collectedAt: "2026-01-01T00:00:00.000Z",
        isSearchPage: false,
        urls: [],
      };
      gathering.add([{ ...found, prompt: "best shop", text }]);
      return [...gathering.finish()];
    },
  },
  {
    name: "price in an answer",
    texts: textsOf(ANSWER),
    read: (text) => claimOf(text, { kind: "price", amount: 9, currency: "USD" }, "price"),
  },
  {
    name: "number in an answer",
    texts: textsOf(ANSWER),
    read: (text) => claimOf(text, { kind: "number", number: 9, unit: "h" }, "battery"),
  },
  {
    name: "date in an answer",
    texts: textsOf(ANSWER),
    read: (text) => claimOf(text, { kind: "date", date: "2012-05" }, "founded"),
  },
  {
    name: "feature in an answer",
    texts: textsOf(ANSWER),
    read: (text) => claimOf(text, { kind: "feature", present: true }, "5G"),
  },
  {
    name: "availability in an answer",
    texts: textsOf(ANSWER),
    read: (text) => claimOf(text, { kind: "availability", country: "DE", available: true }, "availability"),
  },
  { name: "keyword", texts: textsOf(KEYWORD), read: (text) => findBrandsInPrompt(text, catalog) },
  {
    name: "prompt of an answer",
    texts: textsOf(KEYWORD),
    read: (text) =>
      readAnswer(getAnalysisKind("search_analysis"), answerOf("Target is here."), {
        catalog,
        context: { prompt: text, source: "ASSISTANT_A" },
      }),
  },
  {
    name: "line of an import",
    texts: textsOf(ANSWER),
    read: (text) => [
      parseAnswerLine(text),
      parseAnswerLine(JSON.stringify({ keyword: "a", source: "ASSISTANT_A", text, locale: text })),
    ],
  },
  { name: "pasted keywords", texts: textsOf(PASTED), read: (text) => readRows(text, guessColumns(text).separator) },
  {
    name: "reply of a model",
    texts: textsOf(REPLY),
    read: (text) => {
      const bodies = [text, completion(text), completion(`\`\`\`json${text}`), completion(`\`\`\`json${text}\`\`\``)];
      return bodies.map((body) => isReply(body));
    },
  },
  {
    name: "quotes in the reply of a model",
    texts: textsOf(limitLength(60_000)),
    read: (text) => {
      const mark = { score: 1, explanation: "a", quotes: [text.slice(0, 2000), text.slice(100, 2100)] };
      return verifyJudgement({ overall: mark, attributes: [] }, text, criteria);
    },
  },
  {
    name: "text of an asset",
    texts: textsOf(limitLength(100_000)),
    read: (text) =>
      rulesScorer.score(
        { type: "text", mediaType: "text/plain", text, bytes: undefined, sizeBytes: text.length },
        criteria,
        { signal: new AbortController().signal },
      ),
  },
  {
    name: "HTML of a document",
    texts: [...textsOf(DOCUMENT), ...tagsOf(DOCUMENT)],
    read: (text) => extractHtmlText(text, 1_000_000),
  },
  {
    name: "body of a page",
    texts: [...textsOf(PAGE), ...tagsOf(PAGE)],
    read: (text) =>
      [null, "text/html", `text/html; charset=${text}`].map((type) =>
        readHtml({ bytes: Buffer.from(text), isTruncated: false }, type),
      ),
  },
  { name: "audited page", texts: [...pagesOf(textsOf(limitLength(100_000))), ...tagsOf(PAGE)], read: checkHtml },
  {
    name: "robots.txt",
    texts: textsOf(ROBOTS).flatMap((text) => [text, `user-agent: *\ndisallow: /${text}`]),
    read: (text) => evaluateRobots({ text, agent: "Crawler", url: `https://shop.test/${"a/".repeat(500)}` }),
  },
  {
    name: "sitemap",
    texts: [...textsOf(SITEMAP), ...tagsOf(SITEMAP)].flatMap((text) => [text, `<urlset><url><loc>${text}`]),
    read: (text) =>
      listPages({ file: { bytes: Buffer.from(text), isTruncated: false, contentType: null }, wantedPages: [] }),
  },
  {
    name: "llms.txt",
    texts: textsOf(LLMS_TXT),
    read: (llmsTxt) => checkSite(LLMS_TXT_CHECKS, { ...site, llmsTxt }),
  },
];

function isReply(body: string): boolean {
  try {
    return [parseReply(ModelAnswer, body), parseReply(JudgedOpinions, body)].length === 2;
  } catch {
    return false;
  }
}
