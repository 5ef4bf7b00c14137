import { z } from "zod";
import { findAnalysis } from "../../db/measuring/analyses.ts";
import { countCitingAnswers, listCitedPages } from "../../db/measuring/cited-pages.ts";
import { notFound } from "../../core/errors.ts";
import {
  analysisPath,
  CompetitorTypeField,
  Id,
  listOf,
  listQuery,
  outsideText,
  SourceField,
} from "../../core/fields.ts";
import { pageOf, readPage } from "../../core/page.ts";
import { listChannels } from "../../db/measuring/search-metrics.ts";
import type { Db } from "../../db/engine/store.ts";
import { openChannels } from "../../core/measuring/keyword-channels.ts";
import { SOURCES_IN_WORDS, type Source } from "../../core/sources.ts";
import { endpoint } from "../endpoint.ts";
import { nameOr } from "../name-or.ts";
import { Basis, basisOf, type CountedAnswers } from "../search-metrics/basis.ts";
import { chooseCollects, idsOf } from "../search-metrics/choose-collects.ts";
import { chosenSources, rounded } from "../search-metrics/selection.ts";

const Citation = z
  .object({
    domain: outsideText(),
    url: outsideText().nullable().describe("The page; null where rows are domains."),
    competitor_type: CompetitorTypeField,
    brand_id: Id.nullable().describe("The brand whose own site it is, if any."),
    brand: z.string().nullable(),
    answers: z.int().describe("Answers that cite it."),
    citations: z.int(),
    share: z.number().describe("answers / citing_answers: 0 to 1."),
  })
  .meta({ id: "Citation" });

const FIGURES =
  "answers = those that cite the site or page; share = answers / citing_answers, 0 to 1; citing_answers = those that cite anything";

export const listCitations = endpoint({
  name: "listCitations",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/metrics/citations",
  group: "Metrics",
  summary: "Rank the sites and pages that answers cite",
  description: "See which pages or domains answers cite, most cited first, and which kinds of site.",
  access: { workspace: "viewer" },
  input: z.strictObject({
    ...analysisPath,
    collect_id: Id.optional().describe("From list_collects; by default the latest completed or partial one."),
    sources: z.array(SourceField).min(1).optional().describe(`All by default. ${SOURCES_IN_WORDS}`),
    by: z.enum(["domain", "page"]).default("domain").describe("What a row is."),
    brand_id: nameOr("brand").optional().describe("Only sites of this brand: its name, or the id from list_brands."),
    domain: z.string().max(253).optional().describe("Only pages of this domain."),
    competitor_types: z.array(CompetitorTypeField).min(1).optional().describe("Only these kinds of site."),
    ...listQuery,
  }),
  output: listOf(Citation).extend({
    citing_answers: z.int().describe("Answers of the selection that cite anything."),
    basis: Basis,
  }),
  isHeavy: (input) => input.domain === undefined,
  async handle(input, { db, tenant }) {
    if (!(await findAnalysis(tenant, input.analysis_id))) throw notFound("analysis");
    const page = readPage("citations", input);
    // A page after the first stays with the collect of the first, whatever has completed meanwhile.
    const [collectId = input.collect_id, answers, citations, domain = "", url = ""] = page.after ?? [];
    const { current } = await chooseCollects(tenant, input.analysis_id, { collect_id: collectId });
    const sources = chosenSources(input.sources);
    const counted = await countCollected(db, idsOf(current), sources);
    const basis = basisOf(FIGURES, { current, previous: [] }, { current: counted, previous: [] });
    const [collect] = current;
    if (!collect) return { data: [], next_cursor: null, citing_answers: 0, basis };
    const { by, brand_id: brandId, domain: onDomain, competitor_types: competitorTypes } = input;
    const filter = { collectId: collect.id, sources, by, brandId, domain: onDomain, competitorTypes };
    const after = page.after && { answers: Number(answers), citations: Number(citations), domain, url };
    const rows = await listCitedPages(db, filter, page.limit, after);
    const total = await countCitingAnswers(db, collect.id, sources);
    const list = pageOf("citations", input, rows, {
      key: (row) => [collect.id, row.answers, row.citations, row.domain, row.url],
      row: (row) => ({
        domain: row.domain,
        url: row.url === "" ? null : row.url,
        competitor_type: row.competitorType ?? ("UNKNOWN" as const),
        brand_id: row.brandId,
        brand: row.brand,
        answers: row.answers,
        citations: row.citations,
        share: rounded(row.answers / total),
      }),
    });
    return { ...list, citing_answers: total, basis };
  },
});

/** Every answer counts, whether it names a brand or not. */
async function countCollected(db: Db, collectIds: string[], sources: readonly Source[]): Promise<CountedAnswers[]> {
  const rows = await listChannels(db, collectIds, sources);
  return rows.map(({ collectId, source, channels }) => {
    let answers = 0;
    for (const count of openChannels(channels).answers) answers += count;
    return { collectId, source, answers };
  });
}
