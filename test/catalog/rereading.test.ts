import { expect, test } from "vitest";
import { unpackSums } from "../../core/metrics/packed-sums.ts";
import { PERCEPTION_VERSION } from "../../core/perception/perception.ts";
import { READING_VERSION } from "../../core/reading/reading.ts";
import { rereadOutdated } from "../../src/jobs/rereading/reread-outdated.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { openCommitted } from "../support/committed.ts";
import { catalogScene, recordedLines, UNKNOWN } from "./scene.ts";
import { rereadAll } from "./rereading-cases.ts";

test("an irrelevant change causes no re-extraction", async () => {
  await using s = await catalogScene();
  await s.reread();
  const state = async () => (await s.owner.get(`${s.workspace.path}/catalog-reading`)).body;
  const before = await state();
  const { domains } = (await s.owner.get(`${s.brands}/${s.brandId}`)).body;
  await s.owner.patch(`${s.brands}/${s.brandId}`, { domains, aliases: [{ text: "Acme" }] });
  expect(await state()).toEqual(before);
});

test("fault: after a rules upgrade, metrics mixed old and new readings; now all use one version, and report progress", async () => {
  await using s = await catalogScene({ env: { SERVE: "core,search" } });
  const ids: string[] = [];
  for (const from of [0, 1]) ids.push(await s.import(recordedLines(160, from)));
  await rereadAll(s, async () => undefined);
  const figures = await s.figures();
  const query = ids.map((id) => `collect_ids=${id}`).join("&");
  const basis = async () => (await s.owner.get(`${s.analysis}/metrics/visibility?${query}`)).body.basis;
  const versions = async () => {
    const { collects, is_rereading: isRereading } = await basis();
    return [isRereading, ...collects.map((one: { reading_version: number | null }) => one.reading_version)];
  };
  expect(await versions()).toEqual([false, READING_VERSION, READING_VERSION]);
  // State left by the previous version.
  await s.store.write(async ({ q, t }) => {
    await q.update(t.answers).set({ readingVersion: READING_VERSION - 1 });
    await q.update(t.collects).set({ summedVersion: `${READING_VERSION - 1}.1` });
  });
  const { store, now, newId } = s.deps;
  const start = () => rereadOutdated({ store, now, newId, signal: new AbortController().signal });
  expect(await start()).toBe(1);
  expect(await versions()).toEqual([true, READING_VERSION - 1, READING_VERSION - 1]);
  const seen = new Set<string>();
  await rereadAll(s, async () => void seen.add(JSON.stringify(await versions())));
  // Each collect reports the rules behind its metrics; the newest is updated first.
  expect(seen).toContain(JSON.stringify([true, READING_VERSION - 1, READING_VERSION]));
  expect(await versions()).toEqual([false, READING_VERSION, READING_VERSION]);
  expect(await s.figures()).toEqual(figures);
  expect(await start()).toBe(0);
  // Rules for opinions have a separate version.
  await s.store.write(async ({ q, t }) => {
    await q.update(t.collects).set({ summedVersion: `${READING_VERSION}.${PERCEPTION_VERSION - 1}.1` });
  });
  expect(await versions()).toEqual([false, READING_VERSION, READING_VERSION]);
  expect(await start()).toBe(1);
});

test("simulated answers that are read again with the same catalog are read as they were at first", async () => {
  await using s = await catalogScene();
  const sources = ["ASSISTANT_A", "ASSISTANT_D", "SEARCH_A", "SEARCH_B_AIO"];
  await s.ended(
    await s.create(["best phone", "which phone lasts", "phone for parents"], { sources, runs_per_prompt: 3 }),
  );
  await s.reread();
  const before = await s.figures();
  const made = await s.owner.post(s.brands, { name: "Nobody Names This" });
  await s.owner.delete(`${s.brands}/${made.body.id}`);
  await s.reread();
  expect(await s.figures()).toEqual(before);
});

test("the re-extraction state is equal by REST and by tool, and idle without changes", async () => {
  await using s = await catalogScene({ env: { SERVE: "core,mcp,web" } });
  const { token } = await mintToolToken(s, s.owner);
  const connect = CLIENTS["SDK 2, auto"];
  if (!connect) throw new Error("no such client");
  await using client = await connect(s.config.mcpUrl, { token });
  const ids = { organization_id: s.organization.id, workspace_id: s.workspace.id };
  const byTool = await client.call("get_catalog_reading", ids);
  const byRest = await s.owner.get(`${s.workspace.path}/catalog-reading`);
  expect(byRest).toMatchObject({ status: 200, body: { status: "queued", answers_done: 0, reason: null } });
  expect(byTool).toMatchObject({ isError: false, structured: byRest.body });
});

const rivalsOf = (count: number) => Array.from({ length: count }, (_, nth) => `Competitor ${"ABCDEFGHIJ"[nth]}x`);

/** Lists and prose with ten competitors before, between and after the others. */
function linesOfMany(): string[] {
  const rivals = rivalsOf(10);
  return Array.from({ length: 20 }, (_, at) => {
    const names = [...rivals.slice(at % 5), "Acme", ...rivals.slice(0, at % 3), ...(at % 2 === 0 ? ["Rival"] : [])];
    const listed = [...new Set(names)].map((name, place) => `${place + 1}. **${name}** – It lasts.`).join("\n");
    const text = at % 4 < 2 ? listed : `People like ${[...new Set(names)].join(", ")}.`;
    return JSON.stringify({
      keyword: `best phone ${at % 7}`,
      source: "ASSISTANT_A",
      run: 1 + Math.floor(at / 7),
      text,
    });
  });
}

test("fault: archiving ten competitors changed ranks of others; rows stay complete, and adding one restores them", async () => {
  await using s = await catalogScene();
  const ids: string[] = [];
  for (const name of rivalsOf(10)) {
    ids.push((await s.owner.post(s.brands, { name, relationship: "competitor" })).body.id);
  }
  await s.import(linesOfMany());
  const others = async () => (await s.top("rows_per_page=100")).filter((row: Named) => !/^comp/i.test(row.brand));
  const before = await others();
  expect(before).toHaveLength(2);
  for (const id of ids) {
    expect((await s.owner.delete(`${s.brands}/${id}`)).body).toEqual({ id, archived: true });
  }
  await s.reread();
  expect(await s.top("rows_per_page=100")).toEqual(before);
  expect((await s.owner.get(s.brands)).body.data).toHaveLength(2);
  expect((await s.owner.get(`${s.brands}/${ids[0]}`)).status).toBe(404);
  const [answer] = (await s.owner.get(`${s.analysis}/answers`)).body.data;
  const { places, mentions } = (await s.owner.get(`${s.analysis}/answers/${answer.id}`)).body;
  for (const { brand } of [...places, ...mentions]) expect(["Acme", "Rival"]).toContain(brand);

  const again = await s.owner.post(s.brands, { name: "competitor AX", relationship: "competitor" });
  expect(again).toMatchObject({ status: 201, body: { id: ids[0], name: "competitor AX" } });
  const inBulk = { brands: rivalsOf(10).map((name) => ({ name, relationship: "competitor" })) };
  await s.owner.post(`${s.brands}/bulk`, inBulk);
  await s.reread();
  expect(await others()).toEqual(before);
  const restored = (await s.owner.get(`${s.brands}?limit=100`)).body.data.map(({ id }: { id: string }) => id);
  expect(restored.toSorted()).toEqual(expect.arrayContaining(ids));
});

interface Named {
  brand: string;
}

test("fault: adding ten brands moved the share of answers of the others; total, occurrences and presence stay", async () => {
  await using s = await catalogScene();
  await s.import(linesOfMany());
  const presence = async () =>
    (await s.top("rows_per_page=100"))
      .filter(({ brand }: Named) => !brand.startsWith("Comp"))
      .map(({ brand, total, occurrences, presence_rate: rate }: Record<string, unknown>) => [
        brand,
        total,
        occurrences,
        rate,
      ])
      .toSorted();
  const before = await presence();
  expect(before).toHaveLength(2);
  for (const name of rivalsOf(10)) await s.owner.post(s.brands, { name, relationship: "competitor" });
  await s.reread();
  expect(await s.top("rows_per_page=100")).toHaveLength(12);
  expect(await presence()).toEqual(before);
});

function openedSums(packed: Uint8Array) {
  const { brands, ...common } = unpackSums(packed);
  return { ...common, brands: [...brands] };
}

test("metrics published with a collect stay readable next to re-extracted ones", async () => {
  await using s = await catalogScene();
  await s.import(recordedLines(40));
  const { q, t } = openCommitted(s.store);
  const rows = async () => {
    const all = await q.select().from(t.collectSums).orderBy(t.collectSums.source, t.collectSums.keywordClass);
    return all.map(({ sums, published, ...keys }) => ({
      ...keys,
      sums: openedSums(sums),
      published: published && openedSums(published),
    }));
  };
  const shown = await rows();
  expect(shown.every(({ published }) => published === null)).toBe(true);
  const rival = (await s.owner.get(`${s.brands}?text=rival`)).body.data[0];
  for (const aliases of [[{ text: UNKNOWN }], [{ text: UNKNOWN }, { text: "Nothing Else" }], []]) {
    await s.owner.patch(`${s.brands}/${rival.id}`, { aliases });
    await s.reread();
    const now = await rows();
    for (const [at, { sums, published }] of now.entries()) {
      expect(published ?? sums).toEqual(shown[at]?.sums);
    }
    expect(now.some(({ published }) => published !== null)).toBe(true);
  }
  const [collect] = await q.select().from(t.collects);
  expect(collect?.publishedVersion).not.toBe(collect?.summedVersion);
});
