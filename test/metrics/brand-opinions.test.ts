import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { findAnswerKey, type CollectPerception } from "../../core/metrics/facts/collect-perception.ts";
import { computeRateInterval } from "../../core/statistics/interval.ts";
import { findQuotedAnswers, listPerceptionFacts } from "../../db/metrics/perception-facts.ts";
import { openPrompts } from "../../tools/metric-reads/selection/open-prompts.ts";
import { readOpinions, scoreParts, type ScoredPart } from "../../tools/metric-reads/perception/scored-parts.ts";
import { brandScene } from "../support/brand-scene.ts";

const PRAISE = "## Acme\n\n**Pros:**\n- long battery life\n- bright screen\n\n**Cons:**\n- loud fan\n";
const BLAME = "## Acme\n\n**Cons:**\n- loud fan\n- high price\n";
const ASKED = { countries: ["US"], persona_ids: [], runs_per_prompt: 2 };

/** Answers with more pros than cons, among those that name a brand. */
function* praised({ opinions: { rowStarts, runIndexes, proCounts, conCounts } }: CollectPerception) {
  for (let question = 0; question + 1 < rowStarts.length; question += 1) {
    for (let at = rowStarts[question] ?? 0; at < (rowStarts[question + 1] ?? 0); at += 1) {
      yield { question, runIndex: runIndexes[at] ?? 0, value: (proCounts[at] ?? 0) > (conCounts[at] ?? 0) ? 1 : 0 };
    }
  }
}

/** Six prompts with two answers each, both of which `have` of them praise. */
function moments(withValue: number) {
  const x = 2 * withValue;
  return { promptCount: 6, n: 12, x, xx: 2 * x, xn: 2 * x, nn: 24, withValue, withoutFull: 6 - withValue };
}

/** Basis of their share. */
function sums(have: number) {
  return { moments: moments(have), places: 12, values: { whole: 2 * have, none: 12 - 2 * have, part: 0 } };
}

/**
 * An analysis of six prompts, half answered with more pros than cons, and one about an invented
 * name.
 */
async function scene() {
  const texts = new Map<string, string>();
  const s = await brandScene(texts);
  const unaided = Array.from({ length: 6 }, (_, at) => `Which phone ${at}?`);
  for (const [at, text] of unaided.entries()) texts.set(text, at < 3 ? PRAISE : BLAME);
  texts.set("What is Belmora?", "Belmora is not as good as Acme.");
  const prompts = [
    ...unaided.map((text) => ({ kind: "unaided", text })),
    { kind: "aided", text: "What is Belmora?", brand_id: s.brandId, look_alike: "Belmora" },
  ];
  const analysis = await s.analyse(prompts, ASKED);
  const tenant = { organizationId: s.organization.id, workspaceId: s.workspace.id };
  return { ...s, texts, analysis, tenant, [Symbol.asyncDispose]: () => s[Symbol.asyncDispose]() };
}

test("opinions are stored with their spans, and packed with answer keys", async () => {
  await using s = await scene();
  const { read, said } = await s.store.read(async (db) => {
    const [collect] = await db.q.select().from(db.t.collects);
    const [facts] = await listPerceptionFacts(db, collect?.id ?? "", null);
    if (!facts) throw new Error("no facts");
    const keys = [0, 3].map((question) => findAnswerKey(facts.facts, { question, runIndex: 1 }));
    const found = await findQuotedAnswers({ db, ...s.tenant }, keys);
    expect(await findQuotedAnswers({ db, ...s.tenant, workspaceId: "another" }, keys)).toEqual(new Map());
    return { said: facts.facts, read: keys.flatMap((key) => found.get(key) ?? []) };
  });
  expect([...said.answers]).toEqual([2, 2, 2, 2, 2, 2]);
  expect(said.groups.map(({ polarity, phrase, said: often }) => [polarity, phrase, often])).toEqual([
    ["pro", "long battery life", 6],
    ["pro", "bright screen", 6],
    ["con", "loud fan", 12],
    ["con", "high price", 6],
  ]);
  expect(read.map(({ text, spans }) => spans.points.map(({ start, end }) => text.slice(start, end)))).toEqual([
    ["long battery life", "bright screen", "loud fan"],
    ["loud fan", "high price"],
  ]);
});

test("a figure of some answers has its share, its interval and its change", async () => {
  await using s = await scene();
  s.texts.set("Which phone 0?", BLAME);
  await s.again(s.analysis, 2);
  const score = async (groupBy: "brand" | "collect") =>
    s.store.read(async (db) => {
      const tenant = { db, ...s.tenant };
      const input = { group_by: [groupBy], statistics: true } as const;
      const project = { id: s.analysis.split("/").at(-1) ?? "", brandId: s.brandId };
      const opened = await openPrompts(tenant, project, { input, kinds: ["unaided"] });
      const parts = opened.groups.map((group): ScoredPart => {
        const prompts = opened.prompts.firstQuestions.map((_, at) => at);
        return { group, metricKey: "praised", scored: praised, prompts, isAlone: true };
      });
      return scoreParts(tenant, parts, { opened, opinions: await readOpinions(tenant, opened) });
    });
  const design = { runs: 2, sourceCount: 1 };
  const common = { n: 12, promptCount: 6, grade: "exploratory" };
  const change = {
    before: null,
    after: null,
    delta: null,
    ci_low: null,
    ci_high: null,
    p: null,
    verdict: "insufficient_data",
    cells: 6,
    left_out: { one_side_only: 0, other_method: 0, other_model: 0 },
    compared_with: [1],
    baseline: "run 1",
  };
  const first = {
    ...common,
    ...sums(3),
    scoreSum: 6,
    share: 0.5,
    interval: computeRateInterval(moments(3), design),
    change: null,
  };
  const second = {
    ...common,
    ...sums(2),
    scoreSum: 4,
    share: 1 / 3,
    interval: computeRateInterval(moments(2), design),
    change,
  };
  expect(await score("collect")).toEqual([first, second]);
  expect(await score("brand")).toEqual([second]);
});

test("a new alias updates opinions and their sums", async () => {
  await using s = await scene();
  s.texts.set("Which phone 0?", PRAISE.replace("Acme", "Akme"));
  await s.again(s.analysis, 2);
  const saidBright = async () =>
    s.store.read(async (db) => {
      const collects = await db.q.select().from(db.t.collects).orderBy(db.t.collects.number);
      const [last] = await listPerceptionFacts(db, collects.at(-1)?.id ?? "", null);
      return last?.facts.groups.find(({ phrase }) => phrase === "bright screen")?.said;
    });
  expect(await saidBright()).toBe(4);
  const aliases = [{ text: "Akme", case_sensitive: false }];
  expect(await s.owner.patch(`${s.workspace.path}/brands/${s.brandId}`, { aliases })).toMatchObject({ status: 200 });
  for (let waited = 0; waited < 5000 && (await saidBright()) === 4; waited += 50) await sleep(50);
  expect(await saidBright()).toBe(6);
});
