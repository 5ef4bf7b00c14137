import { CLAIM_VERDICTS, type ClaimVerdict } from "../../claims/statement-verdict.ts";
import { parseJson } from "../../shared/json.ts";
import type { CollectionMethod, Source } from "../../sources/sources.ts";
import {
  addShownAnswer,
  createKeywordAnswers,
  createSourceMap,
  packFacts,
  type CollectFacts,
  type FactRow,
  type KeywordAnswers,
} from "./collect-facts.ts";

// Claims are packed like ranks, so that the same functions cut and compare them; all shown answers
// count. The brand number encodes `NAMED_NUMBER` or a fact with its verdict, the rank the page, and
// the number of mentions the answer's key.

/** Number in place of a brand's in the row that says that an answer names the brand. */
export const NAMED_NUMBER = 1;

/** A fact in the revision that answers were checked against. */
export interface CheckedFact {
  id: string;
  revision: number;
}

export interface BrandWithFacts {
  number: number;
  facts: readonly CheckedFact[];
}

export interface FactVerdict {
  factId: string;
  verdict: ClaimVerdict;
  url: string | null;
}

/** `question` is the position in the analysis. */
export interface AnswerWithClaims {
  key: number;
  question: number;
  source: Source;
  collectionMethod: CollectionMethod;
  model: string | null;
  isShown: boolean;
  /** Named brands with facts, by number, and the claims about their facts. */
  named: ReadonlyMap<number, readonly FactVerdict[]>;
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
  held: readonly CheckedFact[];
  pages: readonly string[];
  facts: CollectFacts;
}

interface BrandClaims {
  answers: KeywordAnswers[];
  rows: FactRow[];
  pages: Map<string, number>;
}

export interface ClaimsGatherer {
  /** Adds an answer. Call it by question, then by run. */
  add(answer: AnswerWithClaims): void;
  pack(): PackedClaims[];
}

/** Each source has an entry for each brand, even without a mention. */
export function createClaimsGatherer(questions: number, brands: readonly BrandWithFacts[]): ClaimsGatherer {
  const sources = createSourceMap((of) => {
    return {
      ...of,
      brands: new Map(
        brands.map(({ number }) => [
          number,
          { answers: Array.from({ length: questions }, createKeywordAnswers), rows: [], pages: new Map() },
        ]),
      ),
    };
  });
  return {
    add({ key: answerKey, question, source, collectionMethod: method, model, isShown, named }) {
      if (!isShown) return;
      const of = sources.at(source, method);
      for (const { number, facts } of brands) {
        const own = of.brands.get(number);
        if (own)
          addAnswer(own, { answerKey, question, way: { method, model }, factVerdicts: named.get(number), facts });
      }
    },
    pack: () =>
      sources.all().flatMap(({ source, method, brands: own }) =>
        brands.flatMap(({ number, facts }) => {
          const found = own.get(number);
          if (!found) return [];
          return [
            { source, method, brandNumber: number, held: serialiseCheckedFacts(facts), ...packBrandClaims(found) },
          ];
        }),
      ),
  };
}

function addAnswer(
  { answers, rows, pages }: BrandClaims,
  answer: {
    answerKey: number;
    question: number;
    way: NonNullable<KeywordAnswers["way"]>;
    /** Undefined if the answer does not name the brand. */
    factVerdicts: readonly FactVerdict[] | undefined;
    facts: readonly CheckedFact[];
  },
): void {
  const { answerKey, question, way, factVerdicts, facts } = answer;
  const row = {
    keyword: question,
    runIndex: addShownAnswer(answers, question, way),
    brandRank: 0,
    mentions: answerKey,
  };
  if (factVerdicts) rows.push({ ...row, brand: NAMED_NUMBER, rank: 0 });
  for (const { factId, verdict, url } of factVerdicts ?? []) {
    const brand = claimNumber(
      facts.findIndex(({ id }) => id === factId),
      verdict,
    );
    rows.push({ ...row, brand, rank: url === null ? 0 : findOrAddPage(pages, url) });
  }
}

function packBrandClaims({ answers, rows, pages }: BrandClaims): Pick<PackedClaims, "pages" | "firstKey" | "facts"> {
  const firstKey = rows.reduce((least, { mentions }) => Math.min(least, mentions), rows[0]?.mentions ?? 0);
  const near = rows.map((row) => ({ ...row, mentions: row.mentions - firstKey }));
  return { pages: JSON.stringify([...pages.keys()]), firstKey, facts: packFacts(answers, near) };
}

/** Numbers start at 1. */
function findOrAddPage(pages: Map<string, number>, url: string): number {
  const index = pages.get(url) ?? pages.size + 1;
  pages.set(url, index);
  return index;
}

/** Equal facts give equal text. */
export function serialiseCheckedFacts(facts: readonly CheckedFact[]): string {
  return JSON.stringify(facts.map(({ id, revision }) => ({ id, revision })));
}

export function parseCheckedFacts(text: string): CheckedFact[] {
  return parseJson(text) as CheckedFact[]; // safe cast: serialiseCheckedFacts wrote the text
}

export function parseAddresses(text: string): string[] {
  return parseJson(text) as string[]; // safe cast: packing wrote the text
}

/** Stands in place of a brand number; `fact` is an index among the checked facts. */
function claimNumber(fact: number, verdict: ClaimVerdict): number {
  return NAMED_NUMBER + 1 + fact * CLAIM_VERDICTS.length + CLAIM_VERDICTS.indexOf(verdict);
}

/** Undefined if the fact was not checked in this revision. */
export function mapVerdictsByNumber(
  held: readonly CheckedFact[],
  { id, revision }: CheckedFact,
): ReadonlyMap<number, ClaimVerdict> | undefined {
  const fact = held.findIndex((one) => one.id === id && one.revision === revision);
  return fact === -1 ? undefined : new Map(CLAIM_VERDICTS.map((verdict) => [claimNumber(fact, verdict), verdict]));
}
