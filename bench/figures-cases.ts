import { SOURCE_NAMES, SOURCES, selectSummedSources, type Source } from "../core/sources/sources.ts";
import type { DuckRows } from "./duck.ts";
import { COLLECTS, idOf, PROJECT } from "./figures-scene.ts";
import type { Product } from "./product.ts";

/** A request, and SQL for the same sums. */
export interface Case {
  what: string;
  /** Minimum speed relative to DuckDB. */
  goal: number | null;
  path: string;
  statements: string[];
  /** The response's rows as text, and the rows expected from DuckDB's sums. */
  shown: (body: Body) => string[];
  expected: (body: Body, sums: DuckRows) => string[];
}

/** A metrics response. */
export interface Body {
  data: Record<string, unknown>[];
}

type Requested = Pick<Product, "organizationId" | "workspacePath">;

export function casesOf({ organizationId, workspacePath }: Requested): Case[] {
  const [topic, persona] = [idOf("f", 3), idOf("d", 2)];
  const two: Source[] = ["ASSISTANT_A", "SEARCH_B_AIO"];
  const twoSources = two.map((source) => `&sources=${source}`).join("");
  const top = (what: string, query: string, of: Narrowed & { goal?: number }): Case => ({
    what: `top-brands, ${what}`,
    goal: of.goal ?? 10,
    path: `/api/v1/top-brands?client_id=${organizationId}&project_id=${PROJECT}${query}`,
    statements: byBrand(of),
    shown: ({ data }) => data.map(topRowShown),
    expected: ({ data }, sums) => data.map(({ brand }) => topRowSummed(String(brand), sums)),
  });
  const by = (part: Part, what: string, query: string, of: Narrowed & { goal: number }): Case => ({
    what: part === "source" ? `by source, ${what}` : `12 collects, ${what}`,
    goal: of.goal,
    path: `${workspacePath}/analyses/${PROJECT}/metrics/visibility?group_by=${part}${query}`,
    statements: byPart(part, of),
    shown: ({ data }) => data.map((row) => partRowShown(part, row)),
    expected: ({ data }, sums) => data.map((row) => partRowSummed(part, String(row[part]), sums)),
  });
  const inTopic = { keywords: "topic = 3" };
  const alone = (one: Case, what: string): Case => {
    return { ...one, what, goal: null, path: `${one.path}&statistics=true`, statements: [] };
  };
  const topOfTopic = top("a topic", `&topic_ids=${topic}`, inTopic);
  const topStored = top("stored", "", { goal: 30 });
  const sourcesStored = by("source", "stored", "", { goal: 30 });
  const collectsStored = by("collect", "stored", "", { goal: 30 });
  return [
    topOfTopic,
    top("two sources", twoSources, { sources: two }),
    top("a persona", `&persona_ids=${persona}`, { keywords: "persona = 2" }),
    topStored,
    top("stored, one source", "&sources=ASSISTANT_A", { sources: ["ASSISTANT_A"], goal: 30 }),
    by("source", "a topic", `&topics=${topic}`, { ...inTopic, goal: 10 }),
    sourcesStored,
    by("collect", "a topic", `&topics=${topic}`, { ...inTopic, goal: 3 }),
    collectsStored,
    alone(topStored, "top-brands with statistics"),
    alone(topOfTopic, "top-brands with statistics, a topic"),
    alone(sourcesStored, "by source with statistics"),
    alone(collectsStored, "12 collects with statistics"),
  ];
}

type Part = "source" | "collect";

interface Narrowed {
  keywords?: string;
  sources?: readonly Source[];
}

const LAST = COLLECTS.length - 1;

/** Sums per brand over the last two collects, and the answer counts that rates divide by. */
function byBrand(of: Narrowed): string[] {
  const where = conditions(`collect in (${LAST - 1}, ${LAST})`, of);
  return [
    `select collect, brand, count(*), sum(mentions), count(distinct keyword), sum(rank), sum(weight)
     from places join keywords using (keyword) where ${where} group by collect, brand`,
    `select collect, count(*) from answers join keywords using (keyword) where ${where} group by collect`,
  ];
}

/** Sums of the own brand and of all brands, by source of the last two collects or by collect. */
function byPart(part: Part, of: Narrowed): string[] {
  const where = conditions(part === "source" ? `collect in (${LAST - 1}, ${LAST})` : "true", of);
  const parts = part === "source" ? "collect, source" : "collect, 0";
  return [
    `select ${parts}, count(*) filter (brand = 1), sum(rank) filter (brand = 1), count(*) filter (brand = 1 and rank <= 3),
       sum(weight) filter (brand = 1), sum(weight)
     from places join keywords using (keyword) where ${where} group by all`,
    `select ${parts}, count(*), count(distinct keyword) from answers join keywords using (keyword) where ${where} group by all`,
  ];
}

function conditions(collects: string, { keywords = "true", sources = selectSummedSources(SOURCES) }: Narrowed): string {
  return `${collects} and generic and ${keywords} and source in (${sources.map((source) => SOURCES.indexOf(source)).join(", ")})`;
}

function topRowShown(row: Body["data"][number]): string {
  const before = [row["occurrences_prev_collect"], row["total_prev_collect"], row["average_rank_prev_collect"]];
  const now = [row["occurrences"], row["total"], row["average_rank"], row["visibility_score"], row["presence_rate"]];
  return textOf([row["brand"], ...now, row["total_mentions"], row["nb_keywords"], ...before]);
}

function topRowSummed(name: string, [brands = [], totals = []]: DuckRows): string {
  const of = (collect: number) => {
    const own = brands.find((row) => row[0] === collect && `Brand ${row[1]}` === name) ?? [];
    const [, , count = 0, mentions, keywords, ranks = 0, weights = 0] = own;
    const total = totals.find((row) => row[0] === collect)?.[1] ?? 0;
    return { count, mentions, keywords, total, rank: ranks / count, weights };
  };
  const [now, before] = [of(LAST), of(LAST - 1)];
  const rates = [now.rank, (100 * now.weights) / now.total, now.count / now.total];
  const counts = [now.mentions, now.keywords, before.count, before.total, before.rank];
  return textOf([name, now.count, now.total, ...rates, ...counts]);
}

function partRowShown(part: Part, row: Body["data"][number]): string {
  const rates = [
    row["average_rank"],
    row["top_3_rate"],
    row["visibility_score"],
    row["share_of_voice"],
    row["previous"],
  ];
  return textOf([row[part], row["answers"], row["prompts"], row["occurrences"], ...rates]);
}

function partRowSummed(part: Part, name: string, [places = [], answers = []]: DuckRows): string {
  const source = SOURCES.findIndex((one) => SOURCE_NAMES[one] === name);
  const keys = part === "source" ? [LAST, source] : [Number(name) - 1, 0];
  const of = (rows: number[][], before: number) =>
    rows.find((row) => row[0] === (keys[0] ?? 0) - before && row[1] === keys[1])?.slice(2) ?? [];
  const [count = 0, ranks = 0, top = 0, weights = 0, voice = 0] = of(places, 0);
  const [total = 0, prompts] = of(answers, 0);
  const [totalBefore] = of(answers, 1);
  const previous = totalBefore === undefined ? null : (of(places, 1)[0] ?? 0) / totalBefore;
  return textOf([
    name,
    total,
    prompts,
    count,
    ranks / count,
    top / total,
    (100 * weights) / total,
    weights / voice,
    previous,
  ]);
}

/** Rounded like responses. */
function textOf(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === "number" ? Math.round(value * 1e6) / 1e6 : value)).join(" ");
}
