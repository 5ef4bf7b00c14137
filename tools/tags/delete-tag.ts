import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { DeletedTagSchema, removeTag } from "./remove-tag.ts";
import { tagPath } from "./tag.ts";

export const deleteTag = endpoint({
  name: "deleteTag",
  method: "DELETE",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/tags/:tag_id",
  group: "Tags",
  summary: "Delete a workspace tag",
  logged: "Deleted tag {tag_id}",
  description: "Deletes a tag of a workspace with its children. Tagged analyses and assets stay, without these tags.",
  access: { workspace: "editor" },
  input: z.strictObject(tagPath),
  output: DeletedTagSchema,
  errors: ["NOT_FOUND"],
  async handle({ tag_id }, { tenant }) {
    return removeTag(tenant, tag_id);
  },
});
