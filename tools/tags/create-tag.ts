import { z } from "zod";
import { workspacePath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { addTag } from "./add-tag.ts";
import { Tag, tagFields } from "./tag.ts";

export const createTag = endpoint({
  name: "createTag",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/tags",
  status: 201,
  group: "Tags",
  summary: "Create a workspace tag",
  logged: "Created tag {name}",
  description: "Adds a tag, last among its siblings. Tags have two levels; a tag with a parent is a child.",
  access: { workspace: "editor" },
  input: z.strictObject({ ...workspacePath, ...tagFields }),
  output: Tag,
  errors: ["NOT_FOUND", "CONFLICT", "QUOTA_EXCEEDED"],
  async handle(input, context) {
    return addTag(context.tenant, input, context);
  },
});
