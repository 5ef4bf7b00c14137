import type { AnalysisType } from "../../../core/analyses/analysis.ts";

/** Analysis types in URLs. */
export const NEW_TYPES = {
  search: "search_analysis",
  brand: "brand_analysis",
  audit: "geo_audit",
} as const satisfies Record<string, AnalysisType>;
export type NewType = keyof typeof NEW_TYPES;

export type StepName = "what" | "keywords" | "columns" | "prompts" | "where" | "when" | "price";

export const STEPS: Readonly<Record<NewType, readonly StepName[]>> = {
  search: ["what", "keywords", "columns", "where", "when", "price"],
  brand: ["what", "prompts", "where", "when", "price"],
  audit: ["what", "when", "price"],
};

const WHEN_FIELDS = ["runs", "every", "at", "weekday", "day_of_month", "time_zone", "ends", "max_spend"];
const BRAND_FIELDS = ["brand", "brand_name", "website", "competitors", "competitor_names", "agree"];

/** Fields per step. Prompt and column fields have a number as suffix. */
const FIELDS_BY_TYPE: Readonly<Record<NewType, Partial<Record<StepName, readonly string[]>>>> = {
  search: {
    what: ["name", ...BRAND_FIELDS],
    keywords: ["keywords"],
    columns: ["separator", "head", "column"],
    where: ["sources", "methods", "country", "language", "device", "persona"],
    when: WHEN_FIELDS,
  },
  brand: {
    what: ["name", ...BRAND_FIELDS, "category", "attributes"],
    prompts: ["prompt", "own_prompts"],
    where: ["sources", "methods", "countries", "language", "personas"],
    when: WHEN_FIELDS,
  },
  audit: {
    what: ["name", "website", "pages_of", "sitemap_url", "max_pages", "urls", "render"],
    when: WHEN_FIELDS.filter((field) => field !== "runs" && field !== "max_spend"),
  },
};

/** Ignores the number of a repeated field. */
export function isFieldOfStep(type: NewType, step: StepName, field: string): boolean {
  return FIELDS_BY_TYPE[type][step]?.includes(field.replace(/_\d+$/, "")) ?? false;
}

export function findStep(type: NewType, field: string): StepName | undefined {
  return STEPS[type].find((step) => isFieldOfStep(type, step, field));
}
