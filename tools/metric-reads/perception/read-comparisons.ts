import { rowNames } from "../selection/prompt-groups.ts";
import { isUnsolicited } from "../selection/prompt-selection.ts";
import { compareStances, iterateNoPreferences, iteratePreferences } from "../../../core/metrics/facts/preferences.ts";
import { PROMPT_KINDS } from "../../../core/prompts/brand-prompt.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { listAttributes } from "../../../db/metrics/attributes.ts";
import { GAP_LEGEND } from "../selection/basis.ts";
import { intervalColumns, roundMetric } from "../../../core/metrics/metric-fields.ts";
import {
  createAspectNames,
  listCommonestAspects,
  countAspects,
  selectSentences,
  type AspectName,
} from "./compared-aspects.ts";
import type { ComparisonRow } from "../../metrics/comparison-row.ts";
import { openPrompts } from "../selection/open-prompts.ts";
import { pairPrompts } from "../selection/pair-prompts.ts";
import { collectFamily, readQuotations, listGroupPerceptions } from "./perception-quotations.ts";
import {
  judgePairGaps,
  listPairs,
  type ComparisonContext,
  type ComparisonPart,
  type ComparisonsInput,
} from "./compared-pairs.ts";
import { readOpinions, scoreParts, type ScoredPart, type ScoredShare } from "./scored-parts.ts";

const COMPARISONS_LEGEND =
  "win_rate = (wins + both / 2) / answers with a pick or a draw, 0 to 1; a preference in one aspect counts only in rows by aspect; no_preference = other answers, not in win_rate, of which brand_missing, aspects_only and no_pick; stance = share of answers with both brands in which the brand is rated higher, ties count half; ci = 95 % confidence interval for prompts like these";

/** Highest win rate of the rival first. Only rows of the page are `quoted`. */
export async function readComparisonRows(
  tenant: Tenant,
  analysis: { id: string; brandId: string },
  input: ComparisonsInput,
) {
  const dimensions = input.group_by.filter((one) => one !== "aspect" && one !== "brand");
  const asked = { ...input, group_by: ["brand" as const, ...dimensions] };
  const opened = await openPrompts(tenant, analysis, { input: asked, kinds: PROMPT_KINDS, isCounted: isUnsolicited });
  const ownBrand = opened.brands.find(({ id }) => id === analysis.brandId);
  const opinions = await readOpinions(tenant, opened);
  const legend = input.versus === undefined ? COMPARISONS_LEGEND : `${COMPARISONS_LEGEND}; ${GAP_LEGEND}`;
  const basis = await opened.basis(legend, { opinions });
  if (!ownBrand || opened.sources.length === 0) return { rows: [], basis, quoted: async () => [] };
  const attributes = await listAttributes(tenant, analysis.id);
  const nameOf = createAspectNames(attributes);
  const context: ComparisonContext = {
    input,
    opened,
    opinions,
    own: ownBrand,
    attributes,
    nameOf,
    promptsOf: pairPrompts(opened.prompts, ownBrand),
  };
  const parts = listParts(context);
  const figures = await readFigures(tenant, parts, context);
  const all = parts.map((_, at) => figures(at));
  const gaps = input.versus === undefined ? undefined : judgePairGaps(parts, all, context);
  const rows = parts.flatMap((part, at) => {
    const { preferred, ...others } = all[at] ?? {};
    const row = preferred && {
      part,
      row: { ...buildRow(part, preferred, context), ...others, ...(gaps && { gap: gaps[at] ?? null }) },
    };
    return row && part.isShown ? [row] : [];
  });
  return { rows: sortWorstFirst(rows), basis, quoted: (page: typeof rows) => buildQuotedRows(tenant, page, context) };
}

function listParts(context: ComparisonContext): ComparisonPart[] {
  const { input, opened, nameOf } = context;
  const wanted = input.aspect === undefined ? undefined : nameOf(input.aspect);
  return opened.groups.flatMap((group) =>
    listPairs(context).flatMap(({ brand, rival, isShown }) => {
      const pair = { brand: brand.number, other: rival.number };
      const part: ComparisonPart = { group, brand, rival, pair, aspect: wanted, isShown };
      if (!input.group_by.includes("aspect")) return [part];
      const found = [...countAspects(listPartPerceptions(part, context), part.pair, nameOf).keys()];
      return found
        .filter((aspect) => wanted === undefined || aspect === wanted)
        .toSorted((a, b) => ((a ?? "") < (b ?? "") ? -1 : 1))
        .map((aspect) => ({ ...part, aspect }));
    }),
  );
}

function listPartPerceptions({ group, brand, rival }: ComparisonPart, of: ComparisonContext) {
  const { opened, opinions } = of;
  return listGroupPerceptions(group, opinions, { prompts: opened.prompts, counted: of.promptsOf(brand, rival).shared });
}

/** Parts of a single aspect omit the metrics of whole pairs. */
async function readFigures(tenant: Tenant, parts: readonly ComparisonPart[], context: ComparisonContext) {
  const { input, opened, opinions } = context;
  const unjudged = { opened, opinions, scale: null };
  const preferred = await scoreParts(
    tenant,
    parts.map((part) => buildPreferencePart(part, context, context.promptsOf(part.brand, part.rival).shared)),
    { opened, opinions, scale: 1, sumsGaps: input.versus !== undefined },
  );
  if (input.group_by.includes("aspect")) return (at: number) => ({ preferred: preferred[at] });
  const stances = await scoreParts(
    tenant,
    parts.map(({ group, pair, brand, rival }) => ({
      group,
      metricKey: `stands higher ${pair.brand} ${pair.other}`,
      scored: (said) => compareStances(said, pair),
      prompts: context.promptsOf(brand, rival).shared,
      isAlone: false,
    })),
    unjudged,
  );
  const ordered = async (order: "brandFirstPromptIndexes" | "rivalFirstPromptIndexes") =>
    scoreParts(
      tenant,
      parts.map((part) => buildPreferencePart(part, context, context.promptsOf(part.brand, part.rival)[order])),
      unjudged,
    );
  const [first, second] = [await ordered("brandFirstPromptIndexes"), await ordered("rivalFirstPromptIndexes")];
  const without = async (key: "shared" | "compared") =>
    scoreParts(
      tenant,
      parts.map(({ group, pair, brand, rival }) => ({
        group,
        metricKey: `no preference ${pair.brand} ${pair.other}`,
        scored: (said) => iterateNoPreferences(said, pair),
        prompts: context.promptsOf(brand, rival)[key],
        isAlone: false,
      })),
      unjudged,
    );
  const [anywhere, whereCompared] = [await without("shared"), await without("compared")];
  return (at: number) => ({
    preferred: preferred[at],
    ...(input.aspect === undefined && countNoPreference(anywhere[at], whereCompared[at])),
    stance_answers: stances[at]?.n ?? 0,
    stance_rate: roundShare(stances[at]),
    first_answers: first[at]?.n ?? 0,
    first_rate: roundShare(first[at]),
    second_answers: second[at]?.n ?? 0,
    second_rate: roundShare(second[at]),
  });
}

function countNoPreference(anywhere: ScoredShare | undefined, whereCompared: ScoredShare | undefined) {
  const { part: aspects_only = 0, none: no_pick = 0 } = anywhere?.values ?? {};
  // Only an answer to a comparison prompt has to name both brands.
  const brand_missing = whereCompared?.values.whole ?? 0;
  return { no_preference: brand_missing + aspects_only + no_pick, brand_missing, aspects_only, no_pick };
}

function buildPreferencePart(
  { group, pair, aspect }: ComparisonPart,
  { attributes, nameOf }: ComparisonContext,
  prompts: number[],
): ScoredPart {
  const counted = createAspectFilter(aspect, nameOf);
  return {
    group,
    // Adds the aspect to the key, because aspect names depend on the attributes.
    metricKey: `prefers ${pair.brand} ${pair.other} ${aspect === undefined ? "" : JSON.stringify([aspect, attributes])}`,
    scored: (said) => iteratePreferences(said, pair, counted),
    prompts,
    isAlone: false,
  };
}

function createAspectFilter(wanted: ComparisonPart["aspect"], nameOf: AspectName): (aspect: string | null) => boolean {
  // An aspect does not decide which brand is preferred.
  return (aspect) => (wanted === undefined ? aspect === null : nameOf(aspect) === wanted);
}

function roundShare(scored: ScoredShare | undefined): number | null {
  return roundMetric(scored?.share ?? null);
}

type UnquotedRow = Omit<ComparisonRow, "quotations" | "aspects">;

function buildRow(part: ComparisonPart, preferred: ScoredShare, { input, opened }: ComparisonContext): UnquotedRow {
  const { rival, aspect } = part;
  const { brand, brand_id, is_my_brand: _mine, ...names } = rowNames(part.group, part.brand, opened.analysis);
  const { values, change } = preferred;
  return {
    brand,
    ...(input.group_by.includes("brand") ? { brand_id } : {}),
    rival: rival.name,
    rival_id: rival.id,
    ...(input.group_by.includes("aspect") ? { aspect: aspect ?? null } : {}),
    ...names,
    wins: values.whole,
    losses: values.none,
    both: values.part,
    answers: preferred.n,
    prompts: preferred.promptCount,
    win_rate: roundShare(preferred),
    ...(input.statistics ? { ...intervalColumns(preferred), change } : {}),
  };
}

/** By part of the answers and brand; ties keep the order of the analysis, unknown values come last. */
function sortWorstFirst<Row extends { part: ComparisonPart; row: UnquotedRow }>(rows: readonly Row[]): Row[] {
  const groups = [...new Set(rows.map(({ part }) => part.group))];
  const brands = [...new Set(rows.map(({ part }) => part.brand))];
  const place = ({ part }: Row) => groups.indexOf(part.group) * brands.length + brands.indexOf(part.brand);
  const rate = ({ row }: Row) => row.win_rate ?? 2;
  return rows.toSorted((a, b) => place(a) - place(b) || rate(a) - rate(b) || 0);
}

async function buildQuotedRows(
  tenant: Tenant,
  page: readonly { part: ComparisonPart; row: UnquotedRow }[],
  context: ComparisonContext,
): Promise<ComparisonRow[]> {
  const { input, opened, nameOf } = context;
  const quotations = await readQuotations(
    tenant,
    page.map(({ part }) => {
      const { brand, rival, pair, aspect } = part;
      const [ours, theirs] = [collectFamily(opened.brands, brand.number), collectFamily(opened.brands, rival.number)];
      const sides = [
        { name: brand.name, pair, betters: ours, worses: theirs },
        { name: rival.name, pair: { brand: pair.other, other: pair.brand }, betters: theirs, worses: ours },
      ];
      return selectSentences(listPartPerceptions(part, context), sides, createAspectFilter(aspect, nameOf));
    }),
  );
  const isWhole = input.aspect === undefined && !input.group_by.includes("aspect");
  return page.map(({ part, row }, at) => ({
    ...row,
    ...(isWhole
      ? { aspects: listCommonestAspects(countAspects(listPartPerceptions(part, context), part.pair, nameOf)) }
      : {}),
    quotations: quotations[at] ?? [],
  }));
}
