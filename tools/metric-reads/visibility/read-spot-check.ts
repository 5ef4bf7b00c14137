import type { z } from "zod";
import type { CollectFacts } from "../../../core/metrics/facts/collect-facts.ts";
import { countAnswers } from "../../../core/metrics/facts/sum-facts.ts";
import { groupByCell } from "../../../core/metrics/prompt-clusters.ts";
import { selectFamilies } from "../../../core/metrics/share-of-voice.ts";
import { requireFound } from "../../../core/shared/errors.ts";
import { SOURCE_NAMES, SOURCES, type Source } from "../../../core/sources/sources.ts";
import { listBrandNames } from "../../../db/analyses/projects.ts";
import { listExampleAnswers, type ExampleAnswers } from "../../../db/answers/example-answers.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { listVisibilityKeywords } from "../../../db/metrics/search-metrics.ts";
import {
  buildSourceRow,
  countCells,
  describeSeen,
  type AskedPrompt,
  type SpotCheckInput,
  type SpotCheckRow,
} from "../../metrics/spot-check-row.ts";
import { CAUSE_NOTE, readBasis } from "../selection/basis.ts";
import { chooseCollects, listIds } from "../selection/choose-collects.ts";
import { namedFilters } from "../selection/selection.ts";
import { limitToOneMethod, readFacts, type CountedFacts } from "../selection/sum-brands.ts";
import { buildVisibilitySelection } from "./visibility-request.ts";

const SPOT_CHECK_LEGEND = `seen_once, seen_of_3, seen_of_5 = share of people who see the brand at least once when they ask a prompt like these 1, 3 or 5 times, averaged over prompts; ci = 95 % confidence interval; memory, sign-in and other models of an app can change what a person sees; ${CAUSE_NOTE}`;

type Row = z.input<typeof SpotCheckRow>;
type PromptRow = Omit<Row, `answer_${string}`> & { source_label: Source; questionIds: readonly string[] };

export async function readSpotCheck(
  tenant: Tenant,
  analysis: { id: string; brandId: string },
  input: z.output<typeof SpotCheckInput>,
) {
  const brands = await listBrandNames(tenant);
  const brandId = input.brand ?? analysis.brandId;
  const brand = requireFound(
    brands.find(({ id }) => id === brandId),
    "brand",
  );
  const families = selectFamilies(brands);
  const collects = { ...(await chooseCollects(tenant, analysis.id, input)), previous: [] };
  const selection = buildVisibilitySelection(analysis, { ...input, group_by: ["keyword"] }, families);
  const ids = listIds(collects.current);
  const read = limitToOneMethod(await readFacts(tenant.db, selection, ids), new Set(ids));
  const bySource = SOURCES.map((source) => ({ source, prompts: listAskedPrompts(read, source, brand.number) })).filter(
    ({ prompts }) => prompts.length > 0,
  );
  const keywords = await listVisibilityKeywords(tenant.db, analysis.id, selection.filter);
  const keywordAt = new Map(keywords.map((keyword) => [keyword.position, keyword]));
  const rows = bySource.flatMap(({ source, prompts }) =>
    prompts.flatMap((prompt): PromptRow[] => {
      const asked = prompt.positions.flatMap((position) => keywordAt.get(position) ?? []);
      const [first] = asked;
      if (!first) return [];
      const counts = countCells(prompt);
      const names = { source: SOURCE_NAMES[source], source_label: source, keyword: first.text, keyword_id: first.id };
      return [{ ...names, ...counts, seen: describeSeen(counts), questionIds: asked.map(({ id }) => id) }];
    }),
  );
  const prompts = rows
    .filter(({ seen }) => input.seen === undefined || seen === input.seen)
    .toSorted((a, b) => computeRate(a) - computeRate(b) || b.answers - a.answers);
  const facts = read.counted.map((one) => one.facts);
  const basis = await readBasis(tenant, SPOT_CHECK_LEGEND, collects, {
    ...read,
    sums: countAnswers(facts, read.prompts),
    current: read.counted,
    previousAnswers: [],
    familyCount: families.count,
    filters: namedFilters(input),
  });
  const bySourceRows = bySource.map((one) => buildSourceRow(one.source, one.prompts));
  const shown = { brand: brand.name, by_source: bySourceRows, basis };
  return { prompts, counted: read.counted, brandNumber: brand.number, shown };
}

function computeRate({ occurrences, answers }: PromptRow): number {
  return occurrences / answers;
}

function listAskedPrompts(
  { counted, prompts, clusters }: Awaited<ReturnType<typeof readFacts>>,
  source: Source,
  brand: number,
): AskedPrompt[] {
  const facts = counted.filter((one) => one.source === source).map((one) => one.facts);
  return prompts.flatMap((positions) => {
    const cells = groupByCell(positions, clusters).map((cell) => ({
      x: sumOver(facts, cell, (one, position) => countNaming(one, position, brand)),
      n: sumOver(facts, cell, ({ answers }, position) => answers[position] ?? 0),
    }));
    const asked = cells.filter(({ n }) => n > 0);
    return asked.length > 0 ? [{ positions, cells: asked }] : [];
  });
}

function sumOver(
  facts: readonly CollectFacts[],
  positions: readonly number[],
  count: (one: CollectFacts, position: number) => number,
): number {
  return facts.reduce((sum, one) => positions.reduce((own, position) => own + count(one, position), sum), 0);
}

/** A brand has at most one row per answer. */
function countNaming({ rowStarts, brands }: CollectFacts, position: number, brand: number): number {
  let count = 0;
  for (let at = rowStarts[position] ?? 0; at < (rowStarts[position + 1] ?? 0); at += 1) {
    if (brands[at] === brand) count += 1;
  }
  return count;
}

/** Adds the newest answers with and without the brand. */
export async function addExamples(
  tenant: Tenant,
  rows: readonly PromptRow[],
  { counted, brandNumber }: { counted: readonly CountedFacts[]; brandNumber: number },
): Promise<Row[]> {
  const questionIds = rows.flatMap((row) => row.questionIds);
  const examples: ExampleAnswers[] = [];
  for (const collectId of new Set(counted.map((one) => one.collectId))) {
    const ways = counted.filter((one) => one.collectId === collectId);
    examples.push(...(await listExampleAnswers(tenant, { collectId, questionIds, ways }, brandNumber)));
  }
  return rows.map(({ questionIds: own, source_label: label, ...row }) => {
    const among = examples.filter(({ questionId, source }) => source === label && own.includes(questionId));
    const newest = (key: "withId" | "withoutId") =>
      among
        .flatMap((one) => one[key] ?? [])
        .toSorted()
        .at(-1) ?? null;
    return { ...row, answer_with_brand: newest("withId"), answer_without_brand: newest("withoutId") };
  });
}
