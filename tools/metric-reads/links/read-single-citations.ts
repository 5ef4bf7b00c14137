import { parseLocation } from "../../../core/shared/analysis-location.ts";
import { parsePagination, toPage } from "../../../core/shared/pagination.ts";
import { SOURCE_NAMES } from "../../../core/sources/sources.ts";
import { removeInvisible } from "../../../core/shared/fields.ts";
import { findAnalysis } from "../../../db/analyses/analyses.ts";
import { listSingleCitations } from "../../../db/answers/single-citations.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { keywordCondition } from "../../../db/metrics/search-metrics.ts";
import { shapeSite, type CitationRow } from "../../metrics/citation-row.ts";
import { listIds } from "../selection/choose-collects.ts";
import type { LinksInput, LinksOptions } from "./open-links.ts";
import { readLinks } from "./read-links.ts";

/** Rows are single citations of the answers that the metrics count. */
export async function readSingleCitations(
  tenant: Tenant,
  input: LinksInput & { limit: number; cursor?: string | undefined },
  options: LinksOptions,
) {
  const { places = {}, isCited } = options;
  const asked = { ...input, statistics: false };
  const { opened, collect, brands, total: citing_answers, basis } = await readLinks(tenant, asked, options);
  const { analysis, selection, parts, presence, ownerNumber } = opened;
  const page = parsePagination("citations", input);
  const found = {
    collectIds: listIds(opened.collects.current),
    ways: parts.counted,
    questionCondition: await keywordCondition(tenant.db, analysis.id, selection.filter),
    presence,
    isCited,
    place: places,
    brandNumber: ownerNumber,
    siteTypes: places.siteTypes,
  };
  const { rows, total: total_count } = await listSingleCitations(tenant, found, page);
  const nameCollect = (id: string) => {
    const run = opened.collects.current.find((one) => one.id === id);
    return run && { collect: run.number, collect_id: id };
  };
  const setup = (await findAnalysis(tenant, analysis.id))?.setup ?? {};
  const role = isCited ? ("cited" as const) : ("retrieved" as const);
  const list = toPage("citations", input, rows, {
    key: (row) => [row.id, collect?.id ?? "", row.storedPosition],
    row: (row): CitationRow => ({
      ...shapeSite(row, row.brandNumber === null ? undefined : brands.get(row.brandNumber)),
      source: SOURCE_NAMES[row.source],
      ...nameCollect(row.collectId),
      country: parseLocation(setup, row.country).country,
      keyword: removeInvisible(row.text),
      keyword_id: row.questionId,
      answer_id: row.id,
      collected_at: row.collectedAt,
      position: row.position,
      role,
    }),
  });
  return { ...list, total_count, citing_answers, basis };
}
