import { z } from "zod";
import { workspacePath } from "../../core/fields.ts";
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
  description:
    "Use this to add a label at the end of its parent's order. Naming a parent makes a child; there are two levels.",
  access: { workspace: "editor" },
  notATool: "write endpoint not marked for agents",
  input: z.strictObject({ ...workspacePath, ...tagFields }),
  output: Tag,
  errors: ["NOT_FOUND", "CONFLICT", "QUOTA_EXCEEDED"],
  async handle(input, context) {
    return addTag(context.tenant, input, context);
  },
});
