import { estimateFigure } from "../../../core/metrics/figures.ts";
import { familiesAt } from "../../../core/metrics/share-of-voice.ts";
import type { Estimate } from "../../../core/statistics/interval.ts";
import { verdictNumber } from "../../../core/metrics/facts/collect-awareness.ts";
import type { CollectFacts } from "../../../core/metrics/facts/collect-facts.ts";
import { lookAlikeDifference, type PairedCell } from "../../../core/metrics/changes/look-alike-difference.ts";
import { presenceRate, type Sums } from "../../../core/metrics/metrics.ts";
import { openSumming } from "../../../core/metrics/facts/sum-facts.ts";
import type { AwarenessVerdict } from "../../../core/reading/capture.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { listAwarenessFacts, type KindQuestion } from "../../../db/metrics/awareness-facts.ts";
import type { BrandName } from "../../../db/analyses/projects.ts";
import type { MeasuredCollect } from "../../../db/metrics/search-metrics.ts";
import type { basisOf } from "../selection/basis.ts";
import { idsOf } from "../selection/choose-collects.ts";
import { intervalColumns, rounded } from "../../../core/metrics/figure-fields.ts";
import type { AwarenessRow } from "../../metrics/awareness-row.ts";
import { quotesOf, type Quote } from "./awareness-quotations.ts";
import type { BrandMetricsInput } from "../selection/prompt-selection.ts";
import { keyOf, listCounted, openPrompts, type OpenedPrompts } from "../selection/open-prompts.ts";
import { changesOfParts } from "../selection/prompt-changes.ts";
import {
  namesOf,
  slicesIn,
  slicesOf,
  type PromptGroup,
  type Prompts,
  type PromptSlice,
} from "../selection/prompt-groups.ts";

const FIGURES =
  "unaided = answers to prompts that name no brand in which the brand appears / all of them; aided = recognised / asked by name; both 0 to 1; difference = aided less that of invented look-alikes; ci = 95 % for prompts like these";

interface ReadRow {
  row: Omit<AwarenessRow, "quotations">;
  quotes: Quote[];
}

export async function readAwarenessRows(
  tenant: Tenant,
  project: { id: string; brandId: string },
  input: BrandMetricsInput,
): Promise<{ rows: ReadRow[]; basis: Awaited<ReturnType<typeof basisOf>> }> {
  const opened = await openPrompts(tenant, project, { input, kinds: ["unaided", "aided"] });
  const aware = await readAware(tenant, opened);
  const digests = aware.map(({ collectId, source, digest }) => [collectId, source, digest]);
  const rows = await tenant.db.kept.get(`awareness ${keyOf([opened.key, digests])}`, async () => {
    const value = await rowsOf(tenant, { opened, aware, input });
    return { value, bytes: value.length * ROW_BYTES };
  });
  const shownIds = new Set(opened.shown.flatMap(({ brand, isShown }) => (isShown ? brand.id : [])));
  return { rows: rows.filter(({ row }) => shownIds.has(row.brand_id)), basis: await opened.basis(FIGURES) };
}
const ROW_BYTES = 5000;

async function rowsOf(
  { db }: Tenant,
  of: { opened: OpenedPrompts; aware: Awaited<ReturnType<typeof readAware>>; input: BrandMetricsInput },
): Promise<readonly ReadRow[]> {
  const { opened, aware, input } = of;
  const { project, groups, prompts } = opened;
  const known = aware.map((one) => ({ ...one, read: () => one.facts }));
  const facts = { named: opened.slices, aware: await slicesOf(db.kept, project.id, known, prompts) };
  const all = groups.flatMap((group) => {
    const parts = partsOf(facts, group);
    return opened.shown.map(({ brand }) => {
      const one: RowOf = { group, brand, parts, asked: promptsFor(prompts, brand), opened, input };
      return { ...one, row: rowOf(one) };
    });
  });
  const counted = all.filter(({ row }) => row.answers + row.asked + row.look_alikes_asked > 0);
  const changes = opened.isJudged ? await changesIn(counted, opened) : undefined;
  return counted.map(({ row, group, brand }, at) => {
    return { row: { ...row, ...changes?.[at] }, quotes: quotesOf({ group, brand, prompts }, aware) };
  });
}

async function readAware({ db }: Tenant, opened: OpenedPrompts) {
  return listCounted(opened, (collectId) => listAwarenessFacts(db, collectId, null));
}

interface Parts {
  named: PromptSlice[];
  aware: PromptSlice[];
}

function partsOf({ named, aware }: Parts, group: PromptGroup): Parts {
  return { named: slicesIn(named, group), aware: slicesIn(aware, group) };
}

function factsOf(slices: readonly PromptSlice[], collects: readonly MeasuredCollect[]): CollectFacts[] {
  const ids = new Set(idsOf(collects));
  return slices.filter(({ collectId }) => ids.has(collectId)).map(({ facts }) => facts);
}

function sumsOf(
  slices: readonly PromptSlice[],
  collects: readonly MeasuredCollect[],
  prompts: readonly number[],
): Sums {
  const summing = openSumming(factsOf(slices, collects), familiesAt([]));
  for (const prompt of prompts) summing.add([prompt]);
  return summing.take();
}

function promptsFor({ first }: Prompts, brand: BrandName) {
  const where = (isAmong: (question: KindQuestion) => boolean) =>
    first.flatMap((one, at) => (isAmong(one) ? [at] : []));
  const asks = (one: KindQuestion) => one.promptKind === "aided" && one.askedBrandId === brand.id;
  return {
    unaided: where((one) => one.promptKind === "unaided"),
    aided: where((one) => asks(one) && one.lookAlike === null),
    lookAlikes: where((one) => asks(one) && one.lookAlike !== null),
  };
}

interface RowOf {
  group: PromptGroup;
  brand: BrandName;
  parts: Parts;
  asked: ReturnType<typeof promptsFor>;
  opened: OpenedPrompts;
  input: BrandMetricsInput;
}

function rowOf(of: RowOf): ReadRow["row"] {
  const { group, brand, parts, asked, opened, input } = of;
  const unaided = sumsOf(parts.named, group.collects, asked.unaided);
  const aided = sumsOf(parts.aware, group.collects, asked.aided);
  const control = sumsOf(parts.aware, group.collects, asked.lookAlikes);
  const counts = countVerdicts(aided);
  const controls = countVerdicts(control);
  const occurrences = unaided.brands.get(brand.number)?.occurrences ?? 0;
  const asking = group.asking;
  return {
    ...namesOf(group, brand, opened.project),
    answers: unaided.total,
    prompts: unaided.keywords,
    occurrences,
    unaided: rounded(presenceRate(occurrences, unaided.total)),
    ...(input.statistics
      ? columnsOf("unaided", estimateFigure(unaided, unaided.brands.get(brand.number), "presence", asking))
      : {}),
    asked: aided.total,
    asked_prompts: aided.keywords,
    ...counts,
    aided: rounded(presenceRate(counts.recognised, aided.total)),
    ...(input.statistics
      ? columnsOf("aided", estimateFigure(aided, aided.brands.get(RECOGNISED), "presence", asking))
      : {}),
    look_alikes_asked: control.total,
    look_alikes_recognised: controls.recognised,
    look_alikes: rounded(presenceRate(controls.recognised, control.total)),
    difference: differenceOf(of),
  };
}

const RECOGNISED = verdictNumber("recognised");

function countVerdicts(sums: Sums): Record<AwarenessVerdict, number> {
  const count = (verdict: AwarenessVerdict) => sums.brands.get(verdictNumber(verdict))?.occurrences ?? 0;
  return { recognised: count("recognised"), not_recognised: count("not_recognised"), confused: count("confused") };
}

function columnsOf(figure: "unaided" | "aided", estimate: Estimate) {
  const { ci_low, ci_high, grade } = intervalColumns(estimate);
  return { [`${figure}_ci_low`]: ci_low, [`${figure}_ci_high`]: ci_high, [`${figure}_grade`]: grade };
}

/** Paired by template: prompts for the brand and for its look-alikes, in each country and persona. */
function differenceOf({ group, parts, asked, opened: { prompts } }: RowOf): AwarenessRow["difference"] {
  const cells: PairedCell[] = [];
  const templates = new Set(asked.aided.flatMap((prompt) => prompts.first[prompt]?.template ?? []));
  for (const facts of factsOf(parts.aware, group.collects)) {
    for (const template of templates) {
      const of = (among: readonly number[]) =>
        recognisedIn(
          facts,
          among.filter((prompt) => prompts.first[prompt]?.template === template),
        );
      cells.push({ template, brand: of(asked.aided), lookAlikes: of(asked.lookAlikes) });
    }
  }
  const { delta, ci_low, ci_high, ...counted } = lookAlikeDifference(cells);
  return { delta: rounded(delta), ci_low: rounded(ci_low), ci_high: rounded(ci_high), ...counted };
}

function recognisedIn({ answers, starts, brands }: CollectFacts, prompts: readonly number[]) {
  const counts = { asked: 0, recognised: 0 };
  for (const prompt of prompts) {
    counts.asked += answers[prompt] ?? 0;
    for (let at = starts[prompt] ?? 0; at < (starts[prompt + 1] ?? 0); at += 1) {
      if (brands[at] === RECOGNISED) counts.recognised += 1;
    }
  }
  return counts;
}

/** Changes of both metrics per row, each judged over all rows. */
async function changesIn(rows: readonly RowOf[], opened: OpenedPrompts) {
  const { project, brands, isWhole } = opened;
  const field = brands.filter(({ id, parentId }) => parentId === null && id !== project.brandId);
  const partOf = ({ group, brand }: RowOf) => ({ group, isAlone: isWhole && brand.id === project.brandId });
  const unaided = await changesOfParts(
    rows.map((row) => ({
      ...partOf(row),
      slices: row.parts.named,
      prompts: row.asked.unaided,
      number: row.brand.number,
    })),
    opened,
    { rivals: field.map(({ number }) => number) },
  );
  const aided = await changesOfParts(
    rows.map((row) => ({ ...partOf(row), slices: row.parts.aware, prompts: row.asked.aided, number: RECOGNISED })),
    opened,
  );
  return rows.map((_, index) => ({ unaided_change: unaided[index] ?? null, aided_change: aided[index] ?? null }));
}
