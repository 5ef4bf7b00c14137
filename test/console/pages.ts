import { ROUTES } from "../../src/http/web/route-table.ts";
import {
  expectedAnswers,
  readShownAnswers,
  expectedCitedWith,
  expectedGaps,
  expectedPrompts,
  sortPrompts,
  expectedSearches,
  expectedSources,
} from "./list-expectations.ts";
import {
  expectedAttributes,
  sortAttributes,
  expectedAwareness,
  sortBrandsOf,
  expectedComparisons,
  expectedPoints,
  expectedPointRows,
  expectedSentiment,
  expectedStances,
  sortTable,
} from "./perception-expectations.ts";
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
  formatBarePercent,
  formatDecimals,
  formatPercent,
  formatPoints,
  formatWhole,
  formatFields,
  type RestReader,
  type Endpoint,
  type Fields,
  type Row,
} from "./rest-reader.ts";
import {
  expectedBySource,
  readCells,
  expectedTrend,
  expectedOwnMetrics,
  expectedSlopes,
  expectedSites,
} from "./visibility-expectations.ts";

// Pages of a workspace, used by each proof over all pages.

/** A part of a page: its section, and the same by REST. */
interface Part {
  /** Id of its heading. */
  section: string;
  shown?: (section: string) => string[][];
  expected: (asked: RestReader, section: string) => Promise<string[][]>;
}

/** Sorts rows as an address does if REST cannot. `own` is the id of the own brand. */
type SortRows = (rows: readonly Row[], query: URLSearchParams, own: string) => readonly Row[];

export interface ConsolePage {
  /** Its address, where it is not that of its name. */
  address?: (of: { organizationId: string; workspaceId: string }) => string;
  /** False if only other pages link to it. */
  isInBar?: boolean;
  /**
   * All that has figures on it; left out of a page that is not of an analysis that asks sources.
   */
  parts?: readonly Part[];
  /** Files of the page by the end of their address, with the REST request for their rows. */
  downloads?: Readonly<Record<string, readonly [Endpoint, Record<string, string>, SortRows?]>>;
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
      ((await rest(endpoint, more, choices)).data as Row[]).map((row) => formatFields(row, fields)),
  };
}

const BRAND_FIELDS: Fields = {
  presence_rate: formatPercent,
  ci_low: formatBarePercent,
  ci_high: formatPercent,
  "change.delta": formatPoints,
  average_rank: formatDecimals(2),
  top_3_rate: formatPercent,
  visibility_score: formatDecimals(1),
  share_of_voice: formatPercent,
  citations: formatWhole,
  occurrences: formatWhole,
  answers: formatWhole,
};

/** The pages of the navigation bar, in order, each with its figures. */
const BAR_PAGES: Readonly<Record<string, ConsolePage>> = {
  visibility: {
    parts: [
      listed("brands", VISIBILITY, { statistics: "true", limit: "50" }, BRAND_FIELDS),
      { section: "own", expected: expectedOwnMetrics },
      { section: "presence", expected: expectedTrend },
      { section: "by-source", shown: readCells, expected: expectedBySource },
      { section: "slopes", expected: expectedSlopes },
      { section: "sites", expected: expectedSites },
    ],
    downloads: { "brands.csv": [VISIBILITY, { statistics: "true", limit: "100" }] },
  },
  prompts: {
    parts: [{ section: "listed", expected: expectedPrompts }],
    downloads: { "prompts.csv": [PROMPTS, {}, sortPrompts] },
  },
  answers: {
    parts: [{ section: "listed", shown: readShownAnswers, expected: expectedAnswers }],
    downloads: { "answers.csv": [ANSWERS, { limit: "100" }] },
  },
  sources: {
    parts: [
      { section: "sites", expected: expectedSources },
      { section: "cited-with", shown: readCells, expected: expectedCitedWith },
      { section: "gaps", expected: expectedGaps },
      { section: "searches", expected: expectedSearches },
    ],
    downloads: {
      "sites.csv": [CITATIONS, { statistics: "true", limit: "100" }],
      "pages.csv": [CITATIONS, { statistics: "true", limit: "100" }],
      "searches.csv": [QUERIES, { statistics: "true", limit: "100" }],
    },
  },
  perception: {
    parts: [
      { section: "stances", expected: expectedStances },
      { section: "sentiment", expected: expectedSentiment },
      { section: "points", expected: expectedPoints },
      { section: "comparisons", expected: expectedComparisons },
      { section: "attributes", expected: expectedAttributes },
      { section: "awareness", expected: expectedAwareness },
    ],
    downloads: {
      "stances.csv": [PERCEPTION, {}, sortBrandsOf("stances")],
      "sentiment.csv": [PERCEPTION, {}, sortBrandsOf("sentiment")],
      "pros-and-cons.csv": [PERCEPTION, {}, expectedPointRows],
      "comparisons.csv": [COMPARISONS, {}, (rows, query) => sortTable("comparisons", rows, query)],
      "attributes.csv": [ATTRIBUTES, {}, sortAttributes],
      "awareness.csv": [AWARENESS, {}, sortBrandsOf("awareness")],
    },
  },
  audits: {},
  actions: { address: ({ workspaceId }) => `/actions?workspace=${workspaceId}` },
  brands: {},
  analyses: {},
  settings: { address: ({ workspaceId }) => `/settings?workspace=${workspaceId}` },
};

const WORKSPACE_PAGE = /^\/([\w-]+)\/:organization_id\/:workspace_id$/;
const otherPages = ROUTES.flatMap(({ method, path }) => {
  const name = method === "get" && WORKSPACE_PAGE.exec(path)?.[1];
  return name && !Object.hasOwn(BAR_PAGES, name) ? [[name, { isInBar: false }] as const] : [];
});

export const CONSOLE_PAGES: Readonly<Record<string, ConsolePage>> = {
  ...BAR_PAGES,
  ...Object.fromEntries(otherPages),
};

export function addressOf(name: string, of: { organizationId: string; workspaceId: string }): string {
  return CONSOLE_PAGES[name]?.address?.(of) ?? `/${name}/${of.organizationId}/${of.workspaceId}`;
}
