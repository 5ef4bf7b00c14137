export const ANALYSIS_TYPES = ["brand_analysis", "search_analysis", "geo_audit"] as const;
export type AnalysisType = (typeof ANALYSIS_TYPES)[number];

/** Types that send prompts, and so have search metrics. */
export const PROMPTING_TYPES = ["brand_analysis", "search_analysis"] as const satisfies readonly AnalysisType[];

export const ANALYSIS_SORTS = { created_at: "asc", name: "asc", status: "asc", next_collect_at: "asc" } as const;
export type AnalysisSort = keyof typeof ANALYSIS_SORTS;

export const ANALYSIS_STATUSES = ["launching", "collecting", "live", "paused", "archived", "failed"] as const;
export type AnalysisStatus = (typeof ANALYSIS_STATUSES)[number];

export const COLLECT_STATUSES = ["queued", "running", "completed", "partial", "failed"] as const;
export type CollectStatus = (typeof COLLECT_STATUSES)[number];

export const MEASURED_STATUSES = ["completed", "partial"] as const satisfies readonly CollectStatus[];

export const JOB_STATUSES = ["queued", "leased", "succeeded", "failed"] as const;
/** Question statuses; `submitted` means that a provider has, or may have, a task. */
export const QUESTION_STATUSES = [...JOB_STATUSES, "submitted"] as const;
export const SCHEDULES = ["once", "daily", "weekly", "monthly"] as const;
export const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

export const FACET_KINDS = ["thematic", "topic", "strength", "weakness", "related_product", "sub_brand"] as const;
export type FacetKind = (typeof FACET_KINDS)[number];
