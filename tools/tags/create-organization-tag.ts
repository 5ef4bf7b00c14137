import { z } from "zod";
import { organizationPath } from "../../core/shared/fields.ts";
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
  logged: "Created organization tag {name}",
  description:
    "Adds a tag for every workspace of the organization, last among its siblings. Tags have two levels; a tag with a parent is a child.",
  access: { organization: "editor" },
  input: z.strictObject({ ...organizationPath, ...tagFields }),
  output: Tag,
  errors: ["NOT_FOUND", "CONFLICT", "QUOTA_EXCEEDED"],
  async handle(input, context) {
    return addTag({ ...context.tenant, workspaceId: null }, input, context);
  },
});
