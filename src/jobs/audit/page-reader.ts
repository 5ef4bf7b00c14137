import type { PageReader } from "../../../core/audit/audit-page.ts";
import { detectPageType } from "../../../core/audit/page-facts/detect-page-type.ts";
import { parsePage } from "../../../core/audit/parse-page.ts";
import { structuredDataOf } from "../../../core/audit/structured-data/read-structured-data.ts";
import { typesOfPage } from "../../../core/audit/structured-data/types-of-page.ts";

/** How pages are read before they are checked. */
export const READER: PageReader = {
  parse: parsePage,
  typeOf: (page, finalUrl) => detectPageType({ finalUrl }, page, typesOfPage(structuredDataOf(page).items)),
};
