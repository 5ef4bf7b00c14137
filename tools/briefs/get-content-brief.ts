import { z } from "zod";
import { findContentBrief } from "../../db/briefs/content-briefs.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { ContentBrief, contentBriefPath, shapeContentBrief } from "./content-brief.ts";

export const getContentBrief = endpoint({
  name: "getContentBrief",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/content-briefs/:content_brief_id",
  group: "Content Briefs",
  summary: "Read a content brief",
  description: "Read one content brief: prompts, audience, outline, questions, cited pages and evidence.",
  access: { workspace: "viewer" },
  input: z.strictObject(contentBriefPath),
  output: ContentBrief,
  async handle({ content_brief_id }, { tenant }) {
    return shapeContentBrief(requireFound(await findContentBrief(tenant, content_brief_id), "content brief"));
  },
});
