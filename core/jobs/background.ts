/** Kinds of background jobs: stored before execution, leased, and repeated after a crash. */
export const BACKGROUND_KINDS = [
  "launch_analysis",
  "import_answers",
  "launch_collect",
  "crawl_site",
  "end_collect",
  "reread_answers",
  "read_claims",
  "read_keywords",
  "suggest_brands",
  "recommend_actions",
  "write_brief",
  "finish_outbox_entry",
  "sync_brief",
  "keep_platform",
  "extract_asset",
  "evaluate_assets",
  "make_export",
] as const;
export type BackgroundKind = (typeof BACKGROUND_KINDS)[number];
