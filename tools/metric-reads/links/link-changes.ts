import { setImmediate as nextTurn } from "node:timers/promises";
import type { Tenant } from "../../../db/engine/store.ts";
import { findAnalysis } from "../../../db/analyses/analyses.ts";
import { judgeChanges, type ChangeRow, type UnjudgedChange } from "../../../core/metrics/changes/change-row.ts";
import { openChanges } from "../../../core/metrics/changes/changes.ts";
import type { LinkFilter } from "../../../core/metrics/facts/count-links.ts";
import { buildLinkFacts } from "../../../core/metrics/facts/link-facts.ts";
import { createFamilies } from "../../../core/metrics/share-of-voice.ts";
import type { Group } from "../visibility/visibility-groups.ts";
import { buildSeriesFromFacts } from "../selection/selection-changes.ts";
import type { CountedLinks, LinkRow, OpenedLinks } from "./open-links.ts";

/** Changes of the shares, judged over all rows together: paging and sorting never alter a verdict. */
export async function judgeLinkChanges(
  tenant: Tenant,
  rows: readonly LinkRow[],
  { opened, filter, parts }: { opened: OpenedLinks; filter: LinkFilter; parts: readonly CountedLinks[] },
): Promise<(ChangeRow | null)[]> {
  const { analysis, collects, series } = opened;
  const stored = await findAnalysis(tenant, analysis.id);
  const names = [...new Set(rows.map(({ count }) => count.name))];
  const numberByName = new Map(names.map((name, at) => [name, at + 1]));
  const facts = [];
  for (const part of parts) {
    facts.push({ ...part, facts: buildLinkFacts(part, filter, numberByName) });
    await nextTurn();
  }
  const changes = openChanges(buildSeriesFromFacts(series, facts), {
    comparedMetric: "presence",
    pause: nextTurn,
    clusters: opened.parts.clusters,
    families: createFamilies([]),
    rivals: [],
    shownBrands: [...numberByName.values()],
    isScheduled: stored?.schedule.every !== "once",
    reference: null,
  });
  const byGroup = new Map<Group, Map<number, UnjudgedChange>>();
  for (const { group } of rows) {
    if (byGroup.has(group)) continue;
    const last = group.names.collect === undefined ? collects.current.at(-1) : group.collects[0];
    const position = series.findIndex(({ id }) => id === last?.id);
    const numbers = rows.flatMap((row) => (row.group === group ? (numberByName.get(row.count.name) ?? []) : []));
    const { sources, keywords } = group;
    byGroup.set(group, position < 0 ? new Map() : await changes.at(position, numbers, { sources, keywords }));
  }
  const unjudged = rows.map(({ group, count }) => byGroup.get(group)?.get(numberByName.get(count.name) ?? 0));
  return judgeChanges(unjudged, () => false);
}
