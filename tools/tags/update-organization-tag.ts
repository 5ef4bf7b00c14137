import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { changeTag, tagChangeFields } from "./change-tag.ts";
import { organizationTagPath, Tag } from "./tag.ts";

export const updateOrganizationTag = endpoint({
  name: "updateOrganizationTag",
  method: "PATCH",
  path: "/v1/organizations/:organization_id/tags/:tag_id",
  group: "Tags",
  summary: "Change or move an organization tag",
  logged: "Changed organization tag {tag_id}",
  description: "Renames a tag of an organization, changes its color, or moves it; omitted fields stay as they are.",
  access: { organization: "editor" },
  input: z.strictObject({ ...organizationTagPath, ...tagChangeFields }),
  output: Tag,
  errors: ["NOT_FOUND", "CONFLICT"],
  async handle(input, { tenant, now }) {
    return changeTag({ ...tenant, workspaceId: null }, input, now);
  },
});
