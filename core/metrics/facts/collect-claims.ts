import { SAID_VERDICTS, type SaidVerdict } from "../../claims/said.ts";
import { parseJson } from "../../shared/json.ts";
import type { CollectionMethod, Source } from "../../sources/sources.ts";
import {
  countShown,
  noAnswers,
  openSources,
  packFacts,
  type CollectFacts,
  type FactRow,
  type KeywordAnswers,
} from "./collect-facts.ts";

// What answers say of the declared facts of a brand is packed as places of brands are, so that the same functions cut and compare it. Its
// answers are all that were shown. In the place of a brand's number stands `NAMED` for an answer that names the brand, and what is said of which
// fact, in that of a rank the page, and in that of the number of mentions the answer.

/** Stands once for each answer that names the brand. */
export const NAMED = 1;

/** A fact as answers were held against it. */
export interface HeldFact {
  id: string;
  revision: number;
}

export interface BrandWithFacts {
  number: number;
  facts: readonly HeldFact[];
}

export interface SaidOfFact {
  factId: string;
  verdict: SaidVerdict;
  url: string | null;
}

/** An answer. `question` is its position in the analysis. */
export interface ClaimingAnswer {
  key: number;
  question: number;
  source: Source;
  collectionMethod: CollectionMethod;
  model: string | null;
  isShown: boolean;
  /** The brands with facts that it names, by number, and what it says of their facts. */
  named: ReadonlyMap<number, readonly SaidOfFact[]>;
}

export interface PackedClaims {
  source: Source;
  method: CollectionMethod;
  brandNumber: number;
  held: string;
  pages: string;
  /** The least key of the answers that name the brand. */
  firstKey: number;
  facts: Buffer;
}

/** The same, opened. */
export interface OpenedClaims {
  firstKey: number;
  held: readonly HeldFact[];
  pages: readonly string[];
  facts: CollectFacts;
}

interface BrandClaims {
  answers: KeywordAnswers[];
  rows: FactRow[];
  pages: Map<string, number>;
}

export interface ClaimsGathering {
  /** Questions in their order, answers to one in the order of the runs. */
  add(answer: ClaimingAnswer): void;
  pack(): PackedClaims[];
}

/** Starts gathering the answers to `questions` questions. Each source has something for each brand, also where it names it nowhere. */
export function gatherClaims(questions: number, brands: readonly BrandWithFacts[]): ClaimsGathering {
  const sources = openSources((of) => {
    return { ...of, brands: new Map(brands.map(({ number }) => [number, noClaims(questions)])) };
  });
  return {
    add({ key, question, source, collectionMethod: method, model, isShown, named }) {
      if (!isShown) return;
      const of = sources.at(source, method);
      for (const { number, facts } of brands) {
        const own = of.brands.get(number);
        if (own) addAnswer(own, { key, question, way: { method, model }, said: named.get(number), facts });
      }
    },
    pack: () =>
      sources.all().flatMap(({ source, method, brands: own }) =>
        brands.flatMap(({ number, facts }) => {
          const found = own.get(number);
          if (!found) return [];
          return [{ source, method, brandNumber: number, held: heldText(facts), ...packed(found) }];
        }),
      ),
  };
}

function noClaims(questions: number): BrandClaims {
  return { answers: Array.from({ length: questions }, noAnswers), rows: [], pages: new Map() };
}

function addAnswer(
  { answers, rows, pages }: BrandClaims,
  of: {
    key: number;
    question: number;
    way: NonNullable<KeywordAnswers["way"]>;
    /** Undefined where the answer does not name the brand. */
    said: readonly SaidOfFact[] | undefined;
    facts: readonly HeldFact[];
  },
): void {
  const { key, question, way, said, facts } = of;
  const row = { keyword: question, run: countShown(answers, question, way), brandRank: 0, mentions: key };
  if (said) rows.push({ ...row, brand: NAMED, rank: 0 });
  for (const { factId, verdict, url } of said ?? []) {
    const brand = claimNumber(
      facts.findIndex(({ id }) => id === factId),
      verdict,
    );
    rows.push({ ...row, brand, rank: url === null ? 0 : placeOf(pages, url) });
  }
}

function packed({ answers, rows, pages }: BrandClaims): Pick<PackedClaims, "pages" | "firstKey" | "facts"> {
  const firstKey = rows.reduce((least, { mentions }) => Math.min(least, mentions), rows[0]?.mentions ?? 0);
  const near = rows.map((row) => ({ ...row, mentions: row.mentions - firstKey }));
  return { pages: JSON.stringify([...pages.keys()]), firstKey, facts: packFacts(answers, near) };
}

/** From 1 on. */
function placeOf(pages: Map<string, number>, url: string): number {
  const place = pages.get(url) ?? pages.size + 1;
  pages.set(url, place);
  return place;
}

/** Facts with their revisions as they are stored: the same text for the same facts. */
export function heldText(facts: readonly HeldFact[]): string {
  return JSON.stringify(facts.map(({ id, revision }) => ({ id, revision })));
}

export function heldOf(text: string): HeldFact[] {
  return parseJson(text) as HeldFact[]; // as heldText wrote it
}

/** Addresses of pages, as they were packed. */
export function addressesOf(text: string): string[] {
  return parseJson(text) as string[]; // as it was packed
}

/** What stands for a verdict on a fact where places have the number of a brand: `fact` is its place among those that are held. */
function claimNumber(fact: number, verdict: SaidVerdict): number {
  return NAMED + 1 + fact * SAID_VERDICTS.length + SAID_VERDICTS.indexOf(verdict);
}

/** A fact as it was held, by the numbers that stand for what is said of it; undefined where it was not, or in another revision. */
export function numbersOf(
  held: readonly HeldFact[],
  { id, revision }: HeldFact,
): ReadonlyMap<number, SaidVerdict> | undefined {
  const fact = held.findIndex((one) => one.id === id && one.revision === revision);
  return fact === -1 ? undefined : new Map(SAID_VERDICTS.map((verdict) => [claimNumber(fact, verdict), verdict]));
}
