import { PREFIXES } from "../../tools/search-metrics/keyword-metrics.ts";
import { ANSWERS, CITATIONS, COLLECTS, FILTERS, PROMPTS } from "./rest-endpoints.ts";
import { decimals, percent, whole, written, type Asked, type Fields, type Row } from "./rest-figures.ts";
import { bodyRows, linksIn } from "./shown-figures.ts";
import { isMeasured } from "./visibility-parts.ts";

// What Prompts, Answers and Sources list, by REST.

export async function promptRows({ rest, query }: Asked): Promise<string[][]> {
  const { data } = await rest(PROMPTS);
  const chosen = query.get("source");
  const { source_names: asked } = await rest(FILTERS);
  const ranked = (asked as { source: keyof typeof PREFIXES }[]).flatMap(({ source }) => {
    const prefix = PREFIXES[source];
    return prefix !== undefined && (!chosen || chosen === source) ? [prefix] : [];
  });
  const way = { best: -1, worst: 1 }[query.get("sort") ?? ""] ?? 0;
  const page = Number(query.get("page") ?? 0);
  const rows = (data as Row[]).toSorted((a, b) => way * (scoreOf(a) - scoreOf(b))).slice(page * 50, (page + 1) * 50);
  return rows.map((row) => {
    const before: Fields =
      Number(row["previous_answers"]) > 0 ? { previous_occurrences: whole, previous_answers: whole } : {};
    const ranks = ranked.flatMap((prefix) => [`${prefix}_rank`, `${prefix}_previous_rank`]);
    return written(row, {
      occurrences: whole,
      answers: whole,
      ...before,
      score: decimals(1),
      ...Object.fromEntries(ranks.map((rank) => [rank, decimals(2)])),
    });
  });
}

function scoreOf(row: Row): number {
  return Number(row["score"] ?? 0);
}

/** How many there are, and the id of each that is listed. */
export function answersShown(section: string): string[][] {
  const [, count = ""] = /<h2 id="listed">([\d,]+) /.exec(section) ?? [];
  return [
    [count.replaceAll(",", "")],
    ...bodyRows(section).map((row) => linksIn(row).map((link) => link.split("/").at(-1) ?? "")),
  ];
}

export async function answersListed({ rest, query }: Asked): Promise<string[][]> {
  const latest = ((await rest(COLLECTS, { limit: "100" })).data as Row[]).find(isMeasured);
  const collect = query.get("collect") ? {} : { collect_id: String(latest?.["id"]) };
  const { data, total_count: all } = await rest(ANSWERS, { ...collect, limit: "25" });
  return [[String(all)], ...(data as Row[]).map(({ id }) => [String(id)])];
}

export async function gaps({ rest, own }: Asked): Promise<string[][]> {
  const pages = { by: "page", absent_brand: own, statistics: "true", limit: "10" };
  return ((await rest(CITATIONS, pages, ["source", "topic", "collect"])).data as Row[]).map((row) =>
    written(row, { share: percent }),
  );
}
