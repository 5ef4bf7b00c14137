import { CLAIM_VERDICTS, type ClaimVerdict } from "../../../core/claims/statement-verdict.ts";
import {
  NAMED_NUMBER,
  mapVerdictsByNumber,
  type CheckedFact,
  type OpenedClaims,
} from "../../../core/metrics/facts/collect-claims.ts";
import { estimateShare, MIN_PROMPTS, sumMoments } from "../../../core/statistics/interval.ts";
import type { Source } from "../../../core/sources/sources.ts";
import type { KindQuestion } from "../../../db/metrics/awareness-facts.ts";
import { intervalColumns, roundMetric } from "../../../core/metrics/metric-fields.ts";
import type { ClaimRow } from "../../metrics/claim-row.ts";
import type { PromptGroup, Prompts } from "../selection/prompt-groups.ts";

/** Min answers that mention a fact for a rate. */
const MIN_ANSWERS = 10;

export interface SourceClaims {
  collectId: string;
  source: Source;
  digest: string;
  claims: OpenedClaims;
}

interface VerdictCounts {
  agreed: number;
  contradicted: number;
}

export interface ClaimQuote {
  collectId: string;
  answerKey: number;
  brandFact: CheckedFact;
  verdict: ClaimVerdict;
}

export interface ClaimCounts {
  answers: number;
  countsByPrompt: Map<number, VerdictCounts>;
  countsByPage: Map<string, VerdictCounts>;
  quotesByKey: Map<string, ClaimQuote>;
}

/** Undefined if no answer was checked against the current version of the fact. */
export function countClaims(
  all: readonly SourceClaims[],
  { group, prompts, brandFact }: { group: PromptGroup; prompts: Prompts; brandFact: CheckedFact },
): ClaimCounts | undefined {
  const counts: ClaimCounts = {
    answers: 0,
    countsByPrompt: new Map(),
    countsByPage: new Map(),
    quotesByKey: new Map(),
  };
  const placed = prompts.questionsByPrompt.filter(({ question }) => isOfGroup(question, group));
  let isHeld = false;
  for (const sourceClaims of all) {
    const { collectId, source, claims } = sourceClaims;
    const isOf = group.collects.some(({ id }) => id === collectId) && (group.source ?? source) === source;
    const numbers = isOf ? mapVerdictsByNumber(claims.held, brandFact) : undefined;
    if (!numbers) continue;
    isHeld = true;
    const { rowStarts, brands } = claims.facts;
    for (const { position, prompt: promptIndex } of placed) {
      for (let at = rowStarts[position] ?? 0; at < (rowStarts[position + 1] ?? 0); at += 1) {
        if (brands[at] === NAMED_NUMBER) counts.answers += 1;
        const verdict = numbers.get(brands[at] ?? 0);
        if (verdict) addClaim(counts, sourceClaims, { at, promptIndex, brandFact, verdict });
      }
    }
  }
  return isHeld ? counts : undefined;
}

function isOfGroup({ country, personaId }: KindQuestion, group: PromptGroup): boolean {
  return (group.country ?? country) === country && (group.personaId ?? personaId) === personaId;
}

function addClaim(
  counts: ClaimCounts,
  { collectId, source, claims }: SourceClaims,
  {
    at,
    promptIndex,
    brandFact,
    verdict,
  }: { at: number; promptIndex: number; brandFact: CheckedFact; verdict: ClaimVerdict },
): void {
  const { ranks, mentions } = claims.facts;
  const page = claims.pages[(ranks[at] ?? 0) - 1];
  countVerdict(counts.countsByPrompt, promptIndex, verdict);
  if (page !== undefined) countVerdict(counts.countsByPage, page, verdict);
  const key = JSON.stringify([verdict, source, page]);
  const answerKey = claims.firstKey + (mentions[at] ?? 0);
  if (!counts.quotesByKey.has(key)) counts.quotesByKey.set(key, { collectId, answerKey, brandFact, verdict });
}

function countVerdict<Key>(counts: Map<Key, VerdictCounts>, key: Key, verdict: ClaimVerdict): void {
  const said = counts.get(key) ?? { agreed: 0, contradicted: 0 };
  counts.set(key, said);
  said[verdict] += 1;
}

export function computeClaimMetrics(
  { answers, countsByPrompt }: ClaimCounts,
  options: { sourceCount: number; includesStatistics: boolean },
) {
  const each = Array.from(countsByPrompt.values(), ({ agreed, contradicted }) => {
    return { x: contradicted, n: agreed + contradicted };
  });
  const moments = sumMoments(each);
  const { n: stated, x: contradicted } = moments;
  const isEnough = stated >= MIN_ANSWERS && moments.promptCount >= MIN_PROMPTS;
  return {
    answers,
    agreed: stated - contradicted,
    contradicted,
    not_mentioned: answers - stated,
    said: stated,
    prompts: moments.promptCount,
    contradicted_rate: isEnough ? roundMetric(contradicted / stated) : null,
    ...(options.includesStatistics
      ? intervalColumns(estimateShare(moments, { sourceCount: options.sourceCount, hasInterval: isEnough }))
      : {}),
  };
}

const MAX_PAGES = 10;

/** Contradicting ones first. */
export function listClaimPages({ countsByPage }: ClaimCounts, only: ClaimVerdict | undefined): ClaimRow["pages"] {
  return Array.from(countsByPage, ([url, said]) => ({ url, ...said }))
    .filter((page) => only === undefined || page[only] > 0)
    .toSorted((a, b) => b.contradicted - a.contradicted || b.agreed - a.agreed || (a.url < b.url ? -1 : 1))
    .slice(0, MAX_PAGES);
}

/** Max sentences per row. Several contradictions show which sources and pages they come from. */
const MAX_QUOTATIONS: Record<ClaimVerdict, number> = { contradicted: 3, agreed: 1 };

export function selectClaimQuotes({ quotesByKey }: ClaimCounts, only: ClaimVerdict | undefined): ClaimQuote[] {
  return CLAIM_VERDICTS.toReversed()
    .filter((verdict) => only === undefined || verdict === only)
    .flatMap((verdict) =>
      [...quotesByKey.values()].filter((quote) => quote.verdict === verdict).slice(0, MAX_QUOTATIONS[verdict]),
    );
}
