import { CHANNEL_PREFIXES } from "../../tools/metrics/keyword-row.ts";
import { ANSWERS, CITATIONS, COLLECTS, FILTERS, PROMPTS, QUERIES, VISIBILITY } from "./rest-endpoints.ts";
import {
  formatBarePercent,
  formatDecimals,
  formatPercent,
  formatWithValue,
  formatWhole,
  formatFields,
  type RestReader,
  type Fields,
  type Row,
} from "./rest-reader.ts";
import { readTableRows, readLinks } from "./read-metrics.ts";
import { isMeasured } from "./visibility-expectations.ts";

// Lists of Prompts, Answers and Sources by REST.

export async function expectedPrompts({ rest, query }: RestReader): Promise<string[][]> {
  const { data } = await rest(PROMPTS);
  const chosen = query.get("source");
  const { source_names: asked } = await rest(FILTERS);
  const ranked = (asked as { source: keyof typeof CHANNEL_PREFIXES }[]).flatMap(({ source }) => {
    const prefix = CHANNEL_PREFIXES[source];
    return prefix !== undefined && (!chosen || chosen === source) ? [prefix] : [];
  });
  const page = Number(query.get("page") ?? 0);
  const rows = sortPrompts(data as Row[], query).slice(page * 50, (page + 1) * 50);
  return rows.map((row) => {
    const before: Fields =
      Number(row["previous_answers"]) > 0 ? { previous_occurrences: formatWhole, previous_answers: formatWhole } : {};
    const ranks = ranked.flatMap((prefix) => {
      const [now, then] = [Number(row[`${prefix}_answers`] ?? 0), row[`${prefix}_previous_answers`]];
      const wasAsked = now > 0 || then !== undefined;
      return [
        ...formatFields(row, { [`${prefix}_rank`]: formatDecimals(2), [`${prefix}_previous_rank`]: formatDecimals(2) }),
        ...(wasAsked ? [formatWithValue(now, answers)] : []),
        ...(typeof then === "number" ? [formatWithValue(then, formatWhole)] : []),
      ];
    });
    const counts = formatFields(row, {
      occurrences: formatWhole,
      answers: formatWhole,
      ...before,
      score: formatDecimals(1),
    });
    return [...counts, ...ranks];
  });
}

const answers = (value: number) => `${value} answer${value === 1 ? "" : "s"}`;

/** Sort field of each head of the prompts table. */
const SORTED_BY: Readonly<Record<string, string>> = {
  prompt: "keyword_text",
  type: "type",
  topic: "topic",
  persona: "persona",
  score: "score",
};

export function sortPrompts(rows: readonly Row[], query: URLSearchParams): readonly Row[] {
  const sort = query.get("sort");
  if (sort === null) return rows;
  const field = SORTED_BY[sort] ?? `${CHANNEL_PREFIXES[sort as keyof typeof CHANNEL_PREFIXES]}_rank`;
  const value = (row: Row) =>
    sort === "presence" && Number(row["answers"]) > 0
      ? Number(row["occurrences"]) / Number(row["answers"])
      : row[field];
  const way = query.get("direction") === "desc" ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)];
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    return (
      way *
      (typeof left === "string" && typeof right === "string"
        ? left.localeCompare(right, "en")
        : Number(left) - Number(right))
    );
  });
}

/** How many there are, and the id of each that is listed. */
export function readShownAnswers(section: string): string[][] {
  const [, count = ""] = /<h2 id="listed">([\d,]+) /.exec(section) ?? [];
  return [
    [count.replaceAll(",", "")],
    ...readTableRows(section).map((row) => readLinks(row).map((link) => link.split("/").at(-1) ?? "")),
  ];
}

export async function expectedAnswers({ rest, query }: RestReader): Promise<string[][]> {
  const latest = ((await rest(COLLECTS, { limit: "100" })).data as Row[]).find(isMeasured);
  const collect = query.get("collect") ? {} : { collect_id: String(latest?.["id"]) };
  const { data, total_count: all } = await rest(ANSWERS, { ...collect, limit: "25" });
  return [[String(all)], ...(data as Row[]).map(({ id }) => [String(id)])];
}

export async function expectedGaps({ rest, own }: RestReader): Promise<string[][]> {
  const pages = { group_by: "page", absent_brand: own, statistics: "true", limit: "10" };
  return ((await rest(CITATIONS, pages, ["source", "topic", "country", "collect"])).data as Row[]).map((row) =>
    formatFields(row, { share: formatPercent }),
  );
}

/** The list of Sources: of sites or pages, or of searches. */
export async function expectedSources({ rest, query }: RestReader): Promise<string[][]> {
  const paged = { statistics: "true", limit: "25" };
  const interval: Fields = { ci_low: formatBarePercent, ci_high: formatPercent };
  if (query.get("by") === "search") {
    const of: Fields = {
      share: formatPercent,
      ...interval,
      answers: formatWhole,
      searches: formatWhole,
      prompts: formatWhole,
    };
    return ((await rest(QUERIES, paged)).data as Row[]).map((row) => formatFields(row, of));
  }
  const of: Fields = { share: formatPercent, ...interval, answers: formatWhole, citations: formatWhole };
  return ((await rest(CITATIONS, paged)).data as Row[]).map((row) => formatFields(row, of));
}

const OF_SELECTION = ["source", "topic", "country", "collect"] as const;

/** Searches next to the list; not shown if the list has searches. */
export async function expectedSearches({ rest, query }: RestReader): Promise<string[][]> {
  if (query.get("by") === "search") return [];
  const { data } = await rest(QUERIES, { statistics: "true", limit: "10" }, OF_SELECTION);
  return (data as Row[]).map((row) => formatFields(row, { answers: formatWhole, prompts: formatWhole }));
}

/**
 * Which sites are cited where the own brand and each of its four most visible rivals are named: the
 * ten that reach most.
 */
export async function expectedCitedWith({ rest, own }: RestReader): Promise<string[][]> {
  const { data: visible } = await rest(VISIBILITY, { limit: "5" }, ["collect"]);
  const { brands } = await rest(FILTERS);
  const named = (brands as { id: string; name: string }[]).find(({ id }) => id === own);
  const rivals = (visible as Row[]).map((row) => ({ id: String(row["brand_id"]), name: String(row["brand"]) }));
  const each = [...(named ? [named] : []), ...rivals.filter(({ id }) => id !== own).slice(0, 4)];
  const lists = await Promise.all(
    each.map(async ({ id, name }) => ({
      name,
      ...(await rest(CITATIONS, { with_brand: id, limit: "100" }, OF_SELECTION)),
    })),
  );
  const reached = new Map<string, number>();
  for (const { data } of lists)
    for (const { domain, share } of data as { domain: string; share: number }[])
      reached.set(domain, Math.max(share, reached.get(domain) ?? 0));
  const domains = [...reached].toSorted(([, a], [, b]) => b - a).slice(0, 10);
  return domains.map(([domain]) => [
    domain,
    ...lists.map(({ name, data, next_cursor: next, citing_answers: citing }) => {
      const row = (data as Row[]).find((one) => one["domain"] === domain);
      if (citing === 0 || (!row && next !== null)) return "";
      const counts = `${Number(row?.["answers"] ?? 0)} of ${citing} answers that name ${name} and have citations`;
      return `${formatWithValue(Number(row?.["share"] ?? 0), formatPercent)} ${counts}`;
    }),
  ]);
}
