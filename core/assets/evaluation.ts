export const EVALUATION_STATUSES = ["queued", "running", "completed", "partial", "failed", "archived"] as const;
export const ASSET_SCORE_STATUSES = ["waiting", "judged", "not_judged", "failed"] as const;
