import { expect, test } from "vitest";
import { brandScene } from "../support/brand-scene.ts";
import { waitForBackgroundWork } from "./wait-for-background-work.ts";

const LABS = "https://labs.example/acme";
const CON = `Acme has a short battery life ([Labs](${LABS})).`;
const FINE = "Acme is a phone that many people know.";
const CHEAPER = `Rival is cheaper than Acme ([Labs](${LABS})).`;
const SHARPER = "The camera of Acme is better than Rival's camera.";

// oxlint-disable-next-line typescript/no-explicit-any -- a test states the shape that it expects of a row
type Row = any;

type Scene = Awaited<ReturnType<typeof brandScene>>;

/** A brand analysis with these answers, and its actions. */
async function scene(answers: (s: Scene) => { text: string; asked: object }[]) {
  const texts = new Map<string, string>();
  const s = await brandScene(texts);
  const asked = answers(s).map(({ text, asked: prompt }, at) => {
    texts.set(`Question ${at}?`, text);
    return { text: `Question ${at}?`, ...prompt };
  });
  const analysis = await s.analyse(asked, { persona_ids: [] });
  await waitForBackgroundWork(s.store);
  const actions = `${s.workspace.path}/recommended-actions`;
  const listed = async (rule: string) => (await s.owner.get(`${actions}?rule=${rule}`)).body.data;
  return {
    ...s,
    analysis,
    actions,
    listed,
    whole: async (rule: string) => {
      const [action] = await listed(rule);
      return action && (await s.owner.get(`${actions}/${action.id}`)).body;
    },
    /** Replaces an answer, and collects again. */
    async collect(was: string, text: string, number: number) {
      for (const [prompt, said] of texts) if (said === was) texts.set(prompt, text);
      await s.again(analysis, number);
      await waitForBackgroundWork(s.store);
    },
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

/** Prompts about the own brand; the first ones are answered with a con. */
const opinions = (cons: number, others: number, more: object = {}) =>
  scene(({ brandId }) =>
    Array.from({ length: cons + others }, (_, at) => {
      return { text: at < cons ? CON : FINE, asked: { kind: "perception", brand_id: brandId, ...more } };
    }),
  );

test("a con in answers to five prompts is an action with its answers and cited page", async () => {
  await using s = await opinions(6, 2);
  const action = await s.whole("frequent_con");
  expect(action).toMatchObject({ category: "outreach", channel: "all", resolved_at: null });
  const [all, page, ...prompts] = action.evidence;
  expect(all).toMatchObject({ counted: true, answers: 16, occurrences: 12, opinion: { kind: "con", prompts: 8 } });
  expect(all.opinion).toMatchObject({ value: 0.75, said: expect.stringContaining("battery life") });
  expect(page).toMatchObject({ counted: false, answers: 12, url: LABS, domain: "labs.example", brand: null });
  expect(prompts.map((row: Row) => [row.answers, row.occurrences])).toEqual(Array.from({ length: 5 }, () => [2, 2]));
  for (const id of all.answer_ids) expect((await s.owner.get(`${s.analysis}/answers/${id}`)).body.text).toBe(CON);
});

test("actions count the same answers as the metrics of their subject", async () => {
  const founded = "Acme was founded in 1999.";
  await using s = await scene(({ brandId, rivalId }) => [
    ...Array.from({ length: 6 }, () => ({
      text: `${CON} ${founded}`,
      asked: { kind: "perception", brand_id: brandId },
    })),
    { text: FINE, asked: { kind: "unaided" } },
    ...Array.from({ length: 2 }, () => ({ text: CON, asked: { kind: "comparison", brand_id: rivalId } })),
    { text: `${CON} ${founded}`, asked: { kind: "perception", brand_id: brandId, asks_pros_cons: true } },
  ]);
  const fact = { attribute: "founded", value: { kind: "date", date: "2012" } };
  await s.owner.post(`${s.workspace.path}/brands/${s.brandId}/facts`, fact);
  await waitForBackgroundWork(s.store);
  const countsOf = async (rule: string) => {
    const [{ answers, occurrences }] = (await s.whole(rule)).evidence;
    return [answers, occurrences];
  };
  const [seen] = (await s.owner.get(`${s.analysis}/metrics/brand-perception`)).body.data;
  expect(await countsOf("frequent_con")).toEqual([seen.answers, seen.cons[0].answers]);
  const [claim] = (await s.owner.get(`${s.analysis}/metrics/claims`)).body.data;
  expect(await countsOf("wrong_fact")).toEqual([claim.said, claim.contradicted]);
  expect([seen.answers, seen.cons[0].answers, claim.said]).toEqual([14, 12, 14]);
});

test("a con of four prompts, or a prompted one, is no action", async () => {
  await using few = await opinions(4, 4);
  expect(await few.listed("frequent_con")).toEqual([]);
  await using asked = await opinions(6, 0, { asks_pros_cons: true });
  expect(await asked.listed("frequent_con")).toEqual([]);
});

test("the next collect updates the action, resolves it when the con is gone, and measures the effect", async () => {
  await using s = await opinions(8, 1);
  const { id, tasks, collect_id } = await s.whole("frequent_con");
  const brief = `${s.actions}/${id}/tasks/${tasks[0].id}/brief`;
  const { title, body } = (await s.owner.get(brief)).body;
  expect(title).toContain("battery life");
  expect(body).toContain(`<${LABS}>`);
  expect(body).toContain("> ");
  expect((await s.owner.patch(`${s.actions}/${id}`, { workflow_status: "confirmed" })).status).toBe(200);
  await s.owner.patch(brief, { status: "implemented" });
  await s.collect(CON, FINE, 2);
  const [resolved, ...twins] = await s.listed("frequent_con");
  expect(twins).toEqual([]);
  expect(resolved).toMatchObject({ id, collect_id, workflow_status: "confirmed", resolved_at: expect.any(String) });
  const { effect } = (await s.owner.get(`${s.actions}/${id}/tasks/${tasks[0].id}`)).body;
  expect(effect).toMatchObject({ before: { answers: 18, occurrences: 16 }, after: { answers: 18, occurrences: 0 } });
  expect(effect.verdict).toBe("moved");
  await s.collect(FINE, CON, 3);
  expect(await s.listed("frequent_con")).toMatchObject([{ id, workflow_status: "confirmed", resolved_at: null }]);
});

test("a competitor that is preferred for its price by a brand that wins by its camera is an action", async () => {
  await using s = await scene(({ rivalId }) =>
    Array.from({ length: 14 }, (_, at) => {
      return { text: at < 7 ? CHEAPER : SHARPER, asked: { kind: "comparison", brand_id: rivalId } };
    }),
  );
  const action = await s.whole("competitor_preferred");
  expect(action).toMatchObject({ action_label: "Be preferred to Rival for “price”", channel: "all" });
  const [lost, won] = action.evidence;
  expect(lost).toMatchObject({ counted: true, answers: 14, occurrences: 0, brand: "Rival", brand_occurrences: 14 });
  expect(lost.opinion).toMatchObject({ kind: "comparison", about: "price", value: 0, prompts: 7 });
  expect(won).toMatchObject({ counted: false, answers: 14, occurrences: 14, brand_occurrences: 0 });
  const content = await s.owner.post(`${s.workspace.path}/content-briefs`, { result_id: action.id });
  expect(content).toMatchObject({ status: 201, body: { title: "Phones: what to know, by Acme" } });
  const targets = content.body.target_prompts.map((one: Row) => [one.keyword, one.answers, one.occurrences]);
  expect(targets).toEqual([0, 1, 2, 3, 4].map((at) => [`Question ${at}?`, 2, 2]));
});

test("a contradicted fact is an action with the sentence, the declared value and the cited page", async () => {
  const wiki = "https://wiki.example/acme";
  const wrong = `Acme was founded in 1999 ([Wiki](${wiki})).`;
  await using s = await scene(({ brandId }) =>
    Array.from({ length: 5 }, (_, at) => {
      const text = at < 3 ? wrong : "Acme was founded in 2012.";
      return { text, asked: { kind: "perception", brand_id: brandId } };
    }),
  );
  expect(await s.listed("wrong_fact")).toEqual([]);
  const facts = `${s.workspace.path}/brands/${s.brandId}/facts`;
  const founded = { attribute: "founded", value: { kind: "date", date: "2012" } };
  const { id: factId } = (await s.owner.post(facts, founded)).body;
  await waitForBackgroundWork(s.store);
  const action = await s.whole("wrong_fact");
  expect(action).toMatchObject({ action_label: "Correct what answers say about “founded”", category: "outreach" });
  const [all, page] = action.evidence;
  expect(all).toMatchObject({ counted: true, answers: 10, occurrences: 6 });
  expect(all.opinion).toMatchObject({ kind: "fact", fact_id: factId, about: "founded", declared: "2012", prompts: 5 });
  expect(all.opinion.said).toContain("1999");
  expect(page).toMatchObject({ url: wiki, domain: "wiki.example", answers: 6 });
  const { body } = (await s.owner.get(`${s.actions}/${action.id}/tasks/${action.tasks[1].id}/brief`)).body;
  expect(body).toContain(`Start with <${wiki}>`);
  expect(body).toContain("State it as declared: founded, 2012.");
  // With the new declaration, the other answers contradict the fact.
  await s.owner.patch(`${facts}/${factId}`, { value: { kind: "date", date: "1999" } });
  await waitForBackgroundWork(s.store);
  const again = await s.whole("wrong_fact");
  expect(again).toMatchObject({ id: action.id, resolved_at: null, evidence: expect.anything() });
  expect(again.evidence[0]).toMatchObject({ answers: 10, occurrences: 4, opinion: { declared: "1999" } });
  expect((await s.owner.delete(`${facts}/${factId}`)).status).toBeLessThan(300);
  await waitForBackgroundWork(s.store);
  expect((await s.whole("wrong_fact")).resolved_at).not.toBeNull();
});
