import { buildSectionAddress, type Section } from "../../src/http/pages/section.ts";
import { WEB_ROUTES } from "../../src/http/web/route-table.ts";
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

/** Pages with figures, by the first segment of their path. */
const FIGURES: Readonly<Record<string, ConsolePage>> = {
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
};

const WORKSPACE_PAGE = /^\/([\w-]+)\/:organization_id\/:workspace_id$/;
const PAGE_ROUTES = new Map<string, { path: string; section?: Section }>();
for (const route of WEB_ROUTES.filter(({ section }) => section)) PAGE_ROUTES.set(route.path.split("/")[1] ?? "", route);
for (const route of WEB_ROUTES.filter(({ method }) => method === "get")) {
  const name = WORKSPACE_PAGE.exec(route.path)?.[1];
  if (name !== undefined && !PAGE_ROUTES.has(name)) PAGE_ROUTES.set(name, route);
}

/** All pages of a workspace that the route table has, those of the navigation bar first. */
export const CONSOLE_PAGES: Readonly<Record<string, ConsolePage>> = Object.fromEntries(
  Array.from(PAGE_ROUTES, ([name, { section }]) => [name, { isInBar: section !== undefined, ...FIGURES[name] }]),
);

export function addressOf(name: string, of: { organizationId: string; workspaceId: string }): string {
  const route = PAGE_ROUTES.get(name);
  if (!route) throw new Error(`The route table has no page "${name}".`);
  const workspace = { organization_id: of.organizationId, id: of.workspaceId };
  return buildSectionAddress(route, workspace) ?? "";
}
