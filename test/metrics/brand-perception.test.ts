import { expect, test } from "vitest";
import { sumMoments, computeRateInterval } from "../../core/statistics/interval.ts";
import { brandScene } from "../support/brand-scene.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";

const ENGLISH = "This is what owners of it say for the most part.\n\n## Acme\n\n";
const PRAISE = `${ENGLISH}**Pros:**\n- long battery life\n- bright screen\n\n**Cons:**\n- loud fan\n`;
const BLAME = `${ENGLISH}**Cons:**\n- loud fan\n- high price\n`;
const EVEN = `${ENGLISH}**Pros:**\n- bright screen\n\n**Cons:**\n- loud fan\n`;
const ASKED = `${ENGLISH}**Pros:**\n- bright screen\n- good sound\n\n**Cons:**\n- weak camera\n`;
const GERMAN = "## Acme\n\nDas ist nicht das, was die Leute von dem Gerät sagen.\n\n**Vorteile:**\n- lange Laufzeit\n";
const PLAIN = "For most people I would go with the Rival. The Acme is one of the others that you can find.";

/**
 * Prompts with answers: four each, in two countries as two personas, except single-country ones.
 */
async function scene() {
  const texts = new Map<string, string>();
  const s = await brandScene(texts);
  const about = { brand_id: s.brandId };
  const prompts: [object, string][] = [
    ...[PRAISE, PRAISE, PRAISE, BLAME, EVEN, GERMAN, PLAIN].map((answer, at): [object, string] => [
      { kind: "unaided", text: `Which phone ${at}?` },
      answer,
    ]),
    [{ kind: "aided", text: "What is Acme?", country: "DE", ...about }, PRAISE],
    [{ kind: "aided", text: "What is Belmora?", look_alike: "Belmora", ...about }, BLAME],
    [{ kind: "perception", text: "What do you think of Acme?", ...about }, EVEN],
    [{ kind: "perception", text: "What are the pros and cons of Acme?", asks_pros_cons: true, ...about }, ASKED],
    [{ kind: "comparison", text: "Acme or Rival?", brand_id: s.rivalId }, BLAME],
  ];
  for (const [prompt, answer] of prompts) texts.set((prompt as { text: string }).text, answer);
  const analysis = await s.analyse(prompts.map(([prompt]) => prompt));
  return {
    ...s,
    texts,
    analysis,
    perception: async (query = "") => (await s.owner.get(`${analysis}/metrics/brand-perception?${query}`)).body,
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

/** Interval over prompts with this mean number of answers at one source. */
function interval(clusters: { x: number; n: number }[], runs: number) {
  return computeRateInterval(sumMoments(clusters), { runs, sourceCount: 1 }) ?? { low: NaN, high: NaN };
}

/** Prompts with four answers each. */
const four = (...values: number[]) => values.map((x) => ({ x, n: 4 }));

const close = (value: number): unknown => expect.closeTo(value, 6);

test("stances are shares, pros and cons count answers, and sentiment compares their numbers", async () => {
  await using s = await scene();
  const { data, total_count, basis } = await s.perception("statistics=true");
  expect(total_count).toBe(2);
  const [{ brand_id, quotations, ...acme }, rival] = data;
  const pros = interval([...four(4, 4, 4, 0, 4, 0, 4), { x: 2, n: 2 }], 30 / 8);
  const cons = interval([...four(4, 4, 4, 4, 4, 0, 4), { x: 2, n: 2 }], 30 / 8);
  const sentiment = interval([...four(4, 4, 4, 0, 2, 2), { x: 2, n: 2 }], 26 / 7);
  expect(acme).toEqual({
    brand: "Acme",
    is_my_brand: true,
    answers: 34,
    prompts: 9,
    winner: 0,
    winner_share: 0,
    recommended: 4,
    recommended_share: 0.117647,
    recommended_share_change: null,
    caveated: 26,
    caveated_share: 0.764706,
    caveated_share_change: null,
    mentioned: 4,
    mentioned_share: 0.117647,
    discouraged: 0,
    discouraged_share: 0,
    judged: 30,
    judged_prompts: 8,
    unjudged: 4,
    unjudged_because: "no_lexicon_for_language",
    with_pros: 22,
    pro_rate: 0.733333,
    pro_ci_low: close(pros.low),
    pro_ci_high: close(pros.high),
    pro_grade: "exploratory",
    with_cons: 26,
    con_rate: 0.866667,
    con_ci_low: close(cons.low),
    con_ci_high: close(cons.high),
    con_grade: "exploratory",
    con_rate_change: null,
    more_pros: 14,
    more_cons: 4,
    with_either: 26,
    either_prompts: 7,
    sentiment: 0.384615,
    sentiment_ci_low: close(2 * sentiment.low - 1),
    sentiment_ci_high: close(2 * sentiment.high - 1),
    sentiment_grade: "exploratory",
    sentiment_change: null,
    pros: [
      { phrase: "bright screen", head: "screen", answers: 22, asked: 4 },
      { phrase: "long battery life", head: "battery life", answers: 14, asked: 0 },
      { phrase: "lange Laufzeit", head: "lange laufzeit", answers: 4, asked: 0 },
      { phrase: "good sound", head: "sound", answers: 0, asked: 4 },
    ],
    cons: [
      { phrase: "loud fan", head: "fan", answers: 26, asked: 0 },
      { phrase: "high price", head: "high price", answers: 4, asked: 0 },
      { phrase: "weak camera", head: "camera", answers: 0, asked: 4 },
    ],
  });
  expect([brand_id, quotations.length]).toEqual([s.brandId, 4]);
  expect(rival).toMatchObject({ brand: "Rival", answers: 4, winner: 4, judged: 4, pro_rate: 0, sentiment: null });
  // Without answers about pros and cons, invented names, or comparisons.
  expect(basis).toMatchObject({ answers: 34, prompts: 9, chosen: [] });
});

test("each quotation links to its answer, which shows all its opinions", async () => {
  await using s = await scene();
  const [{ quotations }] = (await s.perception()).data;
  const said = quotations.map(({ polarity, head, text }: Record<string, unknown>) => [polarity, head, text]);
  expect(said).toEqual([
    ["pro", "screen", "bright screen"],
    ["pro", "battery life", "long battery life"],
    ["con", "fan", "loud fan"],
    ["con", "high price", "high price"],
  ]);
  for (const { answer_id, polarity, head, start, end, text } of quotations) {
    const { body } = await s.owner.get(`${s.analysis}/answers/${answer_id}`);
    const brand = { brand_id: s.brandId, brand: "Acme" };
    expect(body.perception.points).toContainEqual({ ...brand, polarity, head, start, end });
    expect(body.text.slice(start, end)).toBe(text);
    expect(body.perception).toMatchObject({ language: "en", unjudged: null, comparisons: [], attributes: [] });
    expect(body.perception.stances).toEqual([{ ...brand, stance: "caveated", start: 53, end: 57 }]);
  }
});

test("themes are rows: the share of a brand's answers, at each source, and each brand's share of a theme", async () => {
  const texts = new Map<string, string>();
  await using s = await brandScene(texts);
  const both = `${PRAISE}\n## Rival\n\n**Pros:**\n- bright screen\n`;
  const answers = [both, both, both, PRAISE, PRAISE, BLAME, PLAIN];
  const prompts = answers.map((answer, at) => ({ kind: "unaided", text: `Which phone ${at}?`, answer }));
  for (const { text, answer } of prompts) texts.set(text, answer);
  const analysis = await s.analyse(prompts.map(({ kind, text }) => ({ kind, text })));
  const rows = async (query: string) => {
    const { body } = await s.owner.get(`${analysis}/metrics/brand-perception?${query}`);
    expect(body.total_count).toBe(body.data.length);
    return body.data;
  };
  const acme = { brand: "Acme", brand_id: s.brandId, is_my_brand: true, answers: 28, prompts: 7 };
  const rival = { brand: "Rival", brand_id: s.rivalId, is_my_brand: false, answers: 16, prompts: 4 };
  const screen = { polarity: "pro", theme: "bright screen", head: "screen" };
  const battery = { polarity: "pro", theme: "long battery life", head: "battery life" };
  const fan = { polarity: "con", theme: "loud fan", head: "fan" };
  const price = { polarity: "con", theme: "high price", head: "high price" };
  expect(await rows("group_by=brand&group_by=theme")).toEqual([
    { ...acme, ...screen, theme_answers: 20, theme_share: 0.714286, brand_share: 0.625 },
    { ...rival, ...screen, theme_answers: 12, theme_share: 0.75, brand_share: 0.375 },
    { ...acme, ...fan, theme_answers: 24, theme_share: 0.857143, brand_share: 1 },
    { ...acme, ...battery, theme_answers: 20, theme_share: 0.714286, brand_share: 1 },
    { ...acme, ...price, theme_answers: 4, theme_share: 0.142857, brand_share: 1 },
  ]);
  expect(await rows("group_by=brand&group_by=theme&brands=Rival")).toEqual([
    { ...rival, ...screen, theme_answers: 12, theme_share: 0.75, brand_share: 0.375 },
  ]);
  expect(await rows("group_by=source&group_by=theme&brands=Rival")).toEqual([
    { ...rival, ...screen, source: "ChatGPT", theme_answers: 12, theme_share: 0.75 },
  ]);
  const ci = interval(four(4, 4, 4, 4, 4, 0, 0), 4);
  const [own, , , ...others] = await rows("group_by=theme&statistics=true");
  expect(own).toMatchObject({ ...acme, ...fan, theme_answers: 24 });
  expect(others).toMatchObject([{ ...price, theme_answers: 4 }]);
  expect((await rows("group_by=theme&statistics=true"))[1]).toEqual({
    ...acme,
    ...battery,
    theme_answers: 20,
    theme_share: 0.714286,
    ci_low: close(ci.low),
    ci_high: close(ci.high),
    grade: "exploratory",
  });
});

test("groups by source, country and persona", async () => {
  await using s = await scene();
  const rows = async (query: string, name: string) =>
    (await s.perception(query)).data.map((row: Record<string, unknown>) => [
      row[name],
      row["answers"],
      row["with_either"],
      row["sentiment"],
    ]);
  expect(await rows("group_by=source", "source")).toEqual([["ChatGPT", 34, 26, 0.384615]]);
  expect(await rows("group_by=country", "country")).toEqual([
    ["US", 16, 12, 0.333333],
    ["DE", 18, 14, 0.428571],
  ]);
  expect(await rows("group_by=persona", "persona")).toEqual([
    ["Anna", 17, 13, 0.384615],
    ["Ben", 17, 13, 0.384615],
  ]);
  expect(await rows("group_by=country&countries=germany", "country")).toEqual([["DE", 18, 14, 0.428571]]);
  // Fewer than ten answers have no sentiment.
  expect(await rows("group_by=persona&group_by=country&personas=ben", "country")).toEqual([
    ["US", 8, 6, null],
    ["DE", 9, 7, null],
  ]);
  expect(await rows("brands=rival", "brand")).toEqual([["Rival", 4, 0, null]]);
  const other = await s.create(["phone"]);
  await s.ended(other);
  expect((await s.owner.get(`${other}/metrics/brand-perception`)).body).toMatchObject({ data: [], total_count: 0 });
});

test("compares collects; one in a language without lexicon has no rates", async () => {
  await using s = await scene();
  for (const [text, answer] of s.texts) if (answer === PRAISE || answer === EVEN) s.texts.set(text, BLAME);
  await s.again(s.analysis, 2);
  const [acme] = (await s.perception("statistics=true")).data;
  expect(acme.sentiment).toBe(-1);
  expect(acme.sentiment_change).toEqual({
    before: 0.384615,
    after: -1,
    delta: -1.384615,
    ci_low: expect.any(Number),
    ci_high: expect.any(Number),
    p: expect.any(Number),
    verdict: "first_sign",
    cells: 34,
    left_out: { one_side_only: 0, other_method: 0, other_model: 0 },
    compared_with: [1],
    baseline: "run 1",
  });
  expect(acme.con_rate_change).toMatchObject({ verdict: "insufficient_data", delta: null });
  expect([acme.recommended_share_change, acme.caveated_share_change]).toMatchObject([
    { verdict: "insufficient_data", delta: null, compared_with: [1], cells: 34 },
    { verdict: "insufficient_data", delta: null, compared_with: [1], cells: 34 },
  ]);
  for (const text of s.texts.keys()) s.texts.set(text, GERMAN);
  await s.again(s.analysis, 3);
  const { data } = await s.perception("group_by=collect");
  const told = data.map((row: Record<string, unknown>) => [
    row["collect"],
    row["pro_rate"],
    row["sentiment"],
    row["unjudged"],
    row["unjudged_because"],
    row["recommended"],
  ]);
  expect(told).toEqual([
    [1, 0.733333, 0.384615, 4, "no_lexicon_for_language", 4],
    [2, 0, -1, 4, "no_lexicon_for_language", 4],
    [3, null, null, 34, "no_lexicon_for_language", 34],
  ]);
});

test("a tool result states it in words", async () => {
  await using s = await scene();
  const { token } = await mintToolToken(s, s.owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(s.config.mcpUrl, { token });
  const { text, structured } =
    (await client?.call("get_brand_perception", {
      organization_id: s.organization.id,
      workspace_id: s.workspace.id,
      analysis: "Opinion",
    })) ?? {};
  if (!structured) throw new Error(text);
  expect(structured.data[0]).toMatchObject({ brand: "Acme", caveated: 26, with_either: 26, sentiment: 0.384615 });
  expect(text).toContain("76.5 % (26 of 34 answers to 9 prompts)");
  expect(text).toMatch(/0\.4 \(|0\.38 \(/);
});
