import { SOURCES } from "../../core/sources/sources.ts";
import type { MeasuredAnalysis } from "./scene.ts";

export type Params = Record<string, string | number | boolean | string[]>;

/** Seeded random numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const ENDPOINTS = ["top-brands", "keywords-metrics", "visibility", "citations"] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

/**
 * A random request of an endpoint: filters, collects, comparison, groups, figures and sort orders.
 */
export function drawRequest(endpoint: Endpoint, { rows }: MeasuredAnalysis, random: () => number): Params {
  const chance = (of: number) => random() < of;
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T; // callers give at least one
  const some = <T>(of: readonly T[], most: number) => [
    ...new Set(Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(of))),
  ];
  const idsIn = (field: "topic_id" | "thematic_id" | "persona_id") =>
    [...new Set(rows.questions.map((question) => question[field]))].filter((id) => id !== null);
  const asked = SOURCES.filter((source) => rows.answers.some((answer) => answer.source === source));
  const collects = rows.collects.toSorted((a, b) => a.number - b.number).map(({ id }) => id);
  const brands = rows.brands.filter(({ archived }) => !archived).map(({ id }) => id);
  const params: Params = {};
  const narrow = (name: string, values: readonly string[], of: number) => {
    if (values.length > 0 && chance(of)) params[name] = some(values, 3);
  };
  const isOld = endpoint === "top-brands" || endpoint === "keywords-metrics";
  if (isOld || endpoint === "citations") narrow("sources", asked, 0.4);
  else narrow("sources", asked, 0.3);
  narrow(isOld ? "topic_ids" : "topics", idsIn("topic_id"), 0.25);
  const countries = [...new Set(rows.questions.map(({ country }) => country ?? rows.country))];
  narrow("countries", countries, 0.15);
  if (endpoint === "citations") {
    if (chance(0.4)) params["collect_id"] = pick(collects);
    if (chance(0.4)) params["with_brand"] = pick(brands);
    if (chance(0.3)) params["absent_brand"] = pick(brands);
    return {
      ...params,
      group_by: [pick(["domain", "page"])],
      pages: pick(["cited", "cited", "retrieved"]),
      statistics: true,
    };
  }
  narrow("thematics", idsIn("thematic_id"), 0.15);
  narrow(isOld ? "persona_ids" : "personas", idsIn("persona_id"), 0.15);
  narrow("funnel_stages", ["ToFu", "MoFu", "BoFu"], 0.15);
  narrow(isOld ? "keyword_type" : "keyword_types", ["Generic", "Brand"], 0.3);
  const chosen = chance(0.4) ? some(collects.slice(1), 2) : [];
  if (chosen.length > 0) params["collect_ids"] = chosen;
  const measured = chosen.length > 0 ? chosen : collects.slice(-1);
  const others = collects.filter((id) => !measured.includes(id));
  if (others.length > 0 && chance(0.3)) params["prev_collect_ids"] = some(others, 2);
  if (endpoint === "keywords-metrics") {
    if (chance(0.2)) params["competitor_types"] = some(["PRODUCT_REVIEW_SITE", "NEWS_MEDIA", "RETAIL_ECOMMERCE"], 2);
    return params;
  }
  narrow("brands", brands, 0.15);
  if (endpoint === "top-brands") {
    if (chance(0.1)) params["search_query"] = pick(["a", "o", "be"]);
    return { ...params, statistics: true };
  }
  const dimensions = [
    "source",
    "channel",
    "collect",
    "topic",
    "thematic",
    "keyword",
    "persona",
    "country",
    "funnel_stage",
  ];
  const groups = chance(0.5) ? ["brand", pick(dimensions)] : chance(0.4) ? ["brand"] : some(dimensions, 2);
  params["group_by"] = groups.slice(0, 2);
  if (!groups.includes("brand")) {
    if (chance(0.4)) params["brands"] = [pick(brands)];
    else delete params["brands"];
  }
  // All collects are measured then, so none remains for comparison.
  if (groups.includes("collect") && chosen.length === 0) delete params["prev_collect_ids"];
  params["figure"] = pick(["presence", "presence", "top_3", "visibility", "share_of_voice", "citations"]);
  if (chance(0.4)) params["versus"] = pick(brands);
  const statistics = chance(0.9);
  params["statistics"] = statistics;
  if (statistics && chance(0.1)) params["only"] = "moved";
  return params;
}
