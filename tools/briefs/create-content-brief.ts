import { z } from "zod";
import { findAnalysis } from "../../db/analyses/analyses.ts";
import { insertContentBrief } from "../../db/briefs/content-briefs.ts";
import { requireQuota } from "../../db/credits/quotas.ts";
import { findAction, type ActionRow } from "../../db/actions/recommended-actions.ts";
import { requireFound, invalidInput, notFound } from "../../core/shared/errors.ts";
import { Id, textSchema, workspacePath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { ContentBrief, contentBriefFields, shapeContentBrief } from "./content-brief.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { planFromAnswers } from "./plan-from-answers.ts";
import { planFromPage } from "./plan-from-page.ts";

export const createContentBrief = endpoint({
  name: "createContentBrief",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/content-briefs",
  status: 201,
  group: "Content Briefs",
  summary: "Plan a piece of content",
  logged: "Planned content {title}",
  description:
    "Plans content from stored answers: for a recommended action, for prompts (`keyword`) or a topic of an analysis, or for a page of a GEO audit. Free.",
  access: { workspace: "editor" },
  input: z.strictObject({
    ...workspacePath,
    result_id: Id.optional().describe("Recommended action, from list_recommended_actions."),
    analysis_id: Id.optional().describe("Analysis, from list_analyses; required without result_id."),
    keyword_ids: z.array(Id).min(1).max(50).optional().describe("Prompts of the analysis, from list_keywords."),
    topic: textSchema(200).min(1).optional().describe("Topic name, instead of keyword_ids: plans for all its prompts."),
    page_id: Id.optional().describe("Page of a GEO audit, instead of the fields above."),
    persona_id: Id.optional().describe("Target audience; default: the most frequent persona of the prompts."),
    title: contentBriefFields.title.optional(),
  }),
  output: ContentBrief,
  errors: ["CONFLICT", "QUOTA_EXCEEDED"],
  async handle(input, { tenant, userId, now, newId }) {
    const action = input.result_id === undefined ? undefined : await findAction(tenant, input.result_id);
    if (input.result_id !== undefined && !action) throw notFound("recommended action");
    rejectMixedOrigins(input);
    const { analysis, plan } = await planBrief(tenant, input, action);
    await requireQuota(tenant, "content_briefs");
    const row = await insertContentBrief(tenant, {
      ...plan,
      ...(input.title === undefined ? {} : { title: input.title }),
      id: newId(),
      analysisId: analysis.id,
      actionId: action?.id ?? null,
      isUserEdited: false,
      createdBy: userId,
      createdAt: now,
      updatedAt: now,
    });
    return shapeContentBrief(row);
  },
});

interface BriefOrigins {
  result_id?: string | undefined;
  analysis_id?: string | undefined;
  keyword_ids?: readonly string[] | undefined;
  topic?: string | undefined;
  page_id?: string | undefined;
}

/** An audit action uses its first page. */
async function planBrief(
  tenant: Tenant,
  input: BriefOrigins & { persona_id?: string | undefined },
  action: ActionRow | undefined,
) {
  const { keyword_ids: ids, topic, persona_id: personaId } = input;
  const pageId = input.page_id ?? action?.evidence.flatMap(({ audit }) => audit?.page_id ?? [])[0];
  if (pageId !== undefined) {
    const { analysis, plan } = await planFromPage(tenant, { pageId, personaId });
    return { analysis, plan: { ...plan, evidence: [...(action?.evidence ?? []), ...plan.evidence] } };
  }
  const analysis = requireFound(await findAnalysis(tenant, action?.analysisId ?? input.analysis_id ?? ""), "analysis");
  if (analysis.type === "geo_audit") {
    const path = action ? "result_id" : "analysis_id";
    throw invalidInput([{ path, message: "comes from a GEO audit without a page; give only page_id" }]);
  }
  return { analysis, plan: await planFromAnswers(tenant, { analysis, action, ids, topic, personaId }) };
}

function rejectMixedOrigins(input: BriefOrigins): void {
  const { result_id, analysis_id, keyword_ids, topic, page_id } = input;
  if (page_id !== undefined) {
    const others = Object.entries({ result_id, analysis_id, keyword_ids, topic }).filter(
      ([, value]) => value !== undefined,
    );
    if (others.length === 0) return;
    throw invalidInput(others.map(([path]) => ({ path, message: "cannot be combined with page_id" })));
  }
  const parts = { analysis_id, keyword_ids, topic };
  if (result_id !== undefined) {
    const beside = Object.entries(parts).flatMap(([path, value]) => (value === undefined ? [] : [path]));
    if (beside.length === 0) return;
    throw invalidInput(beside.map((path) => ({ path, message: "cannot be combined with result_id" })));
  }
  if (analysis_id === undefined) {
    throw invalidInput([{ path: "analysis_id", message: "is required without result_id" }]);
  }
  if ((keyword_ids === undefined) === (topic === undefined)) {
    throw invalidInput([{ path: "keyword_ids", message: "give either keyword_ids or topic" }]);
  }
}
