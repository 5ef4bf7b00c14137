import { setImmediate as nextTurn } from "node:timers/promises";
import type { Baseline, Evidence } from "../../../core/actions/action.ts";
import type { CollectView } from "../../../core/actions/collect-view.ts";
import { isOpinion } from "../../../core/actions/count-opinions.ts";
import { measureEffect, type CollectEvidence } from "../../../core/actions/effect.ts";
import type { ActionFinding, RuleInput, RuleKeyword, Steps } from "../../../core/actions/finding.ts";
import type { OpinionView } from "../../../core/actions/opinion-view.ts";
import { type EarlierLoss, recommend, type Recommendation } from "../../../core/actions/recommend.ts";
import { findCons, findFrequentCons } from "../../../core/actions/rules/con-rule.ts";
import {
  findContradictedFacts,
  selectContradictingAnswers,
  findWrongFacts,
} from "../../../core/actions/rules/fact-rule.ts";
import { findLossesToRivals } from "../../../core/actions/rules/preference-rule.ts";
import { selectAnswersToOpen, findPreferredCompetitors } from "../../../core/actions/rules/preferred-competitors.ts";
import { readFactsWithClaims, readContradictingSentences } from "../../../db/actions/fact-claims.ts";
import {
  type OpinionSetup,
  readOpinionSetup,
  readOpinionSources,
  readOpenedAnswers,
} from "../../../db/actions/opinion-facts.ts";
import {
  findCollectAnalysis,
  type LatestCollect,
  listCollectsByIds,
  listEvidenceAnswers,
  readCitedSites,
  readCollectView,
  readComparedBrands,
  readRuleKeywords,
} from "../../../db/actions/recommend-facts.ts";
import {
  listKnownActions,
  listUnmeasuredTasks,
  storeRecommendations,
  updateTaskEffect,
} from "../../../db/actions/store-recommendations.ts";
import type { Db, Tenant } from "../../../db/engine/store.ts";
import { tenantStore } from "../../../db/engine/tenant-store.ts";
import { type AnalysisRow, requireOwnBrand } from "../../../db/analyses/analyses.ts";
import { findAudit } from "../../../db/audits/audits.ts";
import { listLatestCollects } from "../../../tools/metric-reads/selection/latest-collects.ts";
import type { BackgroundJob, BackgroundWork } from "../background/background.ts";
import { recommendFromAudit } from "./recommend-from-audit.ts";

const MAX_ANSWER_IDS = 5;

const EARLIER_RUNS_FOR_LOSSES = 2;

/** Uses the run that metrics show by default, so that run order and repeated jobs do not matter. */
export async function recommendActions(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  const store = tenantStore(work.store, job);
  const concluded = await store.read((tenant) => findRecommendations(tenant, job.subjectId));
  if (!concluded) return;
  const { analysis, latest, found, effects } = concluded;
  await store.write(async (tenant) => {
    if ((await findNewest(tenant, analysis)) !== latest.id) return;
    const now = work.now();
    await storeRecommendations(tenant, found, {
      analysisId: analysis.id,
      collectId: latest.id,
      collectionMethods: latest.collectionMethods,
      seenAt: latest.finishedAt ?? now,
      now,
      newId: work.newId,
    });
    for (const { task, effect } of effects) await updateTaskEffect(tenant, task, effect, now);
  });
}

async function findNewest(tenant: Tenant, { id, type }: AnalysisRow): Promise<string | undefined> {
  if (type === "geo_audit") return (await findAudit(tenant, { analysisId: id }))?.collectId;
  const [latest] = await listLatestCollects(tenant, id);
  return latest?.id;
}

async function findRecommendations(tenant: Tenant, collectId: string) {
  const analysis = await findCollectAnalysis(tenant, collectId);
  if (analysis?.type === "geo_audit") return recommendFromAudit(tenant, analysis);
  const [latest, ...earlier] = analysis ? await listLatestCollects(tenant, analysis.id) : [];
  if (!analysis || !latest) return undefined;
  const read = await readRuleInput(tenant, analysis, latest, earlier.slice(0, EARLIER_RUNS_FOR_LOSSES));
  const { opinions } = read;
  const said = opinions ? await findOpinionRules(tenant, read.input, opinions) : [];
  const recommendations = await runSteps(recommend(read.input, { ...read, opinions: said }));
  await addEvidenceAnswers(tenant.db, recommendations, read.input.keywords);
  const isComparable = new Set(earlier.map(({ id }) => id));
  // Excludes runs before the implementation or of another kind than the baseline.
  const due = read.tasks.filter(
    ({ implementedAt, baseline }) =>
      (latest.startedAt ?? latest.createdAt) > implementedAt && isComparable.has(baseline.measured.collect_id),
  );
  const effects = [];
  for (const task of due) {
    const before = await read.seenAt(task.baseline);
    // A repeated job must not count the run's effect twice.
    const sign = task.effect?.after.collect_id === latest.id ? null : task.effect;
    const now = { cited: read.cited, opinions: opinions?.view ?? null };
    const effect = await runSteps(measureEffect(task.baseline, read.input, { before, now, sign }));
    effects.push({ task, effect });
  }
  return { analysis, latest, found: recommendations, effects };
}

async function readRuleInput(
  tenant: Tenant,
  analysis: AnalysisRow,
  latest: LatestCollect,
  previous: readonly LatestCollect[],
) {
  const { db } = tenant;
  const { keywords, clusters: promptClusters } = await readRuleKeywords(tenant, analysis);
  const { compared, brandNames, rootIdByBrandId } = await readComparedBrands(tenant, analysis);
  const stored = await listKnownActions(tenant, analysis.id);
  const lost = stored.flatMap(({ rule, subject, evidence, resolvedAt }) => {
    const before = evidence[0]?.previous_collect_id;
    return before == null || resolvedAt !== null || before === latest.id ? [] : [{ rule, subject, before }];
  });
  const tasks = await listUnmeasuredTasks(tenant, analysis.id);
  const baselines = tasks.map(({ baseline }) => baseline.measured.collect_id);
  const earlier = await listCollectsByIds(tenant, [...new Set([...lost.map(({ before }) => before), ...baselines])]);
  const views = new Map<string, CollectView>();
  for (const collect of [latest, ...previous, ...earlier]) {
    if (!views.has(collect.id)) views.set(collect.id, await readCollectView(tenant, collect));
  }
  const collect = views.get(latest.id);
  if (!collect) throw new Error("the latest run was not found");
  const earlierLosses = lost.flatMap(({ before, ...of }): EarlierLoss[] => {
    const view = views.get(before);
    return view ? [{ ...of, before: view }] : [];
  });
  const setup = await readOpinionSetup(tenant, analysis.id);
  const opinionsIn = async (collectId: string): Promise<OpinionView | null> => {
    if (!setup) return null;
    const sources = await readOpinionSources(tenant, collectId);
    return {
      ...setup,
      sources,
      facts: await readFactsWithClaims(tenant, { collectId, brandId: requireOwnBrand(analysis), setup }),
    };
  };
  const view = await opinionsIn(latest.id);
  const citedIn = (collectId: string) => readCitedSites(db, collectId, { keywords, compared, rootIdByBrandId });
  return {
    input: { collect, keywords, promptClusters, compared, brandNames },
    earlier: previous.flatMap(({ id }) => views.get(id) ?? []),
    earlierLosses,
    tasks,
    cited: await citedIn(latest.id),
    opinions: setup && view && { view, brandFamilies: setup.brandFamilies },
    async seenAt({ measured: { collect_id: id }, rows }: Baseline): Promise<CollectEvidence | undefined> {
      const seen = views.get(id);
      const countsSites = rows.some(({ domain }) => domain !== null);
      return (
        seen && {
          view: seen,
          cited: countsSites ? await citedIn(id) : new Map(),
          opinions: rows.some(isOpinion) ? await opinionsIn(id) : null,
        }
      );
    },
  };
}

async function addEvidenceAnswers(db: Db, found: readonly Recommendation[], keywords: readonly RuleKeyword[]) {
  const questionsOf = new Map(keywords.map(({ id, questions }) => [id, questions.map((one) => one.id)]));
  for (const { evidence } of found) {
    const [collectId] = evidence.map((row) => row.collect_id);
    const rows = evidence.filter(({ keyword_id, opinion }) => keyword_id !== null && !opinion);
    if (collectId === undefined || rows.length === 0) continue;
    const asked = (row: Evidence) => questionsOf.get(row.keyword_id ?? "") ?? [];
    const answers = await listEvidenceAnswers(db, collectId, [...new Set(rows.flatMap(asked))]);
    for (const row of rows) row.answer_ids = listAnswerIds(row, asked(row), answers);
    await nextTurn();
  }
}

function listAnswerIds(
  { source: from }: Evidence,
  questions: readonly string[],
  answers: Awaited<ReturnType<typeof listEvidenceAnswers>>,
): string[] {
  return answers
    .filter(({ keywordId, source }) => questions.includes(keywordId) && (from === null || source === from))
    .slice(0, MAX_ANSWER_IDS)
    .map(({ id }) => id);
}

/** Uses stored metrics and opens at most a few hundred answers. */
async function findOpinionRules(
  tenant: Tenant,
  input: RuleInput,
  { view, brandFamilies }: { view: OpinionView; brandFamilies: OpinionSetup["brandFamilies"] },
): Promise<ActionFinding[]> {
  const { ownId } = input.compared;
  const cons = findCons(input, view);
  await nextTurn();
  const lostFields = await runSteps(findLossesToRivals(input, view));
  const contradictedFacts = findContradictedFacts(view);
  const claims = selectContradictingAnswers(contradictedFacts);
  const keys = [
    ...cons.flatMap((con) => con.openedKeys),
    ...selectAnswersToOpen(lostFields),
    ...claims.flatMap((one) => one.keys),
  ];
  const opened = {
    answers: await readOpenedAnswers(tenant, [...new Set(keys)]),
    ownHosts: brandFamilies.hostsOf(ownId),
  };
  const sentences = await readContradictingSentences(tenant, { collectId: input.collect.id, claims });
  return [
    ...findFrequentCons(input, view, { cons, opened, ownNumbers: brandFamilies.familyOf(ownId) }),
    ...findWrongFacts(input, view, { contradictedFacts, opened, sentences }),
    ...findPreferredCompetitors(input, view, { lostFields, opened, familyOf: brandFamilies.familyOf }),
  ];
}

async function runSteps<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await nextTurn();
  }
}
