import { z } from "zod";
import { findContentBrief, updateContentBrief as updateContentBriefRow } from "../../db/briefs/content-briefs.ts";
import { findPersona } from "../../db/catalog/personas.ts";
import { requireFound, invalidInput, notFound } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { ContentBrief, contentBriefFields, contentBriefPath, shapeContentBrief } from "./content-brief.ts";

export const updateContentBrief = endpoint({
  name: "updateContentBrief",
  method: "PATCH",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/content-briefs/:content_brief_id",
  group: "Content Briefs",
  summary: "Edit a content brief",
  logged: "Edited content brief {content_brief_id}",
  description: "Changes title, audience, outline or questions; omitted fields stay as they are.",
  access: { workspace: "editor" },
  input: z.strictObject({ ...contentBriefPath, ...z.object(contentBriefFields).partial().shape }),
  output: ContentBrief,
  async handle({ content_brief_id: id, ...given }, { tenant, now }) {
    if (!(await findContentBrief(tenant, id))) throw notFound("content brief");
    const personaId = given.audience?.persona_id ?? null;
    if (personaId !== null && !(await findPersona(tenant, personaId))) {
      throw invalidInput([{ path: "audience.persona_id", message: "must be a persona of this workspace" }]);
    }
    const { title, audience, outline, questions } = given;
    const stored = requireFound(
      await updateContentBriefRow(tenant, id, { title, audience, outline, questions, updatedAt: now }),
      "content brief",
    );
    return shapeContentBrief(stored);
  },
});
