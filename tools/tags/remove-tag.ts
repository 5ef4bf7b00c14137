import { z } from "zod";
import { deleteTag, findTag, type TagScope } from "../../db/catalog/tags.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { Id } from "../../core/shared/fields.ts";

export const DeletedTagSchema = z
  .object({
    id: Id,
    deleted: z.literal(true),
    children_deleted: z.int(),
    analyses_untagged: z.int().describe("Analyses that had the tag or one of its children."),
    assets_untagged: z.int().describe("Assets that had the tag or one of its children."),
  })
  .meta({ id: "DeletedTag" });

export async function removeTag(space: TagScope, id: string): Promise<z.input<typeof DeletedTagSchema>> {
  const tag = requireFound(await findTag(space, id), "tag");
  const { childCount } = await deleteTag(space, tag);
  return {
    id,
    deleted: true,
    children_deleted: childCount,
    analyses_untagged: tag.analysesCount,
    assets_untagged: tag.assetsCount,
  };
}
