import { z } from "zod";
import { organizationPath } from "../../core/fields.ts";
import { endpoint } from "../endpoint.ts";
import { addTag } from "./add-tag.ts";
import { Tag, tagFields } from "./tag.ts";

export const createOrganizationTag = endpoint({
  name: "createOrganizationTag",
  method: "POST",
  path: "/v1/organizations/:organization_id/tags",
  status: 201,
  group: "Tags",
  summary: "Create an organization tag",
  description:
    "Use this to add a label for every workspace of the organization at the end of its parent's order. Naming a parent makes a child; there are two levels.",
  access: { organization: "editor" },
  notATool: "write endpoint not marked for agents",
  input: z.strictObject({ ...organizationPath, ...tagFields }),
  output: Tag,
  errors: ["NOT_FOUND", "CONFLICT", "QUOTA_EXCEEDED"],
  async handle(input, context) {
    return addTag({ ...context.tenant, workspaceId: null }, input, context);
  },
});
