import { expect, test } from "vitest";
import { sumMoments, computeRateInterval } from "../../core/statistics/interval.ts";
import { computeTwoSidedP } from "../../core/statistics/student.ts";
import { brandScene } from "../support/brand-scene.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";

const CHEAPER = "Acme is cheaper than Rival.";
const SHARPER = "Rival has a better camera than Acme.";
const WIN = `${CHEAPER} I would pick Acme rather than Rival.`;
const LOSS = `${SHARPER} I would pick Rival rather than Acme.`;

/** Six comparison prompts in each order, a category prompt, and one about Acme only. */
async function scene() {
  const texts = new Map<string, string>();
  const s = await brandScene(texts);
  const compare = (order: string, answers: string[]) =>
    answers.map((answer, at) => {
      const text = `${order}, question ${at}?`;
      texts.set(text, answer);
      return { kind: "comparison", text, brand_id: s.rivalId };
    });
  texts.set("Which phone?", "Acme is better than Rival, and that is it.");
  texts.set("What about Acme?", WIN);
  const analysis = await s.analyse(
    [
      ...compare("Acme or Rival", [WIN, WIN, WIN, WIN, LOSS, `${WIN} ${LOSS}`]),
      ...compare("Rival or Acme", [WIN, LOSS, LOSS, LOSS, LOSS, LOSS]),
      { kind: "unaided", text: "Which phone?", country: "DE" },
      { kind: "perception", text: "What about Acme?", brand_id: s.brandId },
    ],
    { attributes: ["price"] },
  );
  return {
    ...s,
    texts,
    analysis,
    comparisons: async (query = "") => (await s.owner.get(`${analysis}/metrics/comparisons?${query}`)).body,
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

/** Win rates of prompts with four answers each, except the last in one country. */
function interval(values: number[]) {
  const moments = sumMoments(values.map((value, at) => ({ x: value * (at === 12 ? 2 : 4), n: at === 12 ? 2 : 4 })));
  const { low = NaN, high = NaN } = computeRateInterval(moments, { runs: moments.n / 13, sourceCount: 1 }) ?? {};
  return { ci_low: expect.closeTo(low, 6), ci_high: expect.closeTo(high, 6) };
}

test("counts answers that prefer one of two, to prompts that name both or neither", async () => {
  await using s = await scene();
  const { data, total_count, basis } = await s.comparisons("statistics=true");
  expect([total_count, basis.answers]).toEqual([1, 54]);
  expect(data).toEqual([
    {
      brand: "Acme",
      rival: "Rival",
      rival_id: s.rivalId,
      // Answers to a prompt about Acme only do not count.
      wins: 22,
      losses: 24,
      both: 4,
      answers: 50,
      prompts: 13,
      win_rate: 0.48,
      ...interval([1, 1, 1, 1, 0, 0.5, 1, 0, 0, 0, 0, 0, 1]),
      grade: "exploratory",
      change: null,
      no_preference: 0,
      brand_missing: 0,
      aspects_only: 0,
      no_pick: 0,
      stance_answers: 50,
      stance_rate: 0.48,
      first_answers: 24,
      first_rate: 0.75,
      second_answers: 24,
      second_rate: 0.166667,
      aspects: [
        { aspect: "camera", wins: 0, losses: 28, both: 0 },
        { aspect: "price", wins: 24, losses: 0, both: 0 },
      ],
      quotations: [
        expect.objectContaining({ preferred: "Acme", aspect: null, text: "I would pick Acme rather than Rival." }),
        expect.objectContaining({ preferred: "Rival", aspect: null, text: "I would pick Rival rather than Acme." }),
      ],
    },
  ]);
  for (const { answer_id, start, end, text } of data[0].quotations) {
    const { body } = await s.owner.get(`${s.analysis}/answers/${answer_id}`);
    expect(body.text.slice(start, end)).toBe(text);
  }
});

test("fault: nothing stated if a preference is chance; versus tests the gap to a brand over the same answers", async () => {
  await using s = await scene();
  const gaps = async (query: string) =>
    (await s.comparisons(query)).data.map((row: Record<string, unknown>) => [row["brand"], row["rival"], row["gap"]]);
  // 13 prompts, d = wins - losses of 4 answers each, and of 2 in the last: gap -2/50, P = 50²/196 = 12.
  const d = [4, 4, 4, 4, -4, 0, 4, -4, -4, -4, -4, -4, 2];
  const squares = d.reduce((sum, own, at) => sum + (own + (2 / 50) * (at === 12 ? 2 : 4)) ** 2, 0);
  const error = Math.sqrt(((12 / 11) * squares) / 50 ** 2);
  const gap = {
    versus: "Rival",
    versus_value: 0.52,
    gap: -0.04,
    // t.975 of 11 degrees is 2.20099.
    ci_low: expect.closeTo(-0.04 - 2.20099 * error, 5),
    ci_high: expect.closeTo(-0.04 + 2.20099 * error, 5),
    p: expect.closeTo(computeTwoSidedP(-0.04 / error, 11), 5),
    verdict: "no_significant_gap",
    n: 50,
    prompts: 13,
  };
  expect(await gaps("versus=Rival")).toEqual([["Acme", "Rival", gap]]);
  expect(await gaps("versus=Rival&brands=Acme")).toEqual([["Acme", "Rival", gap]]);
  expect(await gaps("versus=Acme")).toMatchObject([
    ["Rival", "Acme", { versus: "Acme", versus_value: 0.48, gap: 0.04, p: gap.p, verdict: "no_significant_gap" }],
  ]);
  const ofAspects = await s.comparisons("group_by=aspect&versus=Rival");
  expect(ofAspects.data.map((row: { aspect: string; gap: object }) => [row.aspect, row.gap])).toMatchObject([
    ["camera", { gap: -1, verdict: "behind", n: 28 }],
    [null, { gap: -0.04, p: gap.p, verdict: "no_significant_gap", n: 50 }],
    ["price", { gap: 1, verdict: "ahead", n: 24 }],
  ]);
  expect(ofAspects.basis.legend).toContain("paired by prompt, cause not measured");
});

test("an outright pick decides, a draw is half, and answers without a preference are counted by reason", async () => {
  await using s = await scene();
  const texts = [
    `Its warm-up aside, here it is. ${CHEAPER} I would pick Rival rather than Acme.`,
    `${CHEAPER} I would go with Rival.`,
    `Acme beats Rival. ${CHEAPER} I would go with Rival.`,
    `${CHEAPER} Both are close, so it comes down to taste.`,
    `${CHEAPER} Rival is quieter than Acme.`,
    "Acme makes phones. Rival makes phones.",
  ];
  for (const [at, text] of texts.entries()) s.texts.set(`Acme or Rival, question ${at}?`, text);
  for (let at = 0; at < 6; at += 1) s.texts.set(`Rival or Acme, question ${at}?`, "I am not familiar with Rival.");
  await s.again(s.analysis, 2);
  const [row] = (await s.comparisons()).data;
  expect(row).toMatchObject({
    // The category prompt is answered twice, for Acme.
    wins: 2,
    losses: 12,
    both: 4,
    answers: 18,
    win_rate: 0.222222,
    no_preference: 32,
    brand_missing: 24,
    aspects_only: 4,
    no_pick: 4,
  });
  expect(row.quotations.map((one: { preferred: string; text: string }) => [one.preferred, one.text])).toEqual([
    ["Rival", "I would pick Rival rather than Acme."],
    ["Acme", "Acme is better than Rival, and that is it."],
  ]);
  const { data: keywords } = (await s.owner.get(`${s.analysis}/keywords?limit=100`)).body;
  const answersOf = async (text: string) => {
    const { id } = keywords.find((one: { text: string }) => one.text === text);
    const [{ id: answer }] = (await s.owner.get(`${s.analysis}/answers?keyword_id=${id}`)).body.data;
    const { comparisons } = (await s.owner.get(`${s.analysis}/answers/${answer}`)).body.perception;
    return comparisons.map((one: Record<string, unknown>) => [one["better"], one["aspect"], one["is_draw"]]);
  };
  expect(await answersOf("Acme or Rival, question 2?")).toEqual([
    ["Acme", "cheaper", false],
    ["Rival", null, false],
  ]);
  expect(await answersOf("Acme or Rival, question 3?")).toEqual([
    ["Acme", "cheaper", false],
    ["Acme", null, true],
  ]);
});

test("one call states who wins on an aspect, in any wording", async () => {
  await using s = await scene();
  const rows = async (query: string) =>
    (await s.comparisons(query)).data.map((row: Record<string, unknown>) => {
      return [row["aspect"], row["wins"], row["losses"], row["win_rate"]];
    });
  expect(await rows("group_by=aspect")).toEqual([
    ["camera", 0, 28, 0],
    [null, 22, 24, 0.48],
    ["price", 24, 0, 1],
  ]);
  expect(await rows("aspect=Price")).toEqual([[undefined, 24, 0, 1]]);
  expect(await rows("aspect=cheap&brands=rival")).toEqual([[undefined, 24, 0, 1]]);
  expect(await rows("group_by=aspect&aspect=zoom")).toEqual([["camera", 0, 28, 0]]);
  expect(await rows("aspect=colour")).toEqual([[undefined, 0, 0, null]]);
});

test("compares each pair of brands once, the own one first, in prompts that name both or neither", async () => {
  await using s = await scene();
  // Mira is no competitor of the analysis, so that it has pairs only where it is named.
  const mira = (await s.owner.post(`${s.workspace.path}/brands`, { name: "Mira", relationship: "competitor" })).body;
  s.texts.set("Which phone?", "Rival is better than Mira. Mira is better than Acme.");
  // Not counted: preferences between Rival and Mira in a prompt about Rival only.
  s.texts.set("Acme or Rival, question 0?", "Rival is better than Mira.");
  await s.again(s.analysis, 2);
  const rows = async (query: string) =>
    (await s.comparisons(query)).data.map((row: Record<string, unknown>) => {
      return [row["brand"], row["brand_id"], row["rival"], row["wins"], row["losses"], row["first_answers"]];
    });
  const [own, miraId] = [s.brandId, mira.id];
  expect(await rows("group_by=brand")).toEqual([["Acme", own, "Rival", 16, 24, 20]]);
  const named = `group_by=brand&brands=${own}&brands=${s.rivalId}&brands=${miraId}`;
  expect(await rows(named)).toEqual([
    ["Acme", own, "Mira", 0, 2, 0],
    ["Acme", own, "Rival", 16, 24, 20],
    ["Rival", s.rivalId, "Mira", 2, 0, 0],
  ]);
  expect(await rows(`group_by=brand&brands=${miraId}`)).toEqual([
    ["Acme", own, "Mira", 0, 2, 0],
    ["Rival", s.rivalId, "Mira", 2, 0, 0],
  ]);
  const [{ quotations }] = (await s.comparisons(`${named}&brands=${miraId}`)).data;
  expect(quotations).toMatchObject([{ preferred: "Mira", text: "Mira is better than Acme." }]);
});

test("groups by source, country, persona and collect", async () => {
  await using s = await scene();
  const rows = async (query: string, name: string) =>
    (await s.comparisons(query)).data.map((row: Record<string, unknown>) => {
      return [row[name], row["wins"], row["losses"], row["both"], row["prompts"]];
    });
  expect(await rows("group_by=source", "source")).toEqual([["ChatGPT", 22, 24, 4, 13]]);
  expect(await rows("group_by=country", "country")).toEqual([
    ["US", 10, 12, 2, 12],
    ["DE", 12, 12, 2, 13],
  ]);
  expect(await rows("group_by=persona&group_by=country&personas=anna", "country")).toEqual([
    ["US", 5, 6, 1, 12],
    ["DE", 6, 6, 1, 13],
  ]);
  for (let at = 0; at < 4; at += 1) s.texts.set(`Acme or Rival, question ${at}?`, LOSS);
  await s.again(s.analysis, 2);
  expect(await rows("group_by=collect", "collect")).toEqual([
    [1, 22, 24, 4, 13],
    [2, 6, 40, 4, 13],
  ]);
  const other = (await s.owner.post(`${s.organization.path}/workspaces`, { name: "Other" })).body;
  const foreign = s.analysis.replace(s.workspace.id, other.id);
  expect((await s.owner.get(`${foreign}/metrics/comparisons`)).status).toBe(404);
  const search = await s.create(["phone"]);
  await s.ended(search);
  expect((await s.owner.get(`${search}/metrics/comparisons`)).body).toMatchObject({ data: [], total_count: 0 });
});

test("a rival with seven more prompts won has moved, in prompts comparing only the two", async () => {
  await using s = await scene();
  for (const at of [0, 1, 2, 3]) s.texts.set(`Acme or Rival, question ${at}?`, LOSS);
  s.texts.set("Rival or Acme, question 0?", LOSS);
  s.texts.set("Acme or Rival, question 5?", LOSS);
  await s.again(s.analysis, 2);
  const [{ change }] = (await s.comparisons("statistics=true")).data;
  // d is -4 in five prompts, -2 in one and 0 in seven: delta = -22 / 50, with 50² / (12 · 4² + 2²)
  // = 12 effective prompts.
  const delta = -22 / 50;
  const squares = 5 * (-4 - 4 * delta) ** 2 + (-2 - 4 * delta) ** 2 + 6 * (4 * delta) ** 2 + (2 * delta) ** 2;
  const error = Math.sqrt(((12 / 11) * squares) / 50 ** 2);
  expect(change).toMatchObject({ before: 0.48, after: 0.04, delta: -0.44, verdict: "first_sign" });
  expect(change.p).toBeCloseTo(computeTwoSidedP(delta / error, 11), 5);
});

test("a tool result states it in words", async () => {
  await using s = await scene();
  const { token } = await mintToolToken(s, s.owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(s.config.mcpUrl, { token });
  const { text, structured } =
    (await client?.call("get_comparisons", {
      organization_id: s.organization.id,
      workspace_id: s.workspace.id,
      analysis: "Opinion",
      aspect: "price",
    })) ?? {};
  if (!structured) throw new Error(text);
  expect(structured.data).toMatchObject([{ rival: "Rival", wins: 24, losses: 0, win_rate: 1 }]);
  expect(text).toContain("100 % (");
});
