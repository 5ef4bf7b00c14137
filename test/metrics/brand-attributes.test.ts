import { expect, test } from "vitest";
import { studentQuantile, computeTwoSidedP } from "../../core/statistics/student.ts";
import { brandScene } from "../support/brand-scene.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";

/** Answers with clauses that score 3, -3, and both. */
const GOOD = "Acme offers a great price, and that is it.";
const BAD = "Acme is expensive, and that is it.";
const MIXED = "Acme offers a great price, and that is it. But the Acme is expensive.";
const GERMAN = "Rival ist sehr teuer, und das ist nicht gut.";

/**
 * Ten prompts about Acme's price, the last in one country only, and three about Rival's, answered
 * in German.
 */
async function scene() {
  const texts = new Map<string, string>();
  const s = await brandScene(texts);
  const ask = (name: string, brandId: string, answers: string[]) =>
    answers.map((answer, at) => {
      const text = `How is the price of ${name}, ${at}?`;
      texts.set(text, answer);
      return { kind: "attribute", text, attribute: "price", brand_id: brandId };
    });
  const own = ask("Acme", s.brandId, [...Array.from({ length: 6 }, () => GOOD), BAD, BAD, MIXED]);
  texts.set("Acme, the price?", GOOD);
  texts.set("Pros of Acme?", BAD);
  const analysis = await s.analyse(
    [
      ...own,
      { kind: "attribute", text: "Acme, the price?", attribute: "price", brand_id: s.brandId, country: "DE" },
      ...ask("Rival", s.rivalId, [GERMAN, GERMAN, GERMAN]),
      // Prompted pros do not count.
      { kind: "perception", text: "Pros of Acme?", brand_id: s.brandId, asks_pros_cons: true },
    ],
    { attributes: ["price", "battery life"] },
  );
  return {
    ...s,
    texts,
    analysis,
    attributes: async (query = "") => (await s.owner.get(`${analysis}/metrics/attributes?${query}`)).body,
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

test("an attribute is scored by the mean of the answers that speak of it, and a brand in a language that is not judged is not", async () => {
  await using s = await scene();
  const { data, total_count, figure, basis } = await s.attributes("statistics=true");
  expect([total_count, figure, basis.answers]).toEqual([4, "score", 50]);
  // 38 answers: 26 score 3, 8 score -3, and 4 both: (78 − 24) / 38.
  const squares = 6 * (12 - 4 * (54 / 38)) ** 2 + 2 * (-12 - 4 * (54 / 38)) ** 2;
  const rest = (4 * (54 / 38)) ** 2 + (6 - 2 * (54 / 38)) ** 2;
  const half = studentQuantile(0.975, 9) * Math.sqrt(((10 / 9) * (squares + rest)) / 38 ** 2);
  const acme = { brand: "Acme", brand_id: s.brandId, is_my_brand: true, named: 38, unjudged: 0, score_of_others: null };
  const rival = { brand: "Rival", brand_id: s.rivalId, is_my_brand: false, named: 12, unjudged: 12 };
  const none = { spans: 0, answers: 0, prompts: 0, score: null, change: null, quotations: [] };
  const unsure = { ci_low: null, ci_high: null, grade: "exploratory" };
  expect(data).toEqual([
    {
      ...acme,
      attribute: "price",
      spans: 42,
      answers: 38,
      prompts: 10,
      score: 1.421053,
      reason: null,
      ci_low: expect.closeTo(54 / 38 - half, 5),
      ci_high: expect.closeTo(54 / 38 + half, 5),
      grade: "exploratory",
      change: null,
      quotations: [expect.objectContaining({ score: 3 }), expect.objectContaining({ score: -3 })],
    },
    { ...rival, ...none, ...unsure, attribute: "price", reason: "no_lexicon_for_language", score_of_others: null },
    { ...acme, ...none, ...unsure, attribute: "battery life", reason: "too_few_spans" },
    {
      ...rival,
      ...none,
      ...unsure,
      attribute: "battery life",
      reason: "no_lexicon_for_language",
      score_of_others: null,
    },
  ]);
});

test("the best and the worst are quoted from answers that can be opened", async () => {
  await using s = await scene();
  const [{ quotations }] = (await s.attributes()).data;
  expect(quotations.map(({ score, text }: Record<string, unknown>) => [score, text])).toEqual([
    [3, "Acme offers a great price"],
    [-3, "Acme is expensive"],
  ]);
  for (const { answer_id, start, end, text } of quotations) {
    const { body } = await s.owner.get(`${s.analysis}/answers/${answer_id}`);
    expect(body.text.slice(start, end)).toBe(text);
  }
});

test("groups by source, country, persona and collect, and filters by brand and attribute", async () => {
  await using s = await scene();
  const rows = async (query: string, name: string) =>
    (await s.attributes(`${query}&attributes=Price`)).data.map((row: Record<string, unknown>) => {
      return [row[name], row["brand"], row["spans"], row["answers"], row["score"]];
    });
  expect(await rows("group_by=source", "source")).toEqual([["ChatGPT", "Acme", 42, 38, 1.421053]]);
  expect(await rows("group_by=country", "country")).toEqual([
    // (36 − 12) / 18 and (42 − 12) / 20
    ["US", "Acme", 20, 18, 1.333333],
    ["DE", "Acme", 22, 20, 1.5],
  ]);
  expect(await rows("group_by=persona&group_by=country&personas=ben", "country")).toEqual([
    ["US", "Acme", 10, 9, 1.333333],
    ["DE", "Acme", 11, 10, 1.5],
  ]);
  s.texts.set("How is the price of Rival, 0?", "Rival offers a great price, and that is it.");
  for (let at = 0; at < 6; at += 1) s.texts.set(`How is the price of Acme, ${at}?`, BAD);
  await s.again(s.analysis, 2);
  expect(await rows("group_by=collect&group_by=brand&brands=acme", "collect")).toEqual([
    [1, "Acme", 42, 38, 1.421053],
    [2, "Acme", 42, 38, -2.368421],
  ]);
  // Four clauses are fewer than ten.
  expect(await rows("brands=rival", "prompts")).toEqual([[1, "Rival", 4, 4, null]].map(([, ...row]) => [1, ...row]));
});

test("a score that fell in six of ten prompts is a first sign, in points of the scale", async () => {
  await using s = await scene();
  for (let at = 0; at < 6; at += 1) s.texts.set(`How is the price of Acme, ${at}?`, BAD);
  await s.again(s.analysis, 2);
  const [acme] = (await s.attributes("statistics=true")).data;
  // Each of six prompts fell by 4 · 6 over 38 answers: z = (d − delta · n) / 38.
  const delta = -144 / 38;
  const squares = 6 * (-24 - 4 * delta) ** 2 + 3 * (4 * delta) ** 2 + (2 * delta) ** 2;
  // 38² / (9 · 4² + 2²) = 9.76, so 9 effective prompts.
  const error = Math.sqrt(((9 / 8) * squares) / 38 ** 2);
  expect(acme.change).toMatchObject({ before: 1.421053, after: -2.368421, delta: -3.789474, verdict: "first_sign" });
  expect(acme.change.p).toBeCloseTo(computeTwoSidedP(delta / error, 8), 5);
  expect(acme.change.ci_low).toBeCloseTo(delta - studentQuantile(0.975, 8) * error, 4);
});

test("rejects an unknown attribute with the known ones, and hides other organizations' analyses", async () => {
  await using s = await scene();
  const refused = await s.owner.get(`${s.analysis}/metrics/attributes?attributes=colour`);
  expect([refused.status, refused.body.fields[0].allowed.toSorted()]).toEqual([400, ["battery life", "price"]]);
  const other = (await s.owner.post(`${s.organization.path}/workspaces`, { name: "Other" })).body;
  const foreign = s.analysis.replace(s.workspace.id, other.id);
  expect((await s.owner.get(`${foreign}/metrics/attributes`)).status).toBe(404);
});

test("a tool result states it in words", async () => {
  await using s = await scene();
  const { token } = await mintToolToken(s, s.owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(s.config.mcpUrl, { token });
  const { text, structured } =
    (await client?.call("get_attributes", {
      organization_id: s.organization.id,
      workspace_id: s.workspace.id,
      analysis: "Opinion",
      attributes: ["Price"],
    })) ?? {};
  if (!structured) throw new Error(text);
  expect(structured.data).toMatchObject([{ brand: "Acme", score: 1.421053 }, { brand: "Rival" }]);
  expect(text).toContain("1.4 (");
  expect(text).toContain("no_lexicon_for_language");
});
