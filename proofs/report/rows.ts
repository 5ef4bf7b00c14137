import type { ReportScene } from "./scene.ts";

/** API fields shown in the report; `docs/measurement.md` defines each metric. */
export interface BrandRow {
  brand: string;
  is_my_brand: boolean;
  topic?: string;
  answers: number;
  prompts: number;
  occurrences: number;
  presence_rate: number;
  average_rank: number | null;
  top_3_rate: number;
  visibility_score: number;
  share_of_voice: number | null;
  previous: number | null;
  ci_low: number | null;
  ci_high: number | null;
  grade: string;
  change: { before: number | null; after: number | null; p: number | null; verdict: string } | null;
}

export interface SiteRow {
  domain: string;
  competitor_type: string;
  citations: number;
}

interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

/** Every row of a list, over all its pages. */
export async function allRows<T>(get: ReportScene["get"], path: string): Promise<T[]> {
  const rows: T[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const next: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    // Safe: the API declares these fields of its lists.
    const page = (await get(`${path}${path.includes("?") ? "&" : "?"}limit=100${next}`)) as unknown as Page<T>;
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return rows;
}

/** Brands over all collects, or the own brand per topic if `by` is "topic". */
export async function readBrands({ get, collects }: ReportScene, by = "brand"): Promise<BrandRow[]> {
  const chosen = collects.map((id) => `collect_ids=${id}`).join("&");
  return allRows(get, `/metrics/visibility?${chosen}&statistics=true&group_by=${by}`);
}

/**
 * Brands in the last collect compared with the earlier ones, by presence or visibility score.
 * `previous` is the value of all answers, also where a change cannot be judged.
 */
export async function readChanges({ get, collects }: ReportScene, figure: string): Promise<BrandRow[]> {
  const before = collects.slice(0, -1).map((id) => `prev_collect_ids=${id}`);
  const chosen = [`collect_ids=${collects.at(-1)}`, ...before].join("&");
  const path = `/metrics/visibility?${chosen}&figure=${figure}`;
  const [judged, plain] = [await allRows<BrandRow>(get, `${path}&statistics=true`), await allRows<BrandRow>(get, path)];
  const previous = new Map(plain.map((row) => [row.brand, row.previous]));
  return judged.map((row) => ({ ...row, previous: previous.get(row.brand) ?? null }));
}

/** Cited sites of every collect. */
export async function readSites({ get, collects }: ReportScene): Promise<SiteRow[]> {
  const found = await Promise.all(
    collects.map((id) => allRows<SiteRow>(get, `/metrics/citations?collect_id=${id}&group_by=domain`)),
  );
  return found.flat();
}

/** Sums per name, largest first, then by name. */
export function totals<T>(rows: readonly T[], of: (row: T) => string, count: (row: T) => number): [string, number][] {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(of(row), (sums.get(of(row)) ?? 0) + count(row));
  return [...sums].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}
