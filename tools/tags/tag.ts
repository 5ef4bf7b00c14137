import { z } from "zod";
import { findTag, listChildTags, type TagRow, type TagScope } from "../../db/catalog/tags.ts";
import type { OrganizationTenant } from "../../db/engine/store.ts";
import { AppError, requireFound, notFound } from "../../core/shared/errors.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import {
  Id,
  InstantField,
  nameSchema,
  organizationPath,
  outsideTextSchema,
  workspacePath,
} from "../../core/shared/fields.ts";

/** JSON Schema counts code points; String.length counts UTF-16 code units. */
const TagNameField = nameSchema(510)
  .refine((value) => Array.from(value).length <= 255, "must have at most 255 characters")
  .meta({ maxLength: 255 });

const HexColorField = z
  .string()
  .regex(/^#[0-9A-Fa-f]{6}$/, "must be a color such as #1A2B3C")
  .meta({ maxLength: 7 });

const EmptyTextField = z.literal("");

/** Tag fields (interface.md 4.2). Forms cannot send null, so an empty string means null. */
export const tagFields = {
  name: TagNameField,
  parent: Id.or(EmptyTextField).nullable().optional().describe("Parent tag; empty for a tag of the first level."),
  color: HexColorField.or(EmptyTextField).nullable().optional().describe("Color as #RRGGBB; empty for none."),
  order: z.unknown().optional().describe("Ignored: a new tag is the last of its siblings."),
};

const tagIdFields = { tag_id: Id.describe("Tag id, from list_tags.") };
export const tagPath = { ...workspacePath, ...tagIdFields };
export const organizationTagPath = {
  ...organizationPath,
  tag_id: Id.describe("Tag id, from list_organization_tags."),
};

const tagOutputFields = {
  id: Id,
  workspace_id: Id.optional().describe("Workspace; absent for a tag of the organization."),
  organization_id: Id,
  name: outsideTextSchema(),
  order: z.int().describe("Position among the siblings; the first is 0."),
  analyses_count: z.int().describe("Analyses with this tag or one of its children."),
  assets_count: z.int().describe("Assets with this tag or one of its children, except archived ones."),
  created_at: InstantField,
  updated_at: InstantField,
  parent: Id.optional().describe("Parent tag; absent at the first level."),
  color: z.string().optional().describe("Color as #RRGGBB; absent for none."),
};

const ChildTagSchema = z
  .object({ ...tagOutputFields, children: z.array(z.never()).describe("Always empty: tags have two levels.") })
  .meta({ id: "ChildTag" });

export const Tag = z
  .object({ ...tagOutputFields, children: z.array(ChildTagSchema).describe("Child tags in order.") })
  .meta({ id: "Tag" });

function shapeFields({ workspaceId, parentId, color, position: order, ...row }: TagRow) {
  return {
    ...toSnakeCase(row),
    order,
    ...(workspaceId !== null && { workspace_id: workspaceId }),
    ...(parentId !== null && { parent: parentId }),
    ...(color !== null && { color }),
  };
}

export function shapeTag(row: TagRow, children: readonly TagRow[]): z.input<typeof Tag> {
  return { ...shapeFields(row), children: children.map((child) => ({ ...shapeFields(child), children: [] })) };
}

export async function shapeTags(tenant: OrganizationTenant, rows: readonly TagRow[]): Promise<z.input<typeof Tag>[]> {
  const parents = rows.filter((row) => row.parentId === null).map((row) => row.id);
  const children = await listChildTags(tenant, parents);
  return rows.map((row) =>
    shapeTag(
      row,
      children.filter((child) => child.parentId === row.id),
    ),
  );
}

export async function readTag(space: TagScope, id: string): Promise<z.input<typeof Tag>> {
  const row = await findTag(space, id);
  const [shaped] = row ? await shapeTags(space, [row]) : [];
  if (!shaped) throw notFound("tag");
  return shaped;
}

/** NOT_FOUND for a parent of another space; CONFLICT for a parent that is itself a child. */
export async function resolveParent(space: TagScope, given: string | null): Promise<string | null> {
  if (given === null || given === "") return null;
  const parent = requireFound(await findTag(space, given), "tag");
  if (parent.parentId !== null) {
    throw new AppError(
      "CONFLICT",
      "Tags have two levels; the parent is already a child. Name a tag of the first level.",
    );
  }
  return parent.id;
}
