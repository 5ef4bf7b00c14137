import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { readTag, Tag, tagPath } from "./tag.ts";

export const getTag = endpoint({
  name: "getTag",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/tags/:tag_id",
  group: "Tags",
  summary: "Read a workspace tag",
  description: "Read one tag of a workspace with its children; list_tags has the same for all.",
  access: { workspace: "viewer" },
  input: z.strictObject(tagPath),
  output: Tag,
  async handle({ tag_id }, { tenant }) {
    return readTag(tenant, tag_id);
  },
});
