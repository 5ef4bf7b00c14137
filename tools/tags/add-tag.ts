import type { z } from "zod";
import { requireRoom } from "../../db/credits/quotas.ts";
import { insertTag, type TagSpace } from "../../db/catalog/tags.ts";
import type { Context } from "../endpoint.ts";
import { parentOf, shapeTag, type Tag } from "./tag.ts";

export async function addTag(
  space: TagSpace,
  given: { name: string; parent?: string | null | undefined; color?: string | null | undefined },
  { now, newId }: Pick<Context, "now" | "newId">,
): Promise<z.input<typeof Tag>> {
  await requireRoom(space, "tags");
  const parentId = await parentOf(space, given.parent ?? null);
  // Forms send an empty string for none.
  const color = given.color || null;
  return shapeTag(await insertTag(space, { id: newId(), parentId, name: given.name, color, at: now }), []);
}
