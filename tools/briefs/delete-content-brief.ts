import { z } from "zod";
import { deleteContentBrief as deleteContentBriefRow } from "../../db/briefs/content-briefs.ts";
import { notFound } from "../../core/shared/errors.ts";
import { Id } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { contentBriefPath } from "./content-brief.ts";

export const deleteContentBrief = endpoint({
  name: "deleteContentBrief",
  method: "DELETE",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/content-briefs/:content_brief_id",
  group: "Content Briefs",
  summary: "Delete a content brief",
  logged: "Deleted content brief {content_brief_id}",
  description: "Deletes a content brief. Its action, analysis and answers stay.",
  access: { workspace: "editor" },
  input: z.strictObject(contentBriefPath),
  output: z.object({ id: Id, deleted: z.literal(true) }),
  async handle({ content_brief_id: id }, { tenant }) {
    if (!(await deleteContentBriefRow(tenant, id))) throw notFound("content brief");
    return { id, deleted: true as const };
  },
});
