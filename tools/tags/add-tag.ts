import type { z } from "zod";
import { requireQuota } from "../../db/credits/quotas.ts";
import { insertTag, type TagScope } from "../../db/catalog/tags.ts";
import type { Context } from "../endpoint.ts";
import { resolveParent, shapeTag, type Tag } from "./tag.ts";

export async function addTag(
  space: TagScope,
  given: { name: string; parent?: string | null | undefined; color?: string | null | undefined },
  { now, newId }: Pick<Context, "now" | "newId">,
): Promise<z.input<typeof Tag>> {
  await requireQuota(space, "tags");
  const parentId = await resolveParent(space, given.parent ?? null);
  const color = given.color || null;
  return shapeTag(await insertTag(space, { id: newId(), parentId, name: given.name, color, createdAt: now }), []);
}
