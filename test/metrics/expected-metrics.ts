import type { Source } from "../../core/sources/sources.ts";
import { OWN, type ExpectedAnswer, type SimulatedScene, type Keyword } from "./simulated-scene.ts";

// Definitions of measurement.md section 2, computed answer by answer without the product's sums.

export type Row = Record<string, unknown>;

const roundToSixDigits = (value: number) => Math.round(value * 1e6) / 1e6;
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
const weight = (rank: number) => 1 / Math.log2(1 + rank);

export type AnswerFilter = (one: ExpectedAnswer) => boolean;

/** Metrics of one brand over answers, by definition. */
function figuresOf(brandId: string, answers: ExpectedAnswer[], after: string) {
  const shown = answers.filter((one) => one.shown);
  const seen = shown.flatMap(({ keyword, truth }) =>
    truth.brandRanks.filter((place) => place.brand_id === brandId).map((place) => ({ ...place, keyword })),
  );
  const ranks = seen.map(({ rank }) => rank);
  return {
    total: shown.length,
    weights: sum(ranks.map(weight)),
    fields: {
      [`nb_keywords${after}`]: new Set(seen.map(({ keyword }) => keyword.text)).size,
      [`total_mentions${after}`]: sum(seen.map(({ mentions }) => mentions)),
      [`total${after}`]: shown.length,
      [`occurrences${after}`]: seen.length,
      ...(shown.length === 0 ? {} : { [`presence_rate${after}`]: roundToSixDigits(seen.length / shown.length) }),
      ...(seen.length === 0 ? {} : { [`average_rank${after}`]: roundToSixDigits(sum(ranks) / seen.length) }),
    },
  };
}

function score(row: Row): number {
  return (row["visibility_score"] as number | undefined) ?? -1;
}

/** Expected top-brands response for the `chosen` answers, by visibility. */
export function expectedTopBrands(
  { asked, brands }: Pick<SimulatedScene, "asked" | "brands">,
  chosen: AnswerFilter,
  current: number[],
  previous: number[],
) {
  const of = (collects: number[]) => asked.filter((one) => collects.includes(one.collect) && chosen(one));
  const rows = brands.flatMap(({ id, name, compared }): Row[] => {
    const now = figuresOf(id, of(current), "");
    const before = figuresOf(id, of(previous), "_prev_collect");
    const appears = [now.fields["occurrences"], before.fields["occurrences_prev_collect"]].some((count) => count !== 0);
    if (!appears && !compared) return [];
    return [
      {
        brand: name,
        is_my_brand: name === OWN,
        competitor_type: "BRANDED_WEBSITE",
        ...now.fields,
        ...(now.total === 0 ? {} : { visibility_score: roundToSixDigits((100 * now.weights) / now.total) }),
        ...(previous.length === 0 ? {} : before.fields),
      },
    ];
  });
  const data = rows.toSorted((a, b) => score(b) - score(a) || (String(a["brand"]) < String(b["brand"]) ? -1 : 1));
  return { total_count: data.length, data };
}

const PREFIXES: Partial<Record<Source, string>> = {
  SEARCH_A: "search_a_seo",
  SEARCH_A_AIO: "search_a_aio",
  SEARCH_B: "search_b_seo",
  SEARCH_B_AIO: "search_b_aio",
  SEARCH_B_AI_MODE: "search_b_ai_mode",
  ASSISTANT_A: "assistant_a",
  ASSISTANT_B: "assistant_b",
  ASSISTANT_C: "assistant_c",
  ASSISTANT_D: "assistant_d",
};
const UNFLAGGED = new Set(["search_b_ai_mode", "assistant_c"]);

/** Ranks of the own brand by channel. */
function expectedChannels(
  ownId: string,
  own: ExpectedAnswer[],
  sources: readonly Source[],
  current: number[],
  previous: number[],
) {
  const row: Row = {};
  for (const source of sources) {
    const prefix = PREFIXES[source];
    if (prefix === undefined) continue;
    const places = (collects: number[]) =>
      own
        .filter((one) => one.source === source && collects.includes(one.collect) && one.shown)
        .flatMap(({ truth }) => truth.brandRanks.filter((place) => place.brand_id === ownId));
    const [now, before] = [places(current), places(previous)];
    if (now.length > 0) row[`${prefix}_rank`] = roundToSixDigits(sum(now.map(({ rank }) => rank)) / now.length);
    if (before.length > 0)
      row[`${prefix}_previous_rank`] = roundToSixDigits(sum(before.map(({ rank }) => rank)) / before.length);
    const urls = now.flatMap(({ url }) => url ?? []);
    const times = (url: string) => urls.filter((other) => other === url).length;
    const [best] = urls.toSorted((a, b) => times(b) - times(a));
    if (best !== undefined) row[`${prefix}_url`] = best;
    const asked = own.some((one) => one.source === source && current.includes(one.collect) && one.shown);
    if (asked && !UNFLAGGED.has(prefix)) row[`${prefix}_main_brand_ranked`] = now.length > 0;
  }
  return row;
}

/** Expected keywords-metrics response, without keyword ids. */
export function expectedKeywords(
  { asked, keywords, brands }: Pick<SimulatedScene, "asked" | "keywords" | "brands">,
  select: { keyword: (keyword: Keyword) => boolean; sources: readonly Source[]; current: number[]; previous: number[] },
) {
  const ownId = brands.find(({ name }) => name === OWN)?.id ?? "";
  const { sources, current, previous } = select;
  const data = keywords.filter(select.keyword).map((keyword): Row => {
    const own = asked.filter((one) => one.keyword === keyword && sources.includes(one.source));
    const now = own.filter((one) => current.includes(one.collect));
    const shown = now.filter((one) => one.shown);
    const ranks = shown.flatMap(({ truth }) => truth.brandRanks.filter((place) => place.brand_id === ownId));
    const overview = (source: Source) => now.some((one) => one.source === source && one.shown);
    const { text, thematic, persona_id: persona, type = "Generic", ...rest } = keyword;
    return {
      keyword_text: text,
      thematic_name: thematic,
      type,
      ...rest,
      ...(persona === undefined ? {} : { persona: "Barista" }),
      ...(shown.length === 0
        ? {}
        : { score: roundToSixDigits((100 * sum(ranks.map(({ rank }) => weight(rank)))) / shown.length) }),
      ...expectedChannels(ownId, own, sources, current, previous),
      has_search_a_aio: overview("SEARCH_A_AIO"),
      has_search_b_aio: overview("SEARCH_B_AIO"),
    };
  });
  return { data };
}
