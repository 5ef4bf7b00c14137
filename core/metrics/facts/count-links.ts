import { COMPETITOR_TYPES, type CompetitorType } from "../../sources/sources.ts";
import type { CollectFacts } from "./collect-facts.ts";
import type { CollectLinks } from "./collect-links.ts";
import type { PromptPositions } from "../prompt-clusters.ts";

export interface SourceLinks {
  facts: CollectFacts;
  links: CollectLinks;
  /** Only counts by page use addresses. */
  addresses: readonly string[];
}

/** Counts answers that name one brand and not the other. */
export interface BrandPresenceFilter {
  withBrand: number | undefined;
  absentBrand: number | undefined;
}

export type LinkKind = "domain" | "page" | "query";

/** Per prompt, x answers have the site, page or query, of n with any. */
export interface LinkCount {
  name: string;
  domain: string;
  siteType: CompetitorType;
  brand: number;
  answers: number;
  times: number;
  promptCount: number;
  fullPromptCount: number;
  xx: number;
  xn: number;
}

/** `total` is the number of answers with any item of the counted kind. */
export interface LinkCounts {
  counts: LinkCount[];
  answers: number;
  total: number;
  promptCount: number;
  nn: number;
}

const PROMPTS_PER_STEP = 500;

/** Takes one pass over packed links, and yields so that others can run. */
export function* countLinks(
  sources: readonly SourceLinks[],
  options: {
    prompts: readonly PromptPositions[];
    linkKind: LinkKind;
    isCited: boolean;
    brandFilter: BrandPresenceFilter;
  },
): Generator<undefined, LinkCounts> {
  const result: LinkCounts = { counts: [], answers: 0, total: 0, promptCount: 0, nn: 0 };
  const known = new Map<string, RunningCount>();
  for (const [at, prompt] of options.prompts.entries()) {
    addPrompt(result, known, sources, { ...options, prompt });
    if (at % PROMPTS_PER_STEP === PROMPTS_PER_STEP - 1) yield;
  }
  result.counts = [...known.values()].map((one) => finishCount(one));
  return result;
}

interface RunningCount {
  count: LinkCount;
  /** Answers of the current prompt with the item. */
  x: number;
  /** Occurrences by page type; a site gets the type of most of its pages. */
  types: Map<number, number>;
}

interface QuestionFilter {
  question: number;
  linkKind: LinkKind;
  isCited: boolean;
  brandFilter: BrandPresenceFilter;
}

function addPrompt(
  result: LinkCounts,
  counts: Map<string, RunningCount>,
  sources: readonly SourceLinks[],
  { prompt, ...of }: Omit<QuestionFilter, "question"> & { prompt: PromptPositions },
): void {
  const touched = new Set<RunningCount>();
  let total = 0;
  for (const source of sources) {
    for (const question of prompt) {
      const runs = listCountedRuns(source.facts, { ...of, question });
      result.answers += runs === null ? (source.facts.answers[question] ?? 0) : runs.size;
      for (const items of iterateAnswerItems(source, { ...of, question }, runs)) {
        total += 1;
        addAnswer(counts, touched, items);
      }
    }
  }
  if (total === 0) return;
  result.total += total;
  result.promptCount += 1;
  result.nn += total * total;
  for (const running of touched) {
    const { count, x } = running;
    count.answers += x;
    count.promptCount += 1;
    if (x === total) count.fullPromptCount += 1;
    count.xx += x * x;
    count.xn += x * total;
    running.x = 0;
  }
}

/** `times` counts each occurrence, `x` each item of an answer once. */
function addAnswer(counts: Map<string, RunningCount>, touched: Set<RunningCount>, items: readonly LinkItem[]): void {
  const seen = new Set<RunningCount>();
  for (const item of items) {
    const running = findOrAddCount(counts, item);
    running.count.times += 1;
    running.types.set(item.type, (running.types.get(item.type) ?? 0) + 1);
    if (seen.has(running)) continue;
    seen.add(running);
    running.x += 1;
    touched.add(running);
  }
}

interface LinkItem {
  name: string;
  domain: string;
  type: number;
  brand: number;
}

/** Skips answers without items. */
function* iterateAnswerItems(
  source: SourceLinks,
  filter: QuestionFilter,
  runs: ReadonlySet<number> | null,
): Generator<LinkItem[]> {
  const { links } = source;
  const isQuery = filter.linkKind === "query";
  const starts = isQuery ? links.queryStarts : links.rowStarts;
  const runOf = isQuery ? links.queryRuns : links.runIndexes;
  const end = starts[filter.question + 1] ?? 0;
  let items: LinkItem[] = [];
  let current = -1;
  for (let at = starts[filter.question] ?? 0; at < end; at += 1) {
    const run = runOf[at] ?? 0;
    if (run !== current) {
      if (items.length > 0) yield items;
      [items, current] = [[], run];
    }
    if (runs !== null && !runs.has(run)) continue;
    if (!isQuery && (links.citedFlags[at] === 1) !== filter.isCited) continue;
    items.push(buildLinkItem(source, filter.linkKind, at));
  }
  if (items.length > 0) yield items;
}

function buildLinkItem({ links, addresses }: SourceLinks, counted: LinkKind, at: number): LinkItem {
  if (counted === "query")
    return { name: links.queries[links.queryIndexes[at] ?? 0] ?? "", domain: "", type: 0, brand: 0 };
  const page = links.pages[at] ?? 0;
  const domain = links.domains[links.pageDomains[page] ?? 0] ?? "";
  const name = counted === "domain" ? domain : (addresses[page] ?? "");
  return { name, domain, type: links.pageTypes[page] ?? 0, brand: links.pageBrands[page] ?? 0 };
}

/** Null if all runs pass. */
function listCountedRuns(facts: CollectFacts, { question, brandFilter }: QuestionFilter): Set<number> | null {
  const { withBrand, absentBrand } = brandFilter;
  if (withBrand === undefined && absentBrand === undefined) return null;
  const [having, lacking] = [new Set<number>(), new Set<number>()];
  const end = facts.rowStarts[question + 1] ?? 0;
  for (let at = facts.rowStarts[question] ?? 0; at < end; at += 1) {
    if (facts.brands[at] === withBrand) having.add(facts.runIndexes[at] ?? 0);
    if (facts.brands[at] === absentBrand) lacking.add(facts.runIndexes[at] ?? 0);
  }
  const all = Array.from({ length: facts.answers[question] ?? 0 }, (_, run) => run);
  return new Set(all.filter((run) => (withBrand === undefined || having.has(run)) && !lacking.has(run)));
}

function findOrAddCount(known: Map<string, RunningCount>, { name, domain, brand }: LinkItem): RunningCount {
  let running = known.get(name);
  if (!running) {
    const counts = { answers: 0, times: 0, promptCount: 0, fullPromptCount: 0, xx: 0, xn: 0 };
    const count: LinkCount = { name, domain, siteType: "UNKNOWN", brand, ...counts };
    known.set(name, (running = { count, x: 0, types: new Map() }));
  }
  return running;
}

/** Ties between types go to the first in specification order. */
function finishCount({ count, types }: RunningCount): LinkCount {
  const [most] = [...types].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]);
  return { ...count, siteType: COMPETITOR_TYPES[most?.[0] ?? -1] ?? "UNKNOWN" };
}
