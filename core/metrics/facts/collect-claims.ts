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

// Claims are packed like ranks, so that the same functions cut and compare them; all shown answers
// count. The brand number encodes `NAMED` or a fact with its verdict, the rank the page, and the
// number of mentions the answer's key.

/** One row per answer that names the brand. */
export const NAMED = 1;

/** A fact in the revision that answers were checked against. */
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
  /** Named brands with facts, by number, and the claims about their facts. */
  named: ReadonlyMap<number, readonly SaidOfFact[]>;
}

export interface PackedClaims {
  source: Source;
  method: CollectionMethod;
  brandNumber: number;
  held: string;
  pages: string;
  /** Smallest key of the answers that name the brand. */
  firstKey: number;
  facts: Buffer;
}

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
  /** Add answers by question, then by run. */
  add(answer: ClaimingAnswer): void;
  pack(): PackedClaims[];
}

/**
 * Starts gathering for `questions` questions. Each source has an entry for each brand, even without
 * a mention.
 */
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
    /** Undefined if the answer does not name the brand. */
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

/** 1-based. */
function placeOf(pages: Map<string, number>, url: string): number {
  const place = pages.get(url) ?? pages.size + 1;
  pages.set(url, place);
  return place;
}

/** Serialises facts with revisions; equal facts give equal text. */
export function heldText(facts: readonly HeldFact[]): string {
  return JSON.stringify(facts.map(({ id, revision }) => ({ id, revision })));
}

export function heldOf(text: string): HeldFact[] {
  return parseJson(text) as HeldFact[]; // as heldText wrote it
}

/** Parses packed page addresses. */
export function addressesOf(text: string): string[] {
  return parseJson(text) as string[]; // as it was packed
}

/**
 * Number of a verdict on a fact, used as brand number; `fact` is its index among the checked facts.
 */
function claimNumber(fact: number, verdict: SaidVerdict): number {
  return NAMED + 1 + fact * SAID_VERDICTS.length + SAID_VERDICTS.indexOf(verdict);
}

/** Verdicts by number for a fact; undefined if it was not checked in this revision. */
export function numbersOf(
  held: readonly HeldFact[],
  { id, revision }: HeldFact,
): ReadonlyMap<number, SaidVerdict> | undefined {
  const fact = held.findIndex((one) => one.id === id && one.revision === revision);
  return fact === -1 ? undefined : new Map(SAID_VERDICTS.map((verdict) => [claimNumber(fact, verdict), verdict]));
}
