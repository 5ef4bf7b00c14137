import { z } from "zod";
import { listTopTags } from "../../db/catalog/tags.ts";
import { listSchema, listQuery, organizationPath } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { shapeTags, Tag } from "./tag.ts";

export const listOrganizationTags = endpoint({
  name: "listOrganizationTags",
  method: "GET",
  path: "/v1/organizations/:organization_id/tags",
  group: "Tags",
  summary: "List the tags of an organization",
  description:
    "List the tags (labels of analyses and assets) that all workspaces of an organization share, with usage. For those of one workspace use list_tags.",
  access: { organization: "viewer" },
  whenEmpty: "No tags exist. Programs create them through REST, described on the page /docs/tags.",
  input: z.strictObject({ ...organizationPath, ...listQuery }),
  output: listSchema(Tag),
  async handle(input, { tenant }) {
    const space = { ...tenant, workspaceId: null };
    const rows = await listTopTags(space, parsePagination("organization-tags", input));
    const page = toPage("organization-tags", input, rows, { key: (row) => [row.id, row.position], row: (row) => row });
    return { ...page, data: await shapeTags(tenant, page.data) };
  },
});
