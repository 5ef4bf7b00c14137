import {
  answersListed,
  answersShown,
  citedWith,
  gaps,
  promptRows,
  promptsInOrder,
  searchesBeside,
  sourceRows,
} from "./list-parts.ts";
import {
  attributes,
  attributesInOrder,
  awareness,
  brandsIn,
  comparisons,
  pointCounts,
  pointsInFile,
  sentiment,
  stances,
  tableInOrder,
} from "./perception-parts.ts";
import {
  ANSWERS,
  ATTRIBUTES,
  AWARENESS,
  CITATIONS,
  COMPARISONS,
  PERCEPTION,
  PROMPTS,
  QUERIES,
  VISIBILITY,
} from "./rest-endpoints.ts";
import {
  bare,
  decimals,
  percent,
  points,
  whole,
  written,
  type Asked,
  type Endpoint,
  type Fields,
  type Row,
} from "./rest-figures.ts";
import { bySource, cellsShown, overCollects, ownFigures, slopes, visibilitySites } from "./visibility-parts.ts";

// Pages of a workspace, used by each proof over all pages: a new page is a line here.

/** A part of a page: its section, and the same by REST. */
interface Part {
  /** Id of its heading. */
  section: string;
  shown?: (section: string) => string[][];
  expected: (asked: Asked, section: string) => Promise<string[][]>;
}

/** Sorts rows as an address does if REST cannot. `own` is the id of the own brand. */
type InOrder = (rows: readonly Row[], query: URLSearchParams, own: string) => readonly Row[];

export interface ConsolePage {
  /** Its address, where it is not that of its name. */
  address?: (of: { organizationId: string; workspaceId: string }) => string;
  /** False where other pages lead to it. */
  isInBar?: boolean;
  /**
   * All that has figures on it; left out of a page that is not of an analysis that asks sources.
   */
  parts?: readonly Part[];
  /** Files of the page by the end of their address, with the REST request for their rows. */
  downloads?: Readonly<Record<string, readonly [Endpoint, Record<string, string>, InOrder?]>>;
}

/** A table with the rows of REST, in order. */
function listed(
  section: string,
  endpoint: Endpoint,
  more: Record<string, string>,
  fields: Fields,
  choices?: readonly string[],
): Part {
  return {
    section,
    expected: async ({ rest }) =>
      ((await rest(endpoint, more, choices)).data as Row[]).map((row) => written(row, fields)),
  };
}

const BRAND_FIELDS: Fields = {
  presence_rate: percent,
  ci_low: bare,
  ci_high: percent,
  "change.delta": points,
  average_rank: decimals(2),
  top_3_rate: percent,
  visibility_score: decimals(1),
  share_of_voice: percent,
  citations: whole,
  occurrences: whole,
  answers: whole,
};

export const CONSOLE_PAGES: Readonly<Record<string, ConsolePage>> = {
  visibility: {
    parts: [
      listed("brands", VISIBILITY, { statistics: "true", limit: "50" }, BRAND_FIELDS),
      { section: "own", expected: ownFigures },
      { section: "presence", expected: overCollects },
      { section: "by-source", shown: cellsShown, expected: bySource },
      { section: "slopes", expected: slopes },
      { section: "sites", expected: visibilitySites },
    ],
    downloads: { "brands.csv": [VISIBILITY, { statistics: "true", limit: "100" }] },
  },
  prompts: {
    parts: [{ section: "listed", expected: promptRows }],
    downloads: { "prompts.csv": [PROMPTS, {}, promptsInOrder] },
  },
  answers: {
    parts: [{ section: "listed", shown: answersShown, expected: answersListed }],
    downloads: { "answers.csv": [ANSWERS, { limit: "100" }] },
  },
  sources: {
    parts: [
      { section: "sites", expected: sourceRows },
      { section: "cited-with", shown: cellsShown, expected: citedWith },
      { section: "gaps", expected: gaps },
      { section: "searches", expected: searchesBeside },
    ],
    downloads: {
      "sites.csv": [CITATIONS, { statistics: "true", limit: "100" }],
      "pages.csv": [CITATIONS, { statistics: "true", limit: "100" }],
      "searches.csv": [QUERIES, { statistics: "true", limit: "100" }],
    },
  },
  perception: {
    parts: [
      { section: "stances", expected: stances },
      { section: "sentiment", expected: sentiment },
      { section: "points", expected: pointCounts },
      { section: "comparisons", expected: comparisons },
      { section: "attributes", expected: attributes },
      { section: "awareness", expected: awareness },
    ],
    downloads: {
      "stances.csv": [PERCEPTION, {}, brandsIn("stances")],
      "sentiment.csv": [PERCEPTION, {}, brandsIn("sentiment")],
      "pros-and-cons.csv": [PERCEPTION, {}, pointsInFile],
      "comparisons.csv": [COMPARISONS, {}, (rows, query) => tableInOrder("comparisons", rows, query)],
      "attributes.csv": [ATTRIBUTES, {}, attributesInOrder],
      "awareness.csv": [AWARENESS, {}, brandsIn("awareness")],
    },
  },
  audits: {},
  actions: { address: ({ workspaceId }) => `/actions?workspace=${workspaceId}` },
  brands: {},
  exports: { isInBar: false },
  analyses: {},
  settings: { address: ({ workspaceId }) => `/settings?workspace=${workspaceId}` },
};

export function addressOf(name: string, of: { organizationId: string; workspaceId: string }): string {
  return CONSOLE_PAGES[name]?.address?.(of) ?? `/${name}/${of.organizationId}/${of.workspaceId}`;
}
