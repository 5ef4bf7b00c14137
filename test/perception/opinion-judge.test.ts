import { expect, test } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import { startJudgeServer } from "../assets/judge-server.ts";
import { brandScene } from "../support/brand-scene.ts";

const PROMPT = "Was halten Sie von Acme?";
const TEXT = "Das Acme hält zwei Tage durch. Es ist aber nicht das leiseste, und Rival ist der bessere Kauf.";
const FOUND = {
  points: [
    { brand: "Acme", polarity: "pro", quote: "hält  zwei Tage\ndurch" },
    { brand: "Acme", polarity: "con", quote: "nicht das leiseste" },
    { brand: "Acme", polarity: "con", quote: "costs too much" },
    { brand: "Nobody", polarity: "pro", quote: "hält zwei Tage durch" },
  ],
  comparisons: [{ better: "Rival", worse: "Acme", aspect: null, quote: "Rival ist der bessere Kauf" }],
  attributes: [
    { brand: "Acme", attribute: "battery", score: 4, quote: "hält zwei Tage durch" },
    { brand: "Acme", attribute: "weight", score: 4, quote: "hält zwei Tage durch" },
  ],
};
const span = (quote: string) => ({ start: TEXT.indexOf(quote), end: TEXT.indexOf(quote) + quote.length });

/**
 * Collects and analyses one German prompt, judged by rules and by a model that replies with
 * `reply`.
 */
async function scene(reply: Parameters<typeof startJudgeServer>[0]) {
  const model = await startJudgeServer(reply);
  const env = {
    PERCEPTION_MODEL_BASE_URL: model.baseUrl,
    PERCEPTION_MODEL: "judge-1",
    PERCEPTION_MODEL_API_KEY: "sk-1",
  };
  const s = await brandScene(new Map([[PROMPT, TEXT]]), { env });
  const prompts = [{ kind: "perception", text: PROMPT, brand_id: s.brandId }];
  const analysis = await s.analyse(prompts, {
    countries: ["DE"],
    persona_ids: [],
    language: "de",
    attributes: ["battery"],
  });
  return {
    ...s,
    model,
    analysis,
    perception: async () => (await s.owner.get(`${analysis}/metrics/brand-perception`)).body,
    async answer() {
      const [{ id }] = (await s.owner.get(`${analysis}/answers`)).body.data;
      return (await s.owner.get(`${analysis}/answers/${id}`)).body;
    },
    async [Symbol.asyncDispose]() {
      await s[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

test("stores verdicts that the model's quotes prove, names the model in the basis, and reuses them on a second analysis", async () => {
  await using s = await scene(() => ({ content: FOUND }));
  const [asked] = s.model.requests;
  expect(asked).toMatchObject({ path: "/v1/chat/completions", headers: { authorization: "Bearer sk-1" } });
  expect(asked?.body.messages[0]?.content).toContain(
    '{"category":"phones","brands":["Acme","Rival"],"attributes":["battery"]}',
  );
  const found = {
    unjudged: null,
    points: [
      { brand: "Acme", polarity: "pro", ...span("hält zwei Tage durch") },
      { brand: "Acme", polarity: "con", ...span("nicht das leiseste") },
    ],
    comparisons: [{ better: "Rival", worse: "Acme", aspect: null, ...span("Rival ist der bessere Kauf") }],
    attributes: [{ brand: "Acme", attribute: "battery", score: 4, ...span("hält zwei Tage durch") }],
  };
  expect((await s.answer()).perception).toMatchObject(found);
  const before = await s.perception();
  expect(before.basis).toMatchObject({ judges: [{ model: "judge-1", answers: 1 }] });
  expect(before.basis.legend).toContain("the model judge-1 also extracted opinions from 1 answers");
  expect(before.data[0]).toMatchObject({ brand: "Acme", judged: 1, with_pros: 1, with_cons: 1, unjudged: 0 });

  await s.owner.patch(`${s.workspace.path}/brands/${s.rivalId}`, { aliases: [{ text: "Rivalo" }] });
  const [{ catalog_version: read }] = before.basis.collects;
  let after = await s.perception();
  for (let waited = 0; waited < 5000 && !(after.basis.collects[0].catalog_version > read); waited += 20) {
    await sleep(20);
    after = await s.perception();
  }
  expect(after.basis.collects[0].catalog_version).toBeGreaterThan(read);
  expect(after.data).toEqual(before.data);
  expect((await s.answer()).perception).toMatchObject(found);
  expect(s.model.requests.length).toBe(1);
});

test("an answer that the model fails at counts as the rules read it", async () => {
  await using s = await scene(() => ({ content: { points: "none" } }));
  const { data, basis } = await s.perception();
  expect(basis).not.toHaveProperty("judges");
  expect(data[0]).toMatchObject({ brand: "Acme", judged: 0, unjudged: 1, unjudged_because: "no_lexicon_for_language" });
  // The model is called again a few times after its first reply.
  expect(s.model.requests.length).toBe(4);
});
