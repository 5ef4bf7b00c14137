import { setTimeout as sleep } from "node:timers/promises";
import { asc, eq, inArray } from "drizzle-orm";
import type { Db } from "../../db/engine/store.ts";
import { openChannels as openKeywordChannels } from "../../core/measuring/keyword-channels.ts";
import { openFacts } from "../../core/measuring/collect-facts.ts";
import { collecting } from "../collecting/scene.ts";
import { committed } from "../committed.ts";
import { importReader } from "../import-reader.ts";

/** A name that the scene's catalog does not know and its answers name again and again. */
export const UNKNOWN = "Zenvora";

const WHY = ["lasts long", "is quiet", "comes with good service", "costs little", "is easy to clean"];

/** Answers of one collect in every shape that is read: lists, tables, prose with links, result pages. Seeded by `from`. */
export function recordedLines(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, index) => {
    const at = index + from;
    const names = [UNKNOWN, "Acme", "Rival"].filter((_name, place) => (at + place) % 4 !== 0);
    const ordered = at % 2 === 0 ? names : names.toReversed();
    const keyword = `best phone for case ${index % 40}`;
    const run = Math.floor(index / 160) + 1;
    const why = (place: number) => WHY[(at + place) % WHY.length] ?? "";
    const listed = ordered.map((name, place) => `${place + 1}. **${name}** – It ${why(place)}.`).join("\n");
    const rows = ordered.map((name, place) => `| ${name} | It ${why(place)} |`).join("\n");
    const citations = names.map((name) => ({ url: `https://www.${name.toLowerCase()}.test/p/${at % 9}`, title: name }));
    const shapes = [
      { source: "ASSISTANT_A", text: `These stand out.\n\n${listed}`, citations },
      { source: "ASSISTANT_B", text: `| Brand | Why |\n| --- | --- |\n${rows}`, citations: [] },
      {
        source: "ASSISTANT_C",
        text: `Many people like ${ordered.join(" and ")}; see [tests](https://${UNKNOWN.toLowerCase()}.test/).`,
      },
      {
        source: "SEARCH_A",
        results: ordered.map((name, place) => ({
          rank: place + 1,
          url: `https://${name.toLowerCase()}.test/`,
          title: `${name}: phones`,
          snippet: `All about ${name}.`,
        })),
      },
    ];
    return JSON.stringify({ keyword, run, ...shapes[Math.floor(index / 40) % 4] });
  });
}

/** A workspace with the brands Acme and Rival, and an analysis of answers that are imported. */
export async function catalogScene(options: Parameters<typeof collecting>[0] = {}) {
  const s = await collecting(options);
  const analysis = await s.create(["best phone"], { sources: [] });
  const projectId = analysis.split("/").at(-1) ?? "";
  const brands = `${s.workspace.path}/brands`;
  const search = `client_id=${s.organization.id}&project_id=${projectId}`;
  return {
    ...s,
    analysis,
    projectId,
    brands,
    /** Imports lines, and waits until they are measured, with or without a worker. */
    async import(lines: readonly string[]) {
      await using _reader = s.config.SERVE.includes("worker") ? undefined : importReader(s);
      const body = lines.join("\n");
      const sent = await s.owner.request("POST", `${analysis}/answers/import`, {
        body,
        headers: { "content-type": "application/x-ndjson" },
      });
      if (sent.status >= 300) throw new Error(JSON.stringify(sent.body));
      await s.ended(analysis, sent.body.number);
      return sent.body.collect_id as string;
    },
    /** Waits until the stored answers follow the catalog, and gives the state that says so. */
    async reread() {
      for (let waited = 0; waited < 20_000; waited += 10) {
        const { body } = await s.owner.get(`${s.workspace.path}/catalog-reading`);
        if (body.status === "idle") return body;
        if (body.status === "failed") throw new Error(body.reason);
        await sleep(10);
      }
      throw new Error("the answers were not read again in 20 s");
    },
    /** What is recommended and not resolved once all background work is done, as it reads in any workspace. */
    async recommended() {
      const { q, t } = committed(s.store);
      const open = inArray(t.backgroundJobs.status, ["queued", "leased"]);
      for (let waited = 0; (await q.$count(t.backgroundJobs, open)) > 0; waited += 10) {
        if (waited > 20_000) throw new Error("the background jobs were not done in 20 s");
        await sleep(10);
      }
      const { body } = await s.owner.get(`${s.workspace.path}/recommended-actions?limit=100`);
      const actions: Record<string, unknown>[] = body.data;
      const unresolved = actions.filter(({ resolved_at }) => resolved_at === null);
      const told = unresolved.map(({ action_label: label, category, channel, score, impact }) => {
        return JSON.stringify({ label, category, channel, score, impact });
      });
      return told.toSorted();
    },
    top: async (query = "") => (await s.owner.get(`/api/v1/top-brands?${search}&${query}`)).body.data,
    figures: () => storedFigures(committed(s.store)),
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

export type CatalogScene = Awaited<ReturnType<typeof catalogScene>>;

/** Everything that is read and summed, with brands and keywords by name, so that two stores can be compared. */
export async function storedFigures(db: Db) {
  const { q, t } = db;
  const brands = new Map(
    (await q.select({ id: t.brands.id, name: t.brands.name }).from(t.brands)).map((b) => [b.id, b.name]),
  );
  const nameOf = (id: string | null) => (id === null ? null : (brands.get(id) ?? "a brand that is gone"));
  const readings = {
    mentions: await q.select().from(t.mentions).orderBy(asc(t.mentions.answerId), asc(t.mentions.start)),
    places: await q.select().from(t.places).orderBy(asc(t.places.answerId), asc(t.places.rank), asc(t.places.brandId)),
    citations: await q.select().from(t.citations).orderBy(asc(t.citations.answerId), asc(t.citations.position)),
  };
  const answers = await q
    .select({ id: t.answers.id, eligible: t.answers.eligible, version: t.answers.readingVersion })
    .from(t.answers)
    .orderBy(asc(t.answers.id));
  const numbers = new Map(answers.map(({ id }, number) => [id, number]));
  const plain = <Row extends { answerId: string; brandId: string | null }>(row: Row) => ({
    ...row,
    answerId: numbers.get(row.answerId),
    brandId: nameOf(row.brandId),
  });
  const collects = await q.select().from(t.collects).orderBy(asc(t.collects.number));
  return {
    answers: answers.map(({ eligible, version }) => ({ eligible, version })),
    mentions: readings.mentions.map(plain),
    places: readings.places.map(plain),
    citations: readings.citations.map(plain),
    sums: await Promise.all(collects.map(({ id, number }) => sumsOf(db, { id, number }, nameOf))),
  };
}

async function sumsOf({ q, t }: Db, collect: { id: string; number: number }, nameOf: (id: string) => string | null) {
  const { id: collectId, number } = collect;
  const { collectTotals: totals, brandRollups: rollups, collectFacts: facts, keywordChannels: channels } = t;
  const sorted = (rows: object[]) => rows.map((row) => JSON.stringify({ ...row, collectId: number })).toSorted();
  const packed = await q.select().from(facts).where(eq(facts.collectId, collectId)).orderBy(asc(facts.source));
  const opened = await q.select().from(channels).where(eq(channels.collectId, collectId)).orderBy(asc(channels.source));
  return {
    number,
    totals: sorted(await q.select().from(totals).where(eq(totals.collectId, collectId))),
    rollups: sorted(
      (await q.select().from(rollups).where(eq(rollups.collectId, collectId))).map((row) => ({
        ...row,
        brandId: nameOf(row.brandId),
      })),
    ),
    facts: packed.map(({ source, facts: bytes }) => {
      const { brandIds, brands: places, ...columns } = openFacts(bytes);
      const ids = JSON.parse(new TextDecoder().decode(brandIds)) as string[]; // as packFacts wrote it
      return { source, brands: ids.map(nameOf), places, ...columns };
    }),
    channels: opened.map(({ source, channels: bytes }) => ({ source, ...openKeywordChannels(bytes) })),
  };
}
