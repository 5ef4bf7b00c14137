import { CALIBRATION } from "../../../core/calibration/calibration.ts";
import { computePresenceRate } from "../../../core/metrics/metrics.ts";
import { tallyOpinions, tallyPoints, type OpinionTally } from "../../../core/metrics/facts/tally-opinions.ts";
import { PERCEPTION_VERSION } from "../../../core/perception/perception.ts";
import { SENTIMENT_KINDS } from "../../../core/prompts/brand-prompt.ts";
import { STANCES } from "../../../core/reading/capture.ts";
import { MIN_PROMPTS } from "../../../core/statistics/interval.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import type { BrandName } from "../../../db/analyses/projects.ts";
import type { readBasis } from "../selection/basis.ts";
import { listIds } from "../selection/choose-collects.ts";
import { intervalColumns, roundMetric } from "../../../core/metrics/metric-fields.ts";
import { type BrandMetricsInput, isUnsolicited } from "../selection/prompt-selection.ts";
import { openPrompts, type OpenedPrompts, type Opinions } from "../selection/open-prompts.ts";
import { listCommonestPoints, type PointQuote, type CollectPoints } from "./perception-points.ts";
import type { PerceptionRow } from "../../metrics/perception-row.ts";
import { isInGroup, rowNames, type PromptGroup } from "../selection/prompt-groups.ts";
import { scoreShares, type SharesByMetric } from "./opinion-shares.ts";
import { readOpinions, type ScoredShare } from "./scored-parts.ts";

const PERCEPTION_LEGEND = `shares = answers that name the brand, by the stance of its best mention, discouraged before caveated; pro_rate, con_rate = scored answers with a pro or con / scored answers with the brand; sentiment = (more_pros - more_cons) / with_either, -1 to 1; ci = 95 % confidence interval for prompts like these; other shares and single pros or cons have no verdict; their precision on labelled answers: pros ${formatPrecision("pros")}, cons ${formatPrecision("cons")} (get_calibration); extraction rules version ${PERCEPTION_VERSION}, English only`;

function formatPrecision(measure: "pros" | "cons"): string {
  const figure = CALIBRATION.figures.find(
    (one) => one.part === "held_out" && one.dimension === "all" && one.measure === measure,
  );
  return figure ? `${Math.round((100 * figure.right) / figure.found)} %` : "unknown";
}

/** Min answers with a pro or con for a sentiment. */
const MIN_ANSWERS = 10;

interface RowWithQuotes {
  row: Omit<PerceptionRow, "quotations">;
  quotes: PointQuote[];
}

export async function readPerceptionRows(
  tenant: Tenant,
  analysis: { id: string; brandId: string },
  input: BrandMetricsInput,
): Promise<{ rows: RowWithQuotes[]; basis: Awaited<ReturnType<typeof readBasis>> }> {
  const opened = await openPrompts(tenant, analysis, {
    input,
    kinds: SENTIMENT_KINDS,
    isCounted: isUnsolicited,
  });
  const opinions = await readOpinions(tenant, opened);
  const collectTallies = await tallyCollects(tenant, opened, opinions);
  const parts = [];
  for (const group of opened.groups) {
    for (const { brand, isShown } of opened.shown) {
      parts.push({ ...(await buildPart(tenant, collectTallies, { group, brand }, opened)), isShown });
    }
  }
  const counted = parts.filter(({ tally, pros, cons }) => tally.prompts.size + pros.length + cons.length > 0);
  const shares = input.statistics ? await scoreShares(tenant, counted, { opened, opinions }) : undefined;
  const rows = counted.map((part, at) => {
    const { group, brand, tally, pros, cons, quotes } = part;
    const figures = { ...computeFigures(tally), ...(shares && buildStatistics(tally, shares, at)) };
    return { part, read: { row: { ...rowNames(group, brand, analysis), ...figures, pros, cons }, quotes } };
  });
  return {
    rows: rows.filter(({ part }) => part.isShown).map(({ read }) => read),
    basis: await opened.basis(PERCEPTION_LEGEND, { opinions }),
  };
}

interface CollectTally extends CollectPoints {
  key: string;
}

async function tallyCollects(
  { db }: Tenant,
  { analysis, collects, prompts, uncounted }: OpenedPrompts,
  opinions: readonly Opinions[],
): Promise<CollectTally[]> {
  const current = new Set(listIds(collects.current));
  const asking = uncounted.questionsByPrompt.filter(({ question }) => question.asksProsCons);
  const all: CollectTally[] = [];
  for (const one of opinions) {
    if (!current.has(one.collectId)) continue;
    const key = `tallies ${one.digest} ${analysis.id} ${prompts.key} ${uncounted.key}`;
    const pointTallies = await db.cache.get(key, async () => {
      const value = tallyPoints(one.facts, { countedQuestions: prompts.questionsByPrompt, asking });
      return { value, bytes: one.facts.points.groupIndexes.length * BYTES_PER_POINT };
    });
    all.push({ key, opinions: one, pointTallies });
  }
  return all;
}
const BYTES_PER_POINT = 200;
const BYTES_PER_TALLY = 3000;

interface PerceptionPart extends ReturnType<typeof listCommonestPoints> {
  group: PromptGroup;
  brand: BrandName;
  tally: OpinionTally;
  isAlone: boolean;
}

async function buildPart(
  { db }: Tenant,
  tallies: readonly CollectTally[],
  { group, brand }: { group: PromptGroup; brand: BrandName },
  { brands, analysis, prompts, isWhole }: OpenedPrompts,
): Promise<PerceptionPart> {
  const ids = listIds(group.collects);
  const own = tallies.filter(({ opinions: { collectId, source } }) => {
    return ids.includes(collectId) && (group.source === undefined || source === group.source);
  });
  const isSlot = (slot: string) => isInGroup(slot, group);
  const questions = prompts.questionsByPrompt.filter(({ slot }) => isSlot(slot));
  const facts = own.map(({ opinions }) => opinions.facts);
  const tally = tallyOpinions(facts, brand.number, questions);
  const products = brands.filter(({ parentId }) => parentId === brand.id).map(({ number }) => number);
  const numbers = [brand.number, ...products];
  const key = [own.map((one) => one.key).join(), group.country, group.personaId, numbers.join()].join(" ");
  const points = await db.cache.get(`points ${key}`, async () => {
    return { value: listCommonestPoints(own, { brands: numbers, isSlot }), bytes: key.length + BYTES_PER_TALLY };
  });
  return { group, brand, tally, ...points, isAlone: isWhole && brand.id === analysis.brandId };
}

function computeFigures(tally: OpinionTally) {
  const answers = tally.stances.reduce((sum, count) => sum + count, 0);
  const { judged, proAnswerCount, conAnswerCount, withEither, moreProsCount, moreConsCount } = tally;
  return {
    answers,
    prompts: tally.prompts.size,
    ...computeStances(tally, answers),
    judged,
    judged_prompts: tally.judgedPrompts.size,
    unjudged: answers - judged,
    unjudged_because: answers > judged ? ("no_lexicon_for_language" as const) : null,
    with_pros: proAnswerCount,
    pro_rate: ratio(proAnswerCount, judged),
    with_cons: conAnswerCount,
    con_rate: ratio(conAnswerCount, judged),
    more_pros: moreProsCount,
    more_cons: moreConsCount,
    with_either: withEither,
    either_prompts: tally.eitherPrompts.size,
    sentiment: hasSentiment(tally) ? ratio(moreProsCount - moreConsCount, withEither) : null,
  };
}

function computeStances({ stances }: OpinionTally, answers: number) {
  const [winner = 0, recommended = 0, caveated = 0, mentioned = 0, discouraged = 0] = STANCES.map(
    (_, at) => stances[at],
  );
  return {
    winner,
    winner_share: ratio(winner, answers),
    recommended,
    recommended_share: ratio(recommended, answers),
    caveated,
    caveated_share: ratio(caveated, answers),
    mentioned,
    mentioned_share: ratio(mentioned, answers),
    discouraged,
    discouraged_share: ratio(discouraged, answers),
  };
}

function ratio(count: number, total: number): number | null {
  return roundMetric(computePresenceRate(count, total));
}

function hasSentiment({ withEither, eitherPrompts }: OpinionTally): boolean {
  return withEither >= MIN_ANSWERS && eitherPrompts.size >= MIN_PROMPTS;
}

function buildStatistics(tally: OpinionTally, shares: SharesByMetric, at: number) {
  const [pro, con, sentiment] = [shares.pro_rate[at], shares.con_rate[at], shares.sentiment[at]];
  const hasEnoughAnswers = hasSentiment(tally);
  return {
    recommended_share_change: shares.recommended[at]?.change ?? null,
    caveated_share_change: shares.caveated[at]?.change ?? null,
    ...estimateColumns("pro", pro),
    ...estimateColumns("con", con),
    con_rate_change: con?.change ?? null,
    ...estimateColumns("sentiment", hasEnoughAnswers ? sentiment : undefined, (share) => 2 * share - 1),
    sentiment_change: hasEnoughAnswers ? toSentimentChange(sentiment?.change) : null,
  };
}

function estimateColumns(figure: string, of: ScoredShare | undefined, shown = (share: number) => share) {
  const emptyEstimate = { share: null, interval: null, grade: "exploratory" as const };
  const { ci_low, ci_high, grade } = intervalColumns(of ?? emptyEstimate, shown);
  return { [`${figure}_ci_low`]: ci_low, [`${figure}_ci_high`]: ci_high, [`${figure}_grade`]: grade };
}

/** Sentiment is twice the share minus 1. */
function toSentimentChange(change: ScoredShare["change"] | undefined): PerceptionRow["sentiment_change"] {
  return change ? { ...change, before: subtractOne(change.before), after: subtractOne(change.after) } : null;
}

function subtractOne(value: number | null): number | null {
  return value === null ? null : roundMetric(value - 1);
}
