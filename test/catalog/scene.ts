import { setTimeout as sleep } from "node:timers/promises";
import { asc, eq, inArray } from "drizzle-orm";
import type { Db } from "../../db/engine/store.ts";
import { unpackChannels as openKeywordChannels } from "../../core/metrics/keyword-channels.ts";
import { unpackFacts } from "../../core/metrics/facts/collect-facts.ts";
import { unpackAddresses, unpackLinks } from "../../core/metrics/facts/collect-links.ts";
import { unpackSums } from "../../core/metrics/packed-sums.ts";
import { collectScene } from "../collecting/scene.ts";
import { openCommitted } from "../support/committed.ts";
import { startImportReader } from "./import-reader.ts";

/** A frequent name outside the scene's catalog. */
export const UNKNOWN = "Zenvora";

const WHY = ["lasts long", "is quiet", "comes with good service", "costs little", "is easy to clean"];

/**
 * Answers of one collect in all shapes: lists, tables, prose with links, result pages. Seeded by
 * `from`.
 */
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
export async function catalogScene(options: Parameters<typeof collectScene>[0] = {}) {
  const s = await collectScene(options);
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
      await using _reader = s.config.SERVE.includes("worker") ? undefined : startImportReader(s);
      const body = lines.join("\n");
      const sent = await s.owner.request("POST", `${analysis}/answers/import`, {
        body,
        headers: { "content-type": "application/x-ndjson" },
      });
      if (sent.status >= 300) throw new Error(JSON.stringify(sent.body));
      await s.ended(analysis, sent.body.number);
      return sent.body.collect_id as string;
    },
    /** Waits until stored answers follow the catalog; returns that state. */
    async reread() {
      for (let waited = 0; waited < 20_000; waited += 10) {
        const { body } = await s.owner.get(`${s.workspace.path}/catalog-reading`);
        if (body.status === "idle") return body;
        if (body.status === "failed") throw new Error(body.reason);
        await sleep(10);
      }
      throw new Error("the answers were not read again in 20 s");
    },
    /** Open recommendations after all jobs, comparable between workspaces. */
    async recommended() {
      const { q, t } = openCommitted(s.store);
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
    figures: () => storedFigures(openCommitted(s.store)),
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

export type CatalogScene = Awaited<ReturnType<typeof catalogScene>>;

/** All readings and sums with brands and keywords by name, for comparing stores. */
export async function storedFigures(db: Db) {
  const { q, t } = db;
  const brands = await q
    .select({ name: t.brands.name, number: t.brands.number, workspaceId: t.brands.workspaceId })
    .from(t.brands);
  const brandOf = (workspaceId: string | undefined, number: number | null) => {
    if (number === null) return null;
    return brands.find((brand) => brand.number === number && brand.workspaceId === workspaceId)?.name ?? "unknown";
  };
  const answers = await q.select().from(t.answers).orderBy(asc(t.answers.id));
  const numbers = new Map(answers.map(({ key, workspaceId }, number) => [key, { number, workspaceId }]));
  const plain = (rows: { answerKey: number; brandNumber: number | null }[]) => {
    const named = rows.map(({ answerKey, brandNumber, ...row }) => {
      const answer = numbers.get(answerKey);
      return { answer: answer?.number, brand: brandOf(answer?.workspaceId, brandNumber), ...row };
    });
    return named.map((row) => JSON.stringify(row)).toSorted();
  };
  const collects = await q.select().from(t.collects).orderBy(asc(t.collects.number));
  return {
    answers: answers.map(({ isShown, isInformative, readingVersion }) => ({ isShown, isInformative, readingVersion })),
    mentions: plain(await q.select().from(t.mentions)),
    places: plain(await q.select().from(t.places)),
    citations: plain(await q.select().from(t.citations)),
    sums: await Promise.all(
      collects.map(async (one) => sumsOf(db, one, (number) => brandOf(one.workspaceId, number) ?? "")),
    ),
  };
}

function sorted(rows: object[]): string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

async function sumsOf({ q, t }: Db, collect: { id: string; number: number }, nameOf: (number: number) => string) {
  const { id: collectId, number } = collect;
  const { collectSums: stored, collectFacts: facts, keywordChannels: channels, collectLinks: links } = t;
  return {
    number,
    sums: sorted(
      (await q.select().from(stored).where(eq(stored.collectId, collectId))).map(({ source, ...row }) => {
        const { brands, ...common } = unpackSums(row.sums);
        const named = sorted([...brands].map(([brand, sums]) => ({ brand: nameOf(brand), ...sums })));
        return { source, method: row.method, keywordClass: row.keywordClass, ...common, brands: named };
      }),
    ),
    facts: sorted(
      (await q.select().from(facts).where(eq(facts.collectId, collectId))).map(({ source, method, ...row }) => {
        const { rowStarts, answers, notShown, informative, namesOwn, wayOf, citedStarts, ...columns } = unpackFacts(
          row.facts,
        );
        const byKeyword = [rowStarts, answers, notShown, informative, namesOwn, wayOf, citedStarts].map((one) => [
          ...one,
        ]);
        const places = Array.from(columns.brands, (brand, at) => ({
          // Ranks are ordered by brand number, which depends on creation order.
          keyword: byKeyword[0]?.findLastIndex((start) => start <= at),
          run: columns.runIndexes[at],
          brand: nameOf(brand),
          rank: [columns.ranks[at], columns.brandRanks[at], columns.mentions[at]],
        }));
        const cited = sorted(
          Array.from(columns.citedBrands, (brand, at) => ({
            keyword: byKeyword[6]?.findLastIndex((start) => start <= at),
            run: columns.citedRuns[at],
            brand: nameOf(brand),
          })),
        );
        return {
          source,
          method,
          byKeyword,
          cited,
          places: sorted(places),
          ways: new TextDecoder().decode(columns.ways),
        };
      }),
    ),
    channels: sorted(
      (await q.select().from(channels).where(eq(channels.collectId, collectId))).map((row) => {
        return { source: row.source, method: row.method, ...openKeywordChannels(row.channels) };
      }),
    ),
    links: (await q.select().from(links).where(eq(links.collectId, collectId)))
      .toSorted((one, other) => one.source.localeCompare(other.source) || one.part - other.part)
      .map(({ source, method, holds, part, bytes }) => {
        if (holds === "addresses") return { source, method, part, addresses: unpackAddresses(bytes) };
        const { pageBrands, ...columns } = unpackLinks(bytes);
        const brands = Array.from(pageBrands, (brand) => (brand === 0 ? null : nameOf(brand)));
        return { source, method, part, ...columns, brands };
      }),
  };
}
