import { estimateMetric } from "../../../core/metrics/comparable-metrics.ts";
import { createFamilies } from "../../../core/metrics/share-of-voice.ts";
import type { Estimate } from "../../../core/statistics/interval.ts";
import { toVerdictNumber } from "../../../core/metrics/facts/awareness-gatherer.ts";
import type { CollectFacts } from "../../../core/metrics/facts/collect-facts.ts";
import { computeDecoyDifference, type PairedCell } from "../../../core/metrics/changes/decoy-difference.ts";
import { computePresenceRate, type Sums } from "../../../core/metrics/metrics.ts";
import { createFactSummer } from "../../../core/metrics/facts/sum-facts.ts";
import type { AwarenessVerdict } from "../../../core/reading/capture.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { listAwarenessFacts, type KindQuestion } from "../../../db/metrics/awareness-facts.ts";
import type { BrandName } from "../../../db/analyses/projects.ts";
import type { MeasuredCollect } from "../../../db/metrics/search-metrics.ts";
import type { readBasis } from "../selection/basis.ts";
import { listIds } from "../selection/choose-collects.ts";
import { intervalColumns, roundMetric } from "../../../core/metrics/metric-fields.ts";
import type { AwarenessRow } from "../../metrics/awareness-row.ts";
import { selectAwarenessQuotes, type AwarenessQuote } from "./awareness-quotations.ts";
import type { BrandMetricsInput } from "../selection/prompt-selection.ts";
import { hashKey, listCounted, openPrompts, type OpenedPrompts } from "../selection/open-prompts.ts";
import { judgePartChanges } from "../selection/prompt-changes.ts";
import {
  rowNames,
  selectSlices,
  sliceFacts,
  type PromptGroup,
  type Prompts,
  type PromptSlice,
} from "../selection/prompt-groups.ts";

const AWARENESS_LEGEND =
  "unaided = answers that name the brand / all answers to prompts that name no brand; aided = answers that recognise the brand / answers to prompts that name it; both 0 to 1; 0 of 0 = no prompt asks whether the source knows this brand; difference = aided minus the rate of invented names (look-alikes); ci = 95 % confidence interval for prompts like these";

interface RowWithQuotes {
  row: Omit<AwarenessRow, "quotations">;
  quotes: AwarenessQuote[];
}

export async function readAwarenessRows(
  tenant: Tenant,
  analysis: { id: string; brandId: string },
  input: BrandMetricsInput,
): Promise<{ rows: RowWithQuotes[]; basis: Awaited<ReturnType<typeof readBasis>> }> {
  const opened = await openPrompts(tenant, analysis, { input, kinds: ["unaided", "aided"] });
  const aware = await readAware(tenant, opened);
  const digests = aware.map(({ collectId, source, digest }) => [collectId, source, digest]);
  const rows = await tenant.db.cache.get(`awareness ${hashKey([opened.key, digests])}`, async () => {
    const value = await buildRows(tenant, { opened, aware, input });
    return { value, bytes: value.length * BYTES_PER_ROW };
  });
  const shownIds = new Set(opened.shown.flatMap(({ brand, isShown }) => (isShown ? brand.id : [])));
  return { rows: rows.filter(({ row }) => shownIds.has(row.brand_id)), basis: await opened.basis(AWARENESS_LEGEND) };
}
const BYTES_PER_ROW = 5000;

async function buildRows(
  { db }: Tenant,
  options: { opened: OpenedPrompts; aware: Awaited<ReturnType<typeof readAware>>; input: BrandMetricsInput },
): Promise<readonly RowWithQuotes[]> {
  const { opened, aware, input } = options;
  const { analysis, groups, prompts } = opened;
  const known = aware.map((one) => ({ ...one, read: () => one.facts }));
  const facts = { named: opened.slices, aware: await sliceFacts(db.cache, analysis.id, known, prompts) };
  const all = groups.flatMap((group) => {
    const slices = { presenceSlices: selectSlices(facts.named, group), aware: selectSlices(facts.aware, group) };
    return opened.shown.map(({ brand }) => {
      const one: RowInput = { group, brand, slices, asked: selectPrompts(prompts, brand), opened, input };
      return { ...one, row: buildRow(one) };
    });
  });
  const counted = all.filter(({ row }) => row.answers + row.asked + row.look_alikes_asked > 0);
  const changes = opened.isJudged ? await judgeAwarenessChanges(counted, opened) : undefined;
  return counted.map(({ row, group, brand }, at) => {
    return { row: { ...row, ...changes?.[at] }, quotes: selectAwarenessQuotes({ group, brand, prompts }, aware) };
  });
}

async function readAware({ db }: Tenant, opened: OpenedPrompts) {
  return listCounted(opened, (collectId) => listAwarenessFacts(db, collectId, null));
}

interface AwarenessSlices {
  presenceSlices: PromptSlice[];
  aware: PromptSlice[];
}

function selectFacts(slices: readonly PromptSlice[], collects: readonly MeasuredCollect[]): CollectFacts[] {
  const ids = new Set(listIds(collects));
  return slices.filter(({ collectId }) => ids.has(collectId)).map(({ facts }) => facts);
}

function sumSlices(slices: readonly PromptSlice[], collects: readonly MeasuredCollect[], prompts: readonly number[]) {
  const summing = createFactSummer(selectFacts(slices, collects), createFamilies([]));
  for (const prompt of prompts) summing.add([prompt]);
  return summing.takeTotals();
}

function selectPrompts({ firstQuestions }: Prompts, brand: BrandName) {
  const where = (isAmong: (question: KindQuestion) => boolean) =>
    firstQuestions.flatMap((one, at) => (isAmong(one) ? [at] : []));
  const asks = (one: KindQuestion) => one.promptKind === "aided" && one.askedBrandId === brand.id;
  return {
    unaided: where((one) => one.promptKind === "unaided"),
    aided: where((one) => asks(one) && one.lookAlike === null),
    lookAlikes: where((one) => asks(one) && one.lookAlike !== null),
  };
}

interface RowInput {
  group: PromptGroup;
  brand: BrandName;
  slices: AwarenessSlices;
  asked: ReturnType<typeof selectPrompts>;
  opened: OpenedPrompts;
  input: BrandMetricsInput;
}

function buildRow(rowInput: RowInput): RowWithQuotes["row"] {
  const { group, brand, slices, asked, opened, input } = rowInput;
  const unaided = sumSlices(slices.presenceSlices, group.collects, asked.unaided);
  const aided = sumSlices(slices.aware, group.collects, asked.aided);
  const control = sumSlices(slices.aware, group.collects, asked.lookAlikes);
  const counts = countVerdicts(aided);
  const controls = countVerdicts(control);
  const occurrences = unaided.brands.get(brand.number)?.occurrences ?? 0;
  const asking = group.sourceCount;
  return {
    ...rowNames(group, brand, opened.analysis),
    answers: unaided.total,
    prompts: unaided.keywords,
    occurrences,
    unaided: roundMetric(computePresenceRate(occurrences, unaided.total)),
    ...(input.statistics
      ? estimateColumns("unaided", estimateMetric(unaided, unaided.brands.get(brand.number), "presence", asking))
      : {}),
    asked: aided.total,
    asked_prompts: aided.keywords,
    ...counts,
    aided: roundMetric(computePresenceRate(counts.recognised, aided.total)),
    ...(input.statistics
      ? estimateColumns("aided", estimateMetric(aided, aided.brands.get(RECOGNISED_NUMBER), "presence", asking))
      : {}),
    look_alikes_asked: control.total,
    look_alikes_recognised: controls.recognised,
    look_alikes: roundMetric(computePresenceRate(controls.recognised, control.total)),
    difference: computePairDifference(rowInput),
  };
}

const RECOGNISED_NUMBER = toVerdictNumber("recognised");

function countVerdicts(sums: Sums): Record<AwarenessVerdict, number> {
  const count = (verdict: AwarenessVerdict) => sums.brands.get(toVerdictNumber(verdict))?.occurrences ?? 0;
  return { recognised: count("recognised"), not_recognised: count("not_recognised"), confused: count("confused") };
}

function estimateColumns(figure: "unaided" | "aided", estimate: Estimate) {
  const { ci_low, ci_high, grade } = intervalColumns(estimate);
  return { [`${figure}_ci_low`]: ci_low, [`${figure}_ci_high`]: ci_high, [`${figure}_grade`]: grade };
}

/** Paired by template: prompts for the brand and for its look-alikes, in each country and persona. */
function computePairDifference({ group, slices, asked, opened: { prompts } }: RowInput): AwarenessRow["difference"] {
  const cells: PairedCell[] = [];
  const templates = new Set(asked.aided.flatMap((prompt) => prompts.firstQuestions[prompt]?.template ?? []));
  for (const facts of selectFacts(slices.aware, group.collects)) {
    for (const template of templates) {
      const of = (among: readonly number[]) =>
        countRecognised(
          facts,
          among.filter((prompt) => prompts.firstQuestions[prompt]?.template === template),
        );
      cells.push({ template, brand: of(asked.aided), lookAlikes: of(asked.lookAlikes) });
    }
  }
  const { delta, ci_low, ci_high, ...counted } = computeDecoyDifference(cells);
  return { delta: roundMetric(delta), ci_low: roundMetric(ci_low), ci_high: roundMetric(ci_high), ...counted };
}

function countRecognised({ answers, rowStarts, brands }: CollectFacts, prompts: readonly number[]) {
  const counts = { asked: 0, recognisedCount: 0 };
  for (const prompt of prompts) {
    counts.asked += answers[prompt] ?? 0;
    for (let at = rowStarts[prompt] ?? 0; at < (rowStarts[prompt + 1] ?? 0); at += 1) {
      if (brands[at] === RECOGNISED_NUMBER) counts.recognisedCount += 1;
    }
  }
  return counts;
}

/** Each metric is judged over all rows. */
async function judgeAwarenessChanges(rows: readonly RowInput[], opened: OpenedPrompts) {
  const { analysis, brands, isWhole } = opened;
  const field = brands.filter(({ id, parentId }) => parentId === null && id !== analysis.brandId);
  const toPart = ({ group, brand }: RowInput) => ({ group, isAlone: isWhole && brand.id === analysis.brandId });
  const unaided = await judgePartChanges(
    rows.map((row) => ({
      ...toPart(row),
      slices: row.slices.presenceSlices,
      prompts: row.asked.unaided,
      number: row.brand.number,
    })),
    opened,
    { rivals: field.map(({ number }) => number) },
  );
  const aided = await judgePartChanges(
    rows.map((row) => ({
      ...toPart(row),
      slices: row.slices.aware,
      prompts: row.asked.aided,
      number: RECOGNISED_NUMBER,
    })),
    opened,
  );
  return rows.map((_, index) => ({ unaided_change: unaided[index] ?? null, aided_change: aided[index] ?? null }));
}
