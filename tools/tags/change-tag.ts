import { z } from "zod";
import { findTag, listChildTags, moveTag, updateTag, type TagRow, type TagScope } from "../../db/catalog/tags.ts";
import { AppError, requireFound } from "../../core/shared/errors.ts";
import type { Instant } from "../../core/shared/time.ts";
import { resolveParent, readTag, tagFields, type Tag } from "./tag.ts";

/** Tag changes. The position field is `position`, because the interface ignores `order` everywhere. */
export const tagChangeFields = {
  ...tagFields,
  name: tagFields.name.optional(),
  order: tagFields.order.describe("Ignored; use position to move a tag."),
  position: z.int().min(0).optional().describe("New position among the siblings, from 0; larger values mean the end."),
};

interface TagChange {
  tag_id: string;
  name?: string | undefined;
  color?: string | null | undefined;
  parent?: string | null | undefined;
  position?: number | undefined;
}

/** A new parent without a position appends the tag to its children. */
export async function changeTag(space: TagScope, change: TagChange, now: Instant): Promise<z.input<typeof Tag>> {
  const tag = requireFound(await findTag(space, change.tag_id), "tag");
  const { name, color, position } = change;
  const parentId = change.parent === undefined ? tag.parentId : await resolveNewParent(space, tag, change.parent);
  if (parentId !== tag.parentId || position !== undefined) {
    await moveTag(space, tag, { parentId, position: position ?? Number.MAX_SAFE_INTEGER, movedAt: now });
  }
  await updateTag(space, tag.id, { name, color: color === "" ? null : color, updatedAt: now });
  return readTag(space, tag.id);
}

async function resolveNewParent(space: TagScope, tag: TagRow, given: string | null): Promise<string | null> {
  const parentId = await resolveParent(space, given);
  if (parentId === tag.id) throw new AppError("CONFLICT", "A tag cannot be its own parent. Choose another parent.");
  if (parentId !== null && (await listChildTags(space, [tag.id])).length > 0) {
    throw new AppError(
      "CONFLICT",
      "Tags have two levels, and this tag has children. Move or delete the children first.",
    );
  }
  return parentId;
}
