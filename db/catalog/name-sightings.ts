import { asc, inArray } from "drizzle-orm";
import { findLeadingWord, summariseName, type NameSummary } from "../../core/brands/brand-suggestions.ts";
import type { NameSighting } from "../../core/brands/name-gatherer.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { SuggestionRow } from "./brand-suggestions.ts";
import { deleteRows, matches } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";

export interface SuggestionContext {
  now: Instant;
  newId: () => string;
  isKnown: (name: string) => boolean;
}

export async function listSightedNames({ db: { q, t }, workspaceId }: Tenant, collectId: string): Promise<string[]> {
  const { nameSightings } = t;
  const rows = await q
    .select({ folded: nameSightings.folded })
    .from(nameSightings)
    .where(matches(nameSightings, { workspaceId, collectId }))
    .orderBy(asc(nameSightings.folded));
  return rows.map(({ folded }) => folded);
}

/** Idempotent: suggestions are recomputed from the stored sightings of all collects. */
export async function replaceNameSightings(
  tenant: Tenant,
  collectId: string,
  { foldedNames, sightings }: { foldedNames: readonly string[]; sightings: readonly NameSighting[] },
  by: SuggestionContext,
): Promise<void> {
  const { db, workspaceId } = tenant;
  const { q, t } = db;
  await deleteRows(q, t.nameSightings, { collectId, folded: foldedNames });
  await db.bulkInsert(
    t.nameSightings,
    sightings.map((sighting) => ({ ...sighting, workspaceId, collectId })),
  );
  await updateSuggestions(tenant, foldedNames, by);
}

async function updateSuggestions(tenant: Tenant, names: readonly string[], by: SuggestionContext): Promise<void> {
  const { db, workspaceId } = tenant;
  const { q, t } = db;
  const rows = await q
    .select()
    .from(t.nameSightings)
    .where(matches(t.nameSightings, { workspaceId, folded: names }))
    .orderBy(asc(t.nameSightings.folded), asc(t.nameSightings.collectId));
  const sightings = new Map<string, NameSighting[]>(names.map((name) => [name, []]));
  for (const row of rows) sightings.get(row.folded)?.push(row);
  const suggestions = await q
    .select()
    .from(t.brandSuggestions)
    .where(matches(t.brandSuggestions, { workspaceId, folded: names }))
    .orderBy(asc(t.brandSuggestions.folded));
  const stored = new Map(suggestions.map((row) => [row.folded, row]));
  const changed = names.flatMap((name) => {
    const old = stored.get(name);
    const next = buildSuggestion(tenant, summariseName(sightings.get(name) ?? []), old, by);
    return next === undefined || next === old ? [] : [{ old, next }];
  });
  const gone = changed.flatMap(({ old }) => (old ? [old.id] : []));
  await deleteRows(q, t.brandSuggestions, inArray(t.brandSuggestions.id, gone));
  await db.bulkInsert(
    t.brandSuggestions,
    changed.map(({ next }) => next),
  );
}

function buildSuggestion(
  { organizationId, workspaceId }: Tenant,
  summary: NameSummary | undefined,
  old: SuggestionRow | undefined,
  { now, newId, isKnown }: SuggestionContext,
): SuggestionRow | undefined {
  const owned = isKnown(old?.text ?? summary?.text ?? "");
  // Accepting or merging stands while a brand has the name.
  if (old && owned && (old.status === "accepted" || old.status === "merged")) return old;
  if (!summary)
    return old && { ...old, status: reopenUnlessDismissed(old), brandId: null, occurrences: 0, listed: false };
  if (!old && (owned || !summary.isSuggested)) return undefined;
  const { folded, text, answerCount, confidence, signals, examples, firstSeenAt, lastSeenAt } = summary;
  const status = reopenUnlessDismissed(old);
  return {
    id: old?.id ?? newId(),
    organizationId,
    workspaceId,
    status,
    listed: status === "dismissed" || (summary.isSuggested && !owned),
    brandId: null,
    mergedAlias: null,
    createdAt: old?.createdAt ?? now,
    updatedAt: old?.updatedAt ?? now,
    folded,
    text,
    occurrences: answerCount,
    confidence,
    signals,
    examples,
    firstSeenAt,
    lastSeenAt,
    lead: findLeadingWord(folded) ?? null,
  };
}

/** A dismissal is permanent; an accepted suggestion reopens when no brand has the name. */
function reopenUnlessDismissed(old: SuggestionRow | undefined): "open" | "dismissed" {
  return old?.status === "dismissed" ? "dismissed" : "open";
}
