import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { changeTag, tagChangeFields } from "./change-tag.ts";
import { Tag, tagPath } from "./tag.ts";

export const updateTag = endpoint({
  name: "updateTag",
  method: "PATCH",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/tags/:tag_id",
  group: "Tags",
  summary: "Change or move a workspace tag",
  logged: "Changed tag {tag_id}",
  description: "Renames a tag of a workspace, changes its color, or moves it; omitted fields stay as they are.",
  access: { workspace: "editor" },
  input: z.strictObject({ ...tagPath, ...tagChangeFields }),
  output: Tag,
  errors: ["NOT_FOUND", "CONFLICT"],
  async handle(input, { tenant, now }) {
    return changeTag(tenant, input, now);
  },
});
