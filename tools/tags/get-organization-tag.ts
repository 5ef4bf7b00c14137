import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { organizationTagPath, readTag, Tag } from "./tag.ts";

export const getOrganizationTag = endpoint({
  name: "getOrganizationTag",
  method: "GET",
  path: "/v1/organizations/:organization_id/tags/:tag_id",
  group: "Tags",
  summary: "Read an organization tag",
  description: "Read one shared tag of an organization with its children; list_organization_tags has the same for all.",
  access: { organization: "viewer" },
  input: z.strictObject(organizationTagPath),
  output: Tag,
  async handle({ tag_id }, { tenant }) {
    return readTag({ ...tenant, workspaceId: null }, tag_id);
  },
});
