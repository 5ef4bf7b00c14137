import type { PageReader } from "../../../core/audits/audit-page.ts";
import { detectPageType } from "../../../core/audits/page-facts/detect-page-type.ts";
import { parsePage } from "../../../core/audits/parse-page.ts";
import { readValidatedData } from "../../../core/audits/structured-data/read-structured-data.ts";
import { suggestPageTypes } from "../../../core/audits/structured-data/suggest-page-types.ts";

export const PAGE_READER: PageReader = {
  parse: parsePage,
  detectType: (page, finalUrl) => detectPageType({ finalUrl }, page, suggestPageTypes(readValidatedData(page).items)),
};
