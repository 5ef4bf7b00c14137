import { z } from "zod";
import type { Tenant } from "../../db/engine/store.ts";
import { listUsableTags } from "../../db/catalog/tags.ts";
import { notFound } from "../../core/shared/errors.ts";
import { Id } from "../../core/shared/fields.ts";
import { shapeTags, Tag } from "./tag.ts";

export const tagIdsField = z
  .array(Id)
  .max(100)
  .describe("Ids of all tags, from list_tags and list_organization_tags; empty for none.");

export const TagSetSchema = z.object({ tags: z.array(Tag) }).meta({ id: "TagSet" });

/** Deduplicated. NOT_FOUND unless all are tags of the workspace or its organization. */
export async function requireUsableTagIds(tenant: Tenant, given: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(given)];
  const usable = await listUsableTags(tenant, wanted);
  if (usable.length < wanted.length) throw notFound("tag");
  return wanted;
}

export async function readTagSet(tenant: Tenant, ids: readonly string[]): Promise<z.input<typeof TagSetSchema>> {
  return { tags: await shapeTags(tenant, await listUsableTags(tenant, ids)) };
}
