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

/** Counts answers that name one brand, none of the absent ones, and enough of the rivals. */
export interface BrandPresenceFilter {
  withBrand: number | undefined;
  absentBrands: readonly number[];
  rivals: { atLeast: number; brands: readonly number[] } | undefined;
}

/** `any`: all links of an answer as one item. */
export type LinkKind = "domain" | "page" | "any" | "query";

/** Per prompt, x answers have the site, page or query, of n with any. */
export interface LinkCount {
  name: string;
  domain: string;
  siteType: CompetitorType;
  brand: number;
  answers: number;
  times: number;
  /** Over all occurrences, among the counted links of their answer; the first is 1. */
  positionSum: number;
  /** Occurrences among the links that are not counted: retrieved if `isCited`. */
  otherTimes: number;
  promptCount: number;
  fullPromptCount: number;
  xx: number;
  xn: number;
}

/** `total` is the number of answers with any item of the counted kind. */
export interface LinkCounts {
  counts: LinkCount[];
  /** All answers of the selection, by index of the sources. */
  answersBySource: number[];
  total: number;
  promptCount: number;
  nn: number;
}

const PROMPTS_PER_STEP = 500;

export interface LinkFilter {
  linkKind: LinkKind;
  isCited: boolean;
  brandFilter: BrandPresenceFilter;
  /** Other items are not counted, but their answers are part of `total`. */
  isCounted: (item: LinkItem) => boolean;
}

/** Takes one pass over packed links, and yields so that others can run. */
export function* countLinks(
  sources: readonly SourceLinks[],
  options: LinkFilter & { prompts: readonly PromptPositions[] },
): Generator<undefined, LinkCounts> {
  const answersBySource = sources.map(() => 0);
  const result: LinkCounts = { counts: [], answersBySource, total: 0, promptCount: 0, nn: 0 };
  const known = new Map<string, RunningCount>();
  for (const [at, prompt] of options.prompts.entries()) {
    addPrompt(result, known, sources, { ...options, prompt });
    if (at % PROMPTS_PER_STEP === PROMPTS_PER_STEP - 1) yield;
  }
  result.counts = [...known.values()].filter(({ count }) => count.times > 0).map((one) => finishCount(one));
  return result;
}

interface RunningCount {
  count: LinkCount;
  /** Answers of the current prompt with the item. */
  x: number;
  /** Occurrences by page type; a site gets the type of most of its pages. */
  types: Map<number, number>;
}

interface QuestionFilter extends LinkFilter {
  question: number;
}

function addPrompt(
  result: LinkCounts,
  counts: Map<string, RunningCount>,
  sources: readonly SourceLinks[],
  { prompt, ...of }: Omit<QuestionFilter, "question"> & { prompt: PromptPositions },
): void {
  const touched = new Set<RunningCount>();
  let total = 0;
  for (const [at, source] of sources.entries()) {
    for (const question of prompt) {
      const runs = listCountedRuns(source.facts, { ...of, question });
      const answers = runs === null ? (source.facts.answers[question] ?? 0) : runs.size;
      result.answersBySource[at] = (result.answersBySource[at] ?? 0) + answers;
      for (const { items, others, hasAny } of iterateAnswerLinks(source, { ...of, question }, runs)) {
        if (hasAny) total += 1;
        addAnswer(counts, touched, items);
        for (const item of others) findOrAddCount(counts, item).count.otherTimes += 1;
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
function addAnswer(counts: Map<string, RunningCount>, touched: Set<RunningCount>, items: readonly PlacedItem[]): void {
  const seen = new Set<RunningCount>();
  for (const { position, ...item } of items) {
    const running = findOrAddCount(counts, item);
    running.count.times += 1;
    running.count.positionSum += position;
    running.types.set(item.type, (running.types.get(item.type) ?? 0) + 1);
    if (seen.has(running)) continue;
    seen.add(running);
    running.x += 1;
    touched.add(running);
  }
}

export interface LinkItem {
  name: string;
  domain: string;
  /** Empty without addresses. */
  url: string;
  type: number;
  brand: number;
}

interface PlacedItem extends LinkItem {
  position: number;
}

export interface AnswerLinks {
  run: number;
  /** Counted links; `hasAny` is true also if the filter drops all of them. */
  items: PlacedItem[];
  hasAny: boolean;
  /** Links of the answer that are retrieved if cited ones are counted, and the reverse. */
  others: LinkItem[];
}

/** Skips answers without links. */
export function* iterateAnswerLinks(
  source: SourceLinks,
  filter: QuestionFilter,
  runs: ReadonlySet<number> | null,
): Generator<AnswerLinks> {
  const { links } = source;
  const { linkKind, isCited, isCounted } = filter;
  const isQuery = linkKind === "query";
  const starts = isQuery ? links.queryStarts : links.rowStarts;
  const runOf = isQuery ? links.queryRuns : links.runIndexes;
  const end = starts[filter.question + 1] ?? 0;
  let answer: AnswerLinks | undefined;
  let position = 0;
  for (let at = starts[filter.question] ?? 0; at < end; at += 1) {
    const run = runOf[at] ?? 0;
    if (runs !== null && !runs.has(run)) continue;
    if (run !== answer?.run) {
      if (answer) yield answer;
      [answer, position] = [{ run, items: [], hasAny: false, others: [] }, 0];
    }
    const item = buildLinkItem(source, linkKind, at);
    const isOther = !isQuery && (links.citedFlags[at] === 1) !== isCited;
    if (!isOther) {
      answer.hasAny = true;
      position += 1;
    }
    if (!isCounted(item)) continue;
    if (isOther) answer.others.push(item);
    else answer.items.push({ ...item, position });
  }
  if (answer) yield answer;
}

function buildLinkItem({ links, addresses }: SourceLinks, counted: LinkKind, at: number): LinkItem {
  if (counted === "query")
    return { name: links.queries[links.queryIndexes[at] ?? 0] ?? "", domain: "", url: "", type: 0, brand: 0 };
  const page = links.pages[at] ?? 0;
  const domain = links.domains[links.pageDomains[page] ?? 0] ?? "";
  const url = addresses[page] ?? "";
  const name = counted === "domain" ? domain : counted === "page" ? url : "";
  return { name, domain, url, type: links.pageTypes[page] ?? 0, brand: links.pageBrands[page] ?? 0 };
}

/** Null if all runs pass. */
export function listCountedRuns(facts: CollectFacts, { question, brandFilter }: QuestionFilter): Set<number> | null {
  const { withBrand, absentBrands, rivals } = brandFilter;
  if (withBrand === undefined && absentBrands.length === 0 && !rivals) return null;
  const namedByRun = Array.from({ length: facts.answers[question] ?? 0 }, () => new Set<number>());
  const end = facts.rowStarts[question + 1] ?? 0;
  for (let at = facts.rowStarts[question] ?? 0; at < end; at += 1)
    namedByRun[facts.runIndexes[at] ?? 0]?.add(facts.brands[at] ?? 0);
  const isPassing = (named: ReadonlySet<number>) =>
    (withBrand === undefined || named.has(withBrand)) &&
    !absentBrands.some((brand) => named.has(brand)) &&
    (!rivals || rivals.brands.filter((brand) => named.has(brand)).length >= rivals.atLeast);
  return new Set(namedByRun.flatMap((named, run) => (isPassing(named) ? [run] : [])));
}

function findOrAddCount(known: Map<string, RunningCount>, { name, domain, brand }: LinkItem): RunningCount {
  let running = known.get(name);
  if (!running) {
    const moments = { promptCount: 0, fullPromptCount: 0, xx: 0, xn: 0 };
    const counts = { answers: 0, times: 0, positionSum: 0, otherTimes: 0, ...moments };
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
