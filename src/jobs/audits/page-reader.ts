import type { PageReader } from "../../../core/audits/audit-page.ts";
import { detectPageType } from "../../../core/audits/page-facts/detect-page-type.ts";
import { parsePage } from "../../../core/audits/parse-page.ts";
import { structuredDataOf } from "../../../core/audits/structured-data/read-structured-data.ts";
import { typesOfPage } from "../../../core/audits/structured-data/types-of-page.ts";

export const READER: PageReader = {
  parse: parsePage,
  typeOf: (page, finalUrl) => detectPageType({ finalUrl }, page, typesOfPage(structuredDataOf(page).items)),
};
