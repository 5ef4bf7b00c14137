import { z } from "zod";
import { findAnalysis } from "../../db/analyses/analyses.ts";
import { replaceAnalysisTags as replaceTagsOfAnalysis } from "../../db/catalog/taggings.ts";
import { notFound } from "../../core/shared/errors.ts";
import { analysisPath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { TagSetSchema, tagIdsField, requireUsableTagIds, readTagSet } from "./tag-set.ts";

export const replaceAnalysisTags = endpoint({
  name: "replaceAnalysisTags",
  method: "PUT",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/tags",
  group: "Tags",
  summary: "Set the tags of an analysis",
  logged: "Set the tags of analysis {analysis_id}",
  description: "Replaces all tags of an analysis by the given tags of the workspace and the organization.",
  access: { workspace: "editor" },
  input: z.strictObject({ ...analysisPath, tag_ids: tagIdsField }),
  output: TagSetSchema,
  errors: ["NOT_FOUND"],
  async handle({ analysis_id, tag_ids }, { tenant }) {
    if (!(await findAnalysis(tenant, analysis_id))) throw notFound("analysis");
    const ids = await requireUsableTagIds(tenant, tag_ids);
    await replaceTagsOfAnalysis(tenant, analysis_id, ids);
    return readTagSet(tenant, ids);
  },
});
