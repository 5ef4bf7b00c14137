import { asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { startCollects } from "../../db/analyses/collect-progress.ts";
import { openCommitted } from "../support/committed.ts";
import { countChangedRows, createCrashingStore, keywords, runLaunchJob } from "./launch-jobs.ts";
import { startAssistant } from "./provider.ts";
import { collectScene } from "./scene.ts";

const SOURCES = ["ASSISTANT_A", "SEARCH_A", "ASSISTANT_B"];
type Scene = Awaited<ReturnType<typeof collectScene>>;

/** Keywords in ten topics of two thematics, with seven strengths. */
function grouped(count: number, of: object = {}) {
  const texts = keywords(count).map((text, index) => ({ text, strength: `strength ${index % 7}`, ...of }));
  const topics = Array.from({ length: 10 }, (_, topic) => ({
    name: `topic ${topic}`,
    keywords: texts.slice((topic * count) / 10, ((topic + 1) * count) / 10),
  }));
  return {
    thematics: [
      { name: "first", topics: topics.slice(0, 5) },
      { name: "second", topics: topics.slice(5) },
    ],
  };
}

async function stored({ store }: Scene) {
  const { q, t } = openCommitted(store);
  const questions = await q.select().from(t.questions).orderBy(asc(t.questions.position));
  const facets = await q.select().from(t.facets).orderBy(asc(t.facets.position));
  const names = new Map(facets.map(({ id, name }) => [id, name]));
  const rows = questions.map(({ position, text, thematicId, topicId, strengthId }) =>
    [position, text, ...[thematicId, topicId, strengthId].map((id) => names.get(id ?? ""))].join(" | "),
  );
  return { rows, facets: facets.map(({ kind, name, position }) => `${position} ${kind} ${name}`) };
}

const importOne = (s: Scene, analysis: string) =>
  s.owner.request("POST", `${analysis}/answers/import`, {
    body: JSON.stringify({ keyword: "one more", source: "ASSISTANT_A", text: "Acme" }),
    headers: { "content-type": "application/x-ndjson", prefer: "respond-async" },
  });

const statusOf = async (s: Scene, analysis: string) => (await s.owner.get(analysis)).body.status;

test("fault: the creation of an analysis of many keywords stores all of them while every other write waits; it stores the first, the rest follow, each once, whatever dies", async () => {
  await using s = await collectScene({ env: { SERVE: "core" } });
  const rows = countChangedRows(s);
  const analysis = await s.create([], { ...grouped(900), sources: SOURCES });
  expect(await statusOf(s, analysis)).toBe("launching");
  expect((await stored(s)).rows).toHaveLength(400);
  expect(await s.credits()).toMatchObject({ available: 10_000 - 2700, reserved: 2700 });

  for (let cut = 0; cut < 4; cut++) {
    await expect(runLaunchJob(s, "launch_analysis", createCrashingStore(s.store, cut % 2 === 0))).rejects.toThrow(
      "died",
    );
  }
  await runLaunchJob(s, "launch_analysis");
  const expected = keywords(900).map((text, position) => {
    const topic = Math.floor(position / 90);
    const names = [topic < 5 ? "first" : "second", `topic ${topic}`, `strength ${position % 7}`];
    return [position, text, ...names].join(" | ");
  });
  const whole = await stored(s);
  expect(whole.rows).toEqual(expected);
  // Two thematics, ten topics and seven strengths, each once, in one order.
  expect(whole.facets.map((facet) => Number(facet.split(" ")[0]))).toEqual(Array.from({ length: 19 }, (_, at) => at));
  expect(new Set(whole.facets.map((facet) => facet.replace(/^\d+ /, ""))).size).toBe(19);

  expect(await statusOf(s, analysis)).toBe("launching");
  await runLaunchJob(s, "launch_collect");
  expect(await statusOf(s, analysis)).toBe("collecting");
  const { q, t } = openCommitted(s.store);
  expect(await q.$count(t.jobs)).toBe(2700);
  // 400 keywords, 400 jobs, 19 groups, and other rows of a creation.
  expect(Math.max(...rows)).toBeLessThan(900);
});

test("fault: the first answers make an analysis collecting of which keywords are still to be stored", async () => {
  await using s = await collectScene({ env: { SERVE: "core" } });
  const analysis = await s.create(keywords(450));
  const { q, t } = openCommitted(s.store);
  const collects = (await q.select({ id: t.collects.id }).from(t.collects)).map(({ id }) => id);
  await s.store.write((db) => startCollects(db, collects, s.deps.now()));
  expect(await statusOf(s, analysis)).toBe("launching");
  expect((await s.owner.get(`${analysis}/collects`)).body.data).toMatchObject([{ status: "running", planned: 450 }]);
  await runLaunchJob(s, "launch_analysis");
  await runLaunchJob(s, "launch_collect");
  expect(await statusOf(s, analysis)).toBe("collecting");
});

test("fault: an import into an analysis that is launching takes the places of keywords that are still to be stored", async () => {
  await using s = await collectScene({ env: { SERVE: "core" } });
  const analysis = await s.create(keywords(450), { sources: [] });
  expect(await statusOf(s, analysis)).toBe("launching");
  expect(await importOne(s, analysis)).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
  await runLaunchJob(s, "launch_analysis");
  expect(await statusOf(s, analysis)).toBe("live");
  expect((await importOne(s, analysis)).status).toBe(202);
  expect((await stored(s)).rows.map((row) => row.split(" | ")[1])).toEqual(keywords(450));
});

test("fault: a persona that is deleted while keywords of it are still to be stored stops the launch for good", async () => {
  await using s = await collectScene({ env: { SERVE: "core" } });
  const persona = await s.owner.post(`${s.workspace.path}/personas`, { name: "Parent" });
  const given = keywords(450).map((text, index) => ({ text, ...(index > 440 ? { persona_id: persona.body.id } : {}) }));
  await s.create([], { thematics: [{ name: "Phones", topics: [{ name: "All", keywords: given }] }] });
  expect((await s.owner.delete(`${s.workspace.path}/personas/${persona.body.id}`)).status).toBe(200);
  await runLaunchJob(s, "launch_analysis");
  const { q, t } = openCommitted(s.store);
  expect(await q.$count(t.questions)).toBe(450);
});

test("pages of keywords neither skip nor repeat while more are stored", async () => {
  await using s = await collectScene({ env: { SERVE: "core" } });
  const analysis = await s.create(keywords(700), { sources: [] });
  const listed: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const { body } = await s.owner.get(`${analysis}/keywords?limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`);
    listed.push(...body.data.map(({ text }: { text: string }) => text));
    cursor = body.next_cursor;
    if (listed.length === 300) await runLaunchJob(s, "launch_analysis");
  }
  expect(listed).toEqual(keywords(700));
});

test("an analysis launched in parts is collected and measured like any other", async () => {
  await using provider = await startAssistant();
  await using s = await collectScene({ env: { ...provider.env, SERVE: "core" } });
  const analysis = await s.create(keywords(450));
  await using _worker = await s.otherWorker();
  expect(await s.ended(analysis)).toMatchObject({ status: "completed", planned: 450, succeeded: 450 });
  expect(await statusOf(s, analysis)).toBe("live");
  expect(await s.credits()).toMatchObject({ available: 9550, reserved: 0 });
  const { q, t } = openCommitted(s.store);
  expect(await q.$count(t.answers, eq(t.answers.source, "ASSISTANT_A"))).toBe(450);
});
