import { z } from "zod";
import { listAnalysesOfAnswers, listSuggestions } from "../../db/catalog/brand-suggestions.ts";
import { SUGGESTION_STATUSES } from "../../core/brands/brand-suggestions.ts";
import { listSchema, listQuery, textSchema, workspacePath } from "../../core/shared/fields.ts";
import { foldBrandName } from "../../core/brands/name-gatherer.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { BrandSuggestion, shapeSuggestion } from "./brand-suggestion.ts";

export const listBrandSuggestions = endpoint({
  name: "listBrandSuggestions",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brand-suggestions",
  group: "Brand Catalog",
  summary: "List suggested brands",
  description:
    "Find new competitors: names that answers mention and the catalog does not track. Only a person can accept, merge or dismiss them.",
  access: { workspace: "viewer" },
  whenEmpty: "No new brand names were found in answers. Names are searched after each run: list_collects has the runs.",
  input: z.strictObject({
    ...workspacePath,
    status: z.enum(SUGGESTION_STATUSES).optional().describe("Only this status; open: undecided."),
    text: textSchema(200).optional().describe("Part of the name."),
    sort: z.enum(["occurrences", "confidence"]).default("occurrences").describe("Sorted by this value, highest first."),
    ...listQuery,
  }),
  output: listSchema(BrandSuggestion),
  async handle(input, { tenant }) {
    const { status, sort } = input;
    const folded = input.text === undefined ? undefined : foldBrandName(input.text);
    const rows = await listSuggestions(tenant, { status, folded, sort }, parsePagination("brand-suggestions", input));
    const analyses = await listAnalysesOfAnswers(
      tenant,
      rows.flatMap((row) => row.examples),
    );
    return toPage("brand-suggestions", input, rows, {
      key: (row) => [row[sort], row.id],
      row: (row) => shapeSuggestion(row, analyses),
    });
  },
});
