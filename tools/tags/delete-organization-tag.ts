import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { DeletedTagSchema, removeTag } from "./remove-tag.ts";
import { organizationTagPath } from "./tag.ts";

export const deleteOrganizationTag = endpoint({
  name: "deleteOrganizationTag",
  method: "DELETE",
  path: "/v1/organizations/:organization_id/tags/:tag_id",
  group: "Tags",
  summary: "Delete an organization tag",
  logged: "Deleted organization tag {tag_id}",
  description:
    "Deletes a tag of an organization with its children. Tagged analyses and assets stay, without these tags.",
  access: { organization: "editor" },
  input: z.strictObject(organizationTagPath),
  output: DeletedTagSchema,
  errors: ["NOT_FOUND"],
  async handle({ tag_id }, { tenant }) {
    return removeTag({ ...tenant, workspaceId: null }, tag_id);
  },
});
