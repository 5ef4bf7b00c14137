import { and, eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { hashPacked, packColumns, unpackColumns, toIntegerColumn } from "../../core/metrics/packed-columns.ts";
import { PERCEPTION_VERSION } from "../../core/perception/perception.ts";
import { READING_VERSION } from "../../core/reading/reading.ts";
import { ReextractionProgress } from "../../core/reading/reextraction.ts";
import { rereadOutdated } from "../../src/jobs/rereading/reread-outdated.ts";
import { openCommitted } from "../support/committed.ts";
import { catalogScene, recordedLines, UNKNOWN, type CatalogScene } from "./scene.ts";
import { rereadAll } from "./rereading-cases.ts";

const COMPETITOR = { name: UNKNOWN, domains: [`${UNKNOWN.toLowerCase()}.test`], relationship: "competitor" };

/** Two collects of every shape of answer. */
async function importBoth(s: CatalogScene) {
  await s.import(recordedLines(160));
  await s.import(recordedLines(160, 1));
}

test("a competitor that is added after two collects has exactly the figures that it would have had from the start", async () => {
  await using later = await catalogScene();
  await importBoth(later);
  const before = await later.top();
  expect(before.map(({ brand }: { brand: string }) => brand)).not.toContain(UNKNOWN);
  await later.owner.post(later.brands, COMPETITOR);
  expect(await later.reread()).toEqual({
    status: "idle",
    answers_done: 320,
    answers_total: 320,
    started_at: expect.any(String),
    finished_at: expect.any(String),
    reason: null,
  });

  await using always = await catalogScene();
  await always.owner.post(always.brands, COMPETITOR);
  await importBoth(always);
  expect(await later.top()).toEqual(await always.top());
  expect(await later.top()).toContainEqual(expect.objectContaining({ brand: UNKNOWN, occurrences: 90, total: 120 }));
  expect(await later.figures()).toEqual(await always.figures());
});

test("recommendations follow a changed catalog like metrics", async () => {
  const change = { aliases: [{ text: UNKNOWN }], domains: ["acme.test", `${UNKNOWN.toLowerCase()}.test`] };
  await using later = await catalogScene();
  await importBoth(later);
  const before = await later.recommended();
  await later.owner.patch(`${later.brands}/${later.brandId}`, change);
  await later.reread();
  await using always = await catalogScene();
  await always.owner.patch(`${always.brands}/${always.brandId}`, change);
  await importBoth(always);
  const after = await later.recommended();
  expect(after).not.toEqual(before);
  expect(after).toEqual(await always.recommended());
});

test("each relevant change updates readings, and undoing it restores them", async () => {
  await using s = await catalogScene();
  const rival = (await s.owner.get(`${s.brands}?text=rival`)).body.data[0];
  await importBoth(s);
  const before = await s.figures();
  const seen: unknown[] = [before];
  const changes = [
    { aliases: [{ text: UNKNOWN }] },
    { aliases: [], excluded_phrases: ["and Rival"] },
    { excluded_phrases: [], domains: [`${UNKNOWN.toLowerCase()}.test`] },
    { domains: rival.domains, kind: "product", parent_id: s.brandId },
  ];
  for (const change of changes) {
    expect((await s.owner.patch(`${s.brands}/${rival.id}`, change)).status).toBe(200);
    await s.reread();
    const after = await s.figures();
    for (const other of seen) expect(after).not.toEqual(other);
    seen.push(after);
  }
  await s.owner.patch(`${s.brands}/${rival.id}`, { kind: "brand", parent_id: null });
  await s.reread();
  expect(await s.figures()).toEqual(before);
  const made = await s.owner.post(s.brands, COMPETITOR);
  await s.reread();
  expect(await s.figures()).not.toEqual(before);
  const withIt = await s.top();
  expect((await s.owner.delete(`${s.brands}/${made.body.id}`)).status).toBe(200);
  await s.reread();
  expect(await s.top()).toEqual(withIt.filter((row: { brand: string }) => row.brand !== UNKNOWN));
});

test("after repeated catalog changes during re-extraction, all readings use the newest", async () => {
  await using s = await catalogScene();
  await importBoth(s);
  const rival = (await s.owner.get(`${s.brands}?text=rival`)).body.data[0];
  for (let times = 0; times < 12; times += 1) {
    await s.owner.patch(`${s.brands}/${rival.id}`, { aliases: times % 2 === 0 ? [{ text: UNKNOWN }] : [] });
  }
  await s.owner.post(s.brands, COMPETITOR);
  await s.reread();
  await using always = await catalogScene();
  await always.owner.post(always.brands, COMPETITOR);
  await importBoth(always);
  expect(await s.figures()).toEqual(await always.figures());
});

test("under constant changes, re-extraction reaches all collects, and no sums mix two catalogs", async () => {
  // Fault: each change restarted with the newest collect, so that older ones were never reached.
  await using s = await catalogScene({ env: { SERVE: "core,search" } });
  for (const from of [0, 1, 2]) await s.import(recordedLines(160, from));
  const rival = (await s.owner.get(`${s.brands}?text=rival`)).body.data[0];
  const change = (aliases: object[]) => s.owner.patch(`${s.brands}/${rival.id}`, { aliases });
  const sums = async () => (await s.figures()).sums.map((sum) => JSON.stringify(sum));
  const withoutAlias = await sums();
  await change([{ text: UNKNOWN }]);
  await rereadAll(s, async () => undefined);
  const withAlias = await sums();
  expect(withAlias.map((sum, index) => sum === withoutAlias[index])).toEqual([false, false, false]);

  let [writes, changes, visitedBeforeTheLast] = [0, 0, 0];
  const visited = new Set<string | null>();
  await change([]);
  await rereadAll(s, async () => {
    const { q, t } = openCommitted(s.store);
    for (const { progress } of await q.select({ progress: t.backgroundJobs.progress }).from(t.backgroundJobs)) {
      visited.add(ReextractionProgress.safeParse(progress).data?.collect ?? null);
    }
    visited.delete(null);
    for (const [index, sum] of (await sums()).entries()) expect([withAlias[index], withoutAlias[index]]).toContain(sum);
    writes += 1;
    if (writes > 30 || writes % 3 !== 0) return;
    changes += 1;
    await change(changes % 2 === 1 ? [{ text: UNKNOWN }] : []);
    visitedBeforeTheLast = visited.size;
  });
  expect({ changes, visitedBeforeTheLast }).toEqual({ changes: 10, visitedBeforeTheLast: 3 });
  expect(await sums()).toEqual(withoutAlias);
});

/**
 * Facts as they were packed before they knew which answers cite a brand: by brand, without runs.
 */
function withoutRuns(packed: Uint8Array): Buffer {
  const { columns, text } = unpackColumns(packed);
  const [starts = [], brands = []] = columns.slice(-3);
  const byBrand = Array.from(starts).flatMap((start, at) =>
    Array.from(brands.slice(start, starts[at + 1] ?? start)).toSorted((a, b) => a - b),
  );
  return packColumns([...columns.slice(0, -2), toIntegerColumn(byBrand)], new TextDecoder().decode(text));
}

/** Sums packed before citations had squares. */
function withoutSquares(packed: Uint8Array): Buffer {
  const { columns, text } = unpackColumns(packed);
  return packColumns(columns.slice(0, -4), new TextDecoder().decode(text));
}

interface CitedRow {
  citations: number;
  ci_low: number | null;
}

const lowOf = ({ ci_low: low }: CitedRow) => low;

test("facts and sums without citation runs are shown, and recomputed after a start", async () => {
  await using s = await catalogScene({ env: { SERVE: "core,search" } });
  for (const from of [0, 1]) await s.import(recordedLines(320, from));
  await s.owner.patch(`${s.brands}/${s.brandId}`, { domains: ["acme.test"] });
  await rereadAll(s, async () => undefined);
  const figures = await s.figures();
  const shown = async (query: string) => {
    const { status, body } = await s.owner.get(
      `${s.analysis}/metrics/visibility?figure=citations&statistics=true&${query}`,
    );
    return [status, body.data];
  };
  const [, rows] = await shown("");
  expect(rows).toContainEqual(
    expect.objectContaining({ is_my_brand: true, citations: 60, ci_low: expect.any(Number) }),
  );
  await s.store.write(async ({ q, t }) => {
    for (const { digest, facts } of await q.select().from(t.collectFacts)) {
      const packed = withoutRuns(facts);
      await q
        .update(t.collectFacts)
        .set({ digest: hashPacked(packed), facts: packed })
        .where(eq(t.collectFacts.digest, digest));
    }
    const { collectId, source, method, keywordClass } = t.collectSums;
    for (const row of await q.select().from(t.collectSums)) {
      const isOne = and(
        eq(collectId, row.collectId),
        eq(source, row.source),
        eq(method, row.method),
        eq(keywordClass, row.keywordClass),
      );
      await q
        .update(t.collectSums)
        .set({ sums: withoutSquares(row.sums), published: null })
        .where(isOne);
    }
    await q.update(t.collects).set({ summedVersion: `${READING_VERSION}.${PERCEPTION_VERSION}.1` });
  });
  expect(await s.figures()).not.toEqual(figures);
  // Keywords have one or two runs, so nothing is cut and metrics are equal.
  expect(await shown("")).toEqual([200, rows]);
  const [status, published] = await shown("as_published=true");
  expect([status, published.map(lowOf)]).toEqual([
    200,
    rows.map((row: CitedRow) => (row.citations > 0 ? null : lowOf(row))),
  ]);
  const { store, now, newId } = s.deps;
  expect(await rereadOutdated({ store, now, newId, signal: new AbortController().signal })).toBe(1);
  await rereadAll(s, async () => undefined);
  expect(await s.figures()).toEqual(figures);
  expect(await shown("")).toEqual([200, rows]);
});

test("a long re-extraction yields to others and resumes, with equal metrics", async () => {
  // Fault: one workspace's re-extraction blocked all others until its end.
  await using s = await catalogScene({ env: { SERVE: "core,search" } });
  for (const from of [0, 1]) await s.import(recordedLines(160, from));
  await s.owner.post(s.brands, COMPETITOR);
  const clock = vi.spyOn(performance, "now");
  let [at, writes] = [0, 0];
  clock.mockImplementation(() => (at += 11_000));
  await rereadAll(s, async () => void (writes += 1)).finally(() => clock.mockRestore());
  // Nothing runs twice: per collect a begin, ten parts, an end and two parts of names, and the
  // follow-up.
  expect(writes).toBe(28);
  expect((await s.owner.get(`${s.workspace.path}/catalog-reading`)).body).toMatchObject({
    status: "idle",
    answers_done: 320,
    answers_total: 320,
  });
  await using always = await catalogScene();
  await always.owner.post(always.brands, COMPETITOR);
  await importBoth(always);
  expect(await s.figures()).toEqual(await always.figures());
});

test("a brand archived during a collect's re-extraction is used to its end, and in the following ones", async () => {
  await using s = await catalogScene({ env: { SERVE: "core,search" } });
  for (const from of [0, 1]) await s.import(recordedLines(160, from));
  const made = await s.owner.post(s.brands, COMPETITOR);
  let writes = 0;
  await rereadAll(s, async () => {
    writes += 1;
    if (writes === 4) await s.owner.delete(`${s.brands}/${made.body.id}`);
  });
  await using always = await catalogScene();
  const known = await always.owner.post(always.brands, COMPETITOR);
  await always.owner.delete(`${always.brands}/${known.body.id}`);
  await importBoth(always);
  expect(await s.figures()).toEqual(await always.figures());
  expect(await s.top()).toEqual(await always.top());
});
