import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { organizationTagPath, readTag, Tag } from "./tag.ts";

export const getOrganizationTag = endpoint({
  name: "getOrganizationTag",
  method: "GET",
  path: "/v1/organizations/:organization_id/tags/:tag_id",
  group: "Tags",
  summary: "Read an organization tag",
  description:
    "Read one tag that an organization's workspaces share, with its children. For tags of one workspace use get_tag.",
  access: { organization: "viewer" },
  input: z.strictObject(organizationTagPath),
  output: Tag,
  async handle({ tag_id }, { tenant }) {
    return readTag({ ...tenant, workspaceId: null }, tag_id);
  },
});
