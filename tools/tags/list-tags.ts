import { z } from "zod";
import { listTopTags } from "../../db/catalog/tags.ts";
import { listSchema, listQuery, workspacePath } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { shapeTags, Tag } from "./tag.ts";

export const listTags = endpoint({
  name: "listTags",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/tags",
  group: "Tags",
  summary: "List the tags of a workspace",
  description:
    "List the tags (labels of analyses and assets) of one workspace, with children and usage. For shared ones use list_organization_tags.",
  access: { workspace: "viewer" },
  whenEmpty: "No tags exist. Programs create them through REST, described on the page /docs/tags.",
  input: z.strictObject({ ...workspacePath, ...listQuery }),
  output: listSchema(Tag),
  async handle(input, { tenant }) {
    const rows = await listTopTags(tenant, parsePagination("tags", input));
    const page = toPage("tags", input, rows, { key: (row) => [row.id, row.position], row: (row) => row });
    return { ...page, data: await shapeTags(tenant, page.data) };
  },
});
