import type { ExportKind } from "../../core/exports/exports.ts";
import type { ExportTable } from "./export-table.ts";
import { ANSWERS } from "./tables/answers.ts";
import { CATALOG } from "./tables/catalog.ts";
import { CITATIONS } from "./tables/citations.ts";
import { JOBS } from "./tables/jobs.ts";
import { MENTIONS } from "./tables/mentions.ts";
import { PAGES } from "./tables/pages.ts";
import { QUERIES } from "./tables/queries.ts";
import { STANCES } from "./tables/stances.ts";
import { VISIBILITY } from "./tables/visibility.ts";

export const EXPORT_TABLES: Readonly<Record<ExportKind, ExportTable>> = {
  answers: ANSWERS,
  mentions: MENTIONS,
  citations: CITATIONS,
  queries: QUERIES,
  jobs: JOBS,
  catalog: CATALOG,
  visibility: VISIBILITY,
  stances: STANCES,
  pages: PAGES,
};
