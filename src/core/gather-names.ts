import type { CompiledCatalog } from "./catalog.ts";
import { hostOf, registrableDomain } from "./domains.ts";
import { findMentions } from "./find-mentions.ts";
import { namesIn, type NameSignal, type TextNames } from "./find-names.ts";
import { KNOWN_DOMAINS } from "./known-domains.ts";
import type { Source } from "./sources.ts";
import { foldText } from "./text-folding.ts";

/** An answer as far as the finding of names depends on it. */
export interface NamingAnswer {
  id: string;
  source: Source;
  prompt: string;
  collectedAt: string;
  text: string;
  page: boolean;
  urls: readonly string[];
}

/** A name in the answers of one collect. */
export interface NameSighting {
  /** As it is written most often. */
  text: string;
  folded: string;
  /** Answers in which it stands. */
  answers: number;
  /** Of those, where it stands by itself rather than as the first word of a longer name. */
  alone: number;
  /** Longer names that it is the first word of, folded; three at most. */
  leads: string[];
  signals: NameSignal[];
  sources: Source[];
  /** Ids of the first three answers. */
  examples: string[];
  firstSeenAt: string;
  lastSeenAt: string;
}

/** The names of a collect as its answers are read, one by one. */
export interface NameGathering {
  add(answer: NamingAnswer): void;
  /** Names that no brand of the catalog has, in the order of their folded texts. */
  finish(): NameSighting[];
}

const MOST_EXAMPLES = 3;
const MOST_LEADS = 3;

interface Raw {
  words: string[];
  /** By number of the answer how the name stands there. */
  answers: Map<number, Set<NameSignal>>;
}

/** Names are the same where case, accents and what joins their words are all that differs. */
export function foldedName(text: string): string {
  return foldText(text).lower.replaceAll(/[\s-]+/g, " ");
}

export function gatherNames(catalog: CompiledCatalog): NameGathering {
  const answers: Pick<NamingAnswer, "id" | "source" | "collectedAt">[] = [];
  const domains: Set<string>[] = [];
  const raws = new Map<string, Raw>();
  const vocabulary = openVocabulary();
  const known = new Map<string, boolean>();
  const isKnown = (text: string): boolean => {
    let answer = known.get(text);
    if (answer === undefined) known.set(text, (answer = findMentions(text, catalog).length > 0));
    return answer;
  };
  return {
    add({ id, source, collectedAt, text, prompt, page, urls }) {
      const number = answers.push({ id, source, collectedAt }) - 1;
      domains.push(new Set(urls.map(siteName)));
      const found = namesIn(text, { prompt, page });
      vocabulary.add(found);
      const ranked = new Set(
        found.names.filter(({ words }) => isKnown(words.join(" "))).map(({ group }) => group ?? "none"),
      );
      for (const { words, signal, group } of found.names) {
        const key = words.join(" ");
        const raw = raws.get(key) ?? { words, answers: new Map() };
        raws.set(key, raw);
        const signals = raw.answers.get(number) ?? new Set();
        raw.answers.set(number, signals);
        if (signal !== undefined) signals.add(signal);
        if (group !== undefined && ranked.has(group)) signals.add("ranked_beside_known_brands");
      }
    },
    finish() {
      const named = settle([...raws.values()], vocabulary.isPlain, isKnown);
      return [...named.values()]
        .map((name) => sightingOf(name, answers, domains))
        .toSorted((a, b) => (a.folded < b.folded ? -1 : 1));
    },
  };
}

/** Words of all answers of a collect: in how many each is written small, and in how many large. */
function openVocabulary() {
  const small = new Map<string, number>();
  const large = new Map<string, number>();
  return {
    add({ plain, names }: TextNames) {
      const words = new Set(names.flatMap((name) => name.words.map((word) => word.toLowerCase())));
      for (const word of plain) small.set(word, (small.get(word) ?? 0) + 1);
      for (const word of words) large.set(word, (large.get(word) ?? 0) + 1);
    },
    /** A word that is written small one time in four is a word; a name is not, whatever a careless answer does. */
    isPlain: (word: string): boolean => {
      const lower = word.toLowerCase();
      return (small.get(lower) ?? 0) * 3 >= (large.get(lower) ?? 1);
    },
  };
}

interface Named {
  folded: string;
  texts: Map<string, number>;
  answers: Map<number, Set<NameSignal>>;
  alone: Set<number>;
  leads: Set<string>;
}

/** Names without the plain words at their end, and the first words of longer ones, which may be the brand itself. */
function settle(
  raws: readonly Raw[],
  isPlain: (word: string) => boolean,
  isKnown: (text: string) => boolean,
): Map<string, Named> {
  const named = new Map<string, Named>();
  const at = (text: string, times: number): Named => {
    const folded = foldedName(text);
    const name = named.get(folded) ?? {
      folded,
      texts: new Map<string, number>(),
      answers: new Map<number, Set<NameSignal>>(),
      alone: new Set<number>(),
      leads: new Set<string>(),
    };
    named.set(folded, name);
    name.texts.set(text, (name.texts.get(text) ?? 0) + times);
    return name;
  };
  for (const { words, answers } of raws) {
    const kept = [...words];
    while (kept.length > 0 && isPlain(kept.at(-1)?.replace(/^& /, "") ?? "")) kept.pop();
    const [first = "", second = ""] = kept;
    const text = kept.join(" ");
    if (kept.length === 0 || isKnown(text) || isKnownSite(text)) continue;
    const name = at(text, answers.size);
    const leads = kept.length > 1 && !second.startsWith("&") && !isPlain(first) && !isKnownSite(first);
    const lead = leads ? at(first, answers.size) : undefined;
    lead?.leads.add(name.folded);
    for (const [number, signals] of answers) {
      name.alone.add(number);
      for (const one of lead ? [name, lead] : [name]) {
        one.answers.set(number, new Set([...(one.answers.get(number) ?? []), ...signals]));
      }
    }
  }
  return named;
}

function sightingOf(
  { folded, texts, answers, alone, leads }: Named,
  all: readonly Pick<NamingAnswer, "id" | "source" | "collectedAt">[],
  domains: readonly Set<string>[],
): NameSighting {
  const numbers = [...answers.keys()].toSorted((a, b) => a - b);
  const rows = numbers.flatMap((number) => all[number] ?? []);
  const times = rows.map(({ collectedAt }) => collectedAt).toSorted();
  const signals = new Set([...answers.values()].flatMap((of) => [...of]));
  const squeezed = folded.replaceAll(/[^\p{L}\p{N}]/gu, "");
  if (numbers.some((number) => domains[number]?.has(squeezed))) signals.add("cited_domain");
  const [text = folded] = [...texts].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))[0] ?? [];
  return {
    text,
    folded,
    answers: numbers.length,
    alone: alone.size,
    leads: [...leads].toSorted().slice(0, MOST_LEADS),
    signals: [...signals],
    sources: [...new Set(rows.map(({ source }) => source))].toSorted(),
    examples: rows.slice(0, MOST_EXAMPLES).map(({ id }) => id),
    firstSeenAt: times[0] ?? "",
    lastSeenAt: times.at(-1) ?? "",
  };
}

/** "acme" of "https://shop.acme.co.uk/": what a site is called. */
function siteName(url: string): string {
  return (registrableDomain(url).split(".")[0] ?? "").replaceAll("-", "");
}

/** Sites of reviews, news, shops and forums: answers name them as their sources, not as brands to choose from. */
const KNOWN_SITES = new Set([...KNOWN_DOMAINS.keys()].map((host) => siteName(`https://${hostOf(host)}/`)));

function isKnownSite(text: string): boolean {
  return KNOWN_SITES.has(foldedName(text).replaceAll(/[^\p{L}\p{N}]/gu, ""));
}
