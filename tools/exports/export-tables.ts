import type { ExportKind } from "../../core/exports/exports.ts";
import type { ExportTable } from "./export-table.ts";
import { ANSWERS_TABLE } from "./tables/answers.ts";
import { CATALOG_TABLE } from "./tables/catalog.ts";
import { CITATIONS_TABLE } from "./tables/citations.ts";
import { JOBS_TABLE } from "./tables/jobs.ts";
import { MENTIONS_TABLE } from "./tables/mentions.ts";
import { PAGES_TABLE } from "./tables/pages.ts";
import { QUERIES_TABLE } from "./tables/queries.ts";
import { STANCES_TABLE } from "./tables/stances.ts";
import { VISIBILITY_TABLE } from "./tables/visibility.ts";

export const EXPORT_TABLES: Readonly<Record<ExportKind, ExportTable>> = {
  answers: ANSWERS_TABLE,
  mentions: MENTIONS_TABLE,
  citations: CITATIONS_TABLE,
  queries: QUERIES_TABLE,
  jobs: JOBS_TABLE,
  catalog: CATALOG_TABLE,
  visibility: VISIBILITY_TABLE,
  stances: STANCES_TABLE,
  pages: PAGES_TABLE,
};
