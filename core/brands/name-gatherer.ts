import type { CompiledCatalog } from "../reading/catalog.ts";
import { findMentions } from "../reading/find-mentions.ts";
import { findCandidateNames, type NameSignal, type TextNames } from "./find-names.ts";
import { isKnownSite, toSiteName } from "./known-sites.ts";
import { isPlainWord } from "./plain-words.ts";
import type { Source } from "../sources/sources.ts";
import { parseEachWithinTime } from "../shared/run-within-time.ts";
import { foldText } from "../reading/aliases/text-folding.ts";

export interface NamingAnswer {
  id: string;
  source: Source;
  prompt: string;
  collectedAt: string;
  text: string;
  isSearchPage: boolean;
  urls: readonly string[];
}

export interface NameSighting {
  text: string;
  folded: string;
  answers: number;
  /** Number of answers in which the name is not the start of a longer name. */
  alone: number;
  /** Longer names that start with the name, folded; max three. */
  leads: string[];
  signals: NameSignal[];
  sources: Source[];
  examples: string[];
  firstSeenAt: string;
  lastSeenAt: string;
}

export interface NameGatherer {
  /** Parses these answers under a common time limit. Returns those that exceed it; they are skipped. */
  add(answers: readonly NamingAnswer[]): NamingAnswer[];
  /** Names outside the catalog, sorted by folded text. Yields so that others can run. */
  finish(): Generator<undefined, NameSighting[]>;
}

const MAX_EXAMPLES = 3;
const MAX_LEADS = 3;

const NAMES_PER_STEP = 20;

interface RawName {
  nameWords: string[];
  /** Indexes of the answers with the name, ascending. */
  answerIndexes: number[];
  signals: Set<NameSignal>;
}

/** Folds a name: case, accents and word joiners do not distinguish names. */
export function foldBrandName(text: string): string {
  return foldText(text).lower.replaceAll(/[\s-]+/g, " ");
}

export function createNameGatherer(catalog: CompiledCatalog): NameGatherer {
  const answers: Pick<NamingAnswer, "id" | "source" | "collectedAt">[] = [];
  const domains: Set<string>[] = [];
  const rawNames = new Map<string, RawName>();
  const vocabulary = createVocabulary();
  const cache = new Map<string, boolean>();
  const isKnown = (text: string): boolean => {
    let answer = cache.get(text);
    if (answer === undefined) cache.set(text, (answer = findMentions(text, catalog).length > 0));
    return answer;
  };
  const read = ({ text, prompt, isSearchPage }: NamingAnswer) => {
    const found = findCandidateNames(text, { prompt, isSearchPage });
    const ranked = found.foundNames.filter(({ nameWords }) => isKnown(nameWords.join(" ")));
    return { found, ranked: new Set(ranked.map(({ group }) => group ?? "none")) };
  };
  function store({ id, source, collectedAt, urls }: NamingAnswer, { found, ranked }: ReturnType<typeof read>): void {
    const number = answers.push({ id, source, collectedAt }) - 1;
    domains.push(new Set(urls.map(toSiteName)));
    vocabulary.add(found);
    for (const { nameWords, signal, group } of found.foundNames) {
      const key = nameWords.join(" ");
      const raw = rawNames.get(key) ?? { nameWords, answerIndexes: [], signals: new Set() };
      rawNames.set(key, raw);
      if (raw.answerIndexes.at(-1) !== number) raw.answerIndexes.push(number);
      if (signal !== undefined) raw.signals.add(signal);
      if (group !== undefined && ranked.has(group)) raw.signals.add("ranked_beside_known_brands");
    }
  }
  return {
    add(group) {
      const names = parseEachWithinTime(group, { countCharacters: ({ text }) => text.length, read, fallback: null });
      return group.filter((answer, at) => {
        const found = names[at];
        if (found) store(answer, found);
        return !found;
      });
    },
    *finish() {
      const named = new Map<string, GatheredName>();
      for (const [step, raw] of [...rawNames.values()].entries()) {
        addName(raw, named, { isPlain: vocabulary.isPlain, isKnown });
        if (step % NAMES_PER_STEP === 0) yield;
      }
      const sightings: NameSighting[] = [];
      for (const [step, name] of [...named.values()].entries()) {
        sightings.push(toSighting(name, answers, domains));
        if (step % NAMES_PER_STEP === 0) yield;
      }
      return sightings.toSorted((a, b) => (a.folded < b.folded ? -1 : 1));
    },
  };
}

/** Per word of a collect: number of answers with it in lower case, and capitalised. */
function createVocabulary() {
  const small = new Map<string, number>();
  const large = new Map<string, number>();
  return {
    add({ lowerCaseWords, foundNames }: TextNames) {
      const words = new Set(foundNames.flatMap((name) => name.nameWords.map((word) => word.toLowerCase())));
      for (const word of lowerCaseWords) small.set(word, (small.get(word) ?? 0) + 1);
      for (const word of words) large.set(word, (large.get(word) ?? 0) + 1);
    },
    /** A word in lower case in at least a quarter of its answers is no name. */
    isPlain: (word: string): boolean => {
      const lower = word.toLowerCase();
      const parts = lower.split("-");
      const isSmall = (small.get(lower) ?? 0) * 3 >= (large.get(lower) ?? 1);
      return isSmall || (parts.length > 1 && parts.every((part) => isPlainWord(part) || small.has(part)));
    },
  };
}

interface GatheredName {
  folded: string;
  countByText: Map<string, number>;
  answers: Set<number>;
  aloneAnswers: Set<number>;
  longerNames: Set<string>;
  signals: Set<NameSignal>;
}

/** Also adds the first word of a longer name, which may be the brand. */
function addName(
  { nameWords, answerIndexes, signals }: RawName,
  names: Map<string, GatheredName>,
  { isPlain, isKnown }: { isPlain: (word: string) => boolean; isKnown: (text: string) => boolean },
): void {
  const kept = [...nameWords];
  while (kept.length > 0 && isPlain(kept.at(-1)?.replace(/^& /, "") ?? "")) kept.pop();
  const [first = "", second = ""] = kept;
  const text = kept.join(" ");
  if (kept.length === 0 || isKnown(text) || isKnownSite(text)) return;
  const name = findOrAddName(text, names);
  const leads = kept.length > 1 && !second.startsWith("&") && !isPlain(first) && !isKnownSite(first);
  const lead = leads ? findOrAddName(first, names) : undefined;
  lead?.longerNames.add(name.folded);
  for (const number of answerIndexes) name.aloneAnswers.add(number);
  for (const [gathered, written] of lead
    ? ([
        [name, text],
        [lead, first],
      ] as const)
    : ([[name, text]] as const)) {
    gathered.countByText.set(written, (gathered.countByText.get(written) ?? 0) + answerIndexes.length);
    for (const number of answerIndexes) gathered.answers.add(number);
    for (const signal of signals) gathered.signals.add(signal);
  }
}

function findOrAddName(text: string, names: Map<string, GatheredName>): GatheredName {
  const folded = foldBrandName(text);
  let name = names.get(folded);
  if (!name) {
    name = {
      folded,
      countByText: new Map(),
      answers: new Set(),
      aloneAnswers: new Set(),
      longerNames: new Set(),
      signals: new Set(),
    };
    names.set(folded, name);
  }
  return name;
}

function toSighting(
  { folded, countByText, answers, aloneAnswers, longerNames, signals }: GatheredName,
  all: readonly Pick<NamingAnswer, "id" | "source" | "collectedAt">[],
  domains: readonly Set<string>[],
): NameSighting {
  const numbers = [...answers].toSorted((a, b) => a - b);
  const squeezed = folded.replaceAll(/[^\p{L}\p{N}]/gu, "");
  if (numbers.some((number) => domains[number]?.has(squeezed))) signals.add("cited_domain");
  const sources = new Set<Source>();
  let [firstSeenAt, lastSeenAt] = ["", ""];
  for (const number of numbers) {
    const { source, collectedAt } = all[number] ?? {};
    if (source === undefined || collectedAt === undefined) continue;
    sources.add(source);
    if (firstSeenAt === "" || collectedAt < firstSeenAt) firstSeenAt = collectedAt;
    if (collectedAt > lastSeenAt) lastSeenAt = collectedAt;
  }
  const [text = folded] = [...countByText].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))[0] ?? [];
  return {
    text,
    folded,
    answers: numbers.length,
    alone: aloneAnswers.size,
    leads: [...longerNames].toSorted().slice(0, MAX_LEADS),
    signals: [...signals],
    sources: [...sources].toSorted(),
    examples: numbers.slice(0, MAX_EXAMPLES).flatMap((number) => all[number]?.id ?? []),
    firstSeenAt,
    lastSeenAt,
  };
}
