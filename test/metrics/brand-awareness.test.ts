import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sumMoments, computeRateInterval } from "../../core/statistics/interval.ts";
import { studentQuantile } from "../../core/statistics/student.ts";
import { brandScene } from "../support/brand-scene.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";

const KNOWN = "Acme is a maker of phones.";

/** Prompts of a brand analysis with initial answers. */
function prompts({ brandId }: { brandId: string }) {
  const texts = new Map<string, string>();
  const unaided = Array.from({ length: 14 }, (_, at) => {
    const text = `Which phone ${at}?`;
    texts.set(text, at < 7 ? "1. Acme\n2. Rival" : "Rival is what I would take.");
    return { kind: "unaided", text };
  });
  const aided = (name: string, more: object, answers: string[]) =>
    answers.map((answer, at) => {
      const text = `Question ${at}: what is ${name}?`;
      texts.set(text, answer);
      return { kind: "aided", text, brand_id: brandId, template: `know-${at}`, ...more };
    });
  const unknown = "I have no information about Acme.";
  const own = [KNOWN, KNOWN, KNOWN, KNOWN, unknown, "Did you mean Acmeo?"];
  const control = "I'm not familiar with Belmora.";
  const invented = ["Belmora is a maker of phones.", control, control, control, control];
  return {
    texts,
    asked: [
      ...unaided,
      ...aided("Acme", {}, own),
      ...aided("Belmora", { look_alike: "Belmora" }, invented),
      // In one country only, so it has no look-alike to pair.
      { kind: "aided", text: "Acme?", brand_id: brandId, country: "DE", template: "mine" },
    ],
  };
}

/**
 * A scene with a collect of these prompts, of some kinds, of which some are answered `otherwise`.
 */
async function scene({
  kinds = ["unaided", "aided"],
  otherwise = {},
}: { kinds?: string[]; otherwise?: Record<string, string> } = {}) {
  const texts = new Map<string, string>();
  const s = await brandScene(texts);
  const given = prompts(s);
  const answers = { "Acme?": KNOWN, ...otherwise };
  for (const [text, answer] of [...given.texts, ...Object.entries(answers)]) texts.set(text, answer);
  const analysis = await s.analyse(given.asked.filter(({ kind }) => kinds.includes(kind)));
  return {
    ...s,
    texts,
    analysis,
    awareness: async (query = "") => (await s.owner.get(`${analysis}/metrics/brand-awareness?${query}`)).body,
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

/** Shared by read-only tests. */
let shared: Awaited<ReturnType<typeof scene>>;
beforeAll(async () => {
  shared = await scene();
});
afterAll(() => shared[Symbol.asyncDispose]());

/** Interval over prompts with four answers each at one source. */
function interval(counts: { x: number; n: number }[]) {
  const { low = NaN, high = NaN } = computeRateInterval(sumMoments(counts), { runs: 4, sourceCount: 1 }) ?? {};
  return [expect.closeTo(low, 6), expect.closeTo(high, 6)];
}

const times = (count: number, x: number, n = 4) => Array.from({ length: count }, () => ({ x, n }));

test("counts unaided, aided and look-alike answers, with their difference", async () => {
  const s = shared;
  const { data, total_count, basis } = await s.awareness("statistics=true");
  expect(total_count).toBe(2);
  const [acme, rival] = data;
  expect(acme).toMatchObject({
    brand: "Acme",
    is_my_brand: true,
    answers: 56,
    prompts: 14,
    occurrences: 28,
    unaided: 0.5,
    // Seven prompts, the last in one country only.
    asked: 26,
    asked_prompts: 7,
    recognised: 18,
    not_recognised: 4,
    confused: 4,
    aided: 0.692308,
    look_alikes_asked: 20,
    look_alikes_recognised: 4,
    look_alikes: 0.2,
    unaided_change: null,
    aided_change: null,
  });
  // A prompt counts once over countries and personas.
  expect([acme.unaided_ci_low, acme.unaided_ci_high]).toEqual(interval([...times(7, 4), ...times(7, 0)]));
  // Three of five templates differ, by all four answers: V = 5/4 · (3 · (4 − 2.4)² + 2 · 2.4²) /
  // 20².
  const half = studentQuantile(0.975, 4) * Math.sqrt((5 / 4) * ((3 * 1.6 ** 2 + 2 * 2.4 ** 2) / 400));
  expect(acme.difference).toEqual({
    delta: 0.6,
    ci_low: expect.closeTo(0.6 - half, 6),
    ci_high: 1,
    templates: 5,
  });
  expect(rival).toMatchObject({ brand: "Rival", unaided: 1, asked: 0, recognised: 0, aided: null, look_alikes: null });
  expect(rival.difference).toEqual({ delta: null, ci_low: null, ci_high: null, templates: 0 });
  expect(basis).toMatchObject({ answers: 102, prompts: 26, chosen: [] });
});

test("each verdict has an answer with its sentence", async () => {
  const s = shared;
  const [{ quotations }] = (await s.awareness()).data;
  const said = quotations.map((one: Record<string, unknown>) => [one["name"], one["verdict"], one["text"]]);
  expect(said).toEqual([
    ["Acme", "recognised", KNOWN],
    ["Acme", "not_recognised", "I have no information about Acme."],
    ["Acme", "confused", "Did you mean Acmeo?"],
    ["Belmora", "recognised", "Belmora is a maker of phones."],
    ["Belmora", "not_recognised", "I'm not familiar with Belmora."],
  ]);
  for (const { answer_id, verdict, start, end, text } of quotations) {
    const { body } = await s.owner.get(`${s.analysis}/answers/${answer_id}`);
    expect(body.awareness).toEqual({ verdict, start, end });
    expect(body.text.slice(start, end)).toBe(text);
  }
});

test("groups by source, country and persona", async () => {
  const s = shared;
  const rows = async (query: string, name: string) =>
    (await s.awareness(query)).data.map((row: Record<string, unknown>) => [
      row[name],
      row["answers"],
      row["asked"],
      row["recognised"],
      row["look_alikes_asked"],
    ]);
  expect(await rows("group_by=source", "source")).toEqual([["ChatGPT", 56, 26, 18, 20]]);
  expect(await rows("group_by=country", "country")).toEqual([
    ["US", 28, 12, 8, 10],
    ["DE", 28, 14, 10, 10],
  ]);
  expect(await rows("group_by=persona", "persona")).toEqual([
    ["Anna", 28, 13, 9, 10],
    ["Ben", 28, 13, 9, 10],
  ]);
  expect(await rows("group_by=persona&group_by=country&personas=ben", "country")).toEqual([
    ["US", 14, 6, 4, 5],
    ["DE", 14, 7, 5, 5],
  ]);
  const other = await s.create(["phone"]);
  await s.ended(other);
  expect((await s.owner.get(`${other}/metrics/brand-awareness`)).body).toMatchObject({ data: [], total_count: 0 });
  expect((await s.owner.get(`${other}/metrics/brand-awareness?brands=nobody`)).body.code).toBe("VALIDATION_FAILED");
});

test("a prompt with four answers counts once: a change in seven of 14 is a first sign", async () => {
  await using s = await scene();
  for (let at = 7; at < 14; at += 1) s.texts.set(`Which phone ${at}?`, "1. Acme\n2. Rival");
  for (let at = 0; at < 4; at += 1) s.texts.set(`Question ${at}: what is Acme?`, "I have no information about Acme.");
  await s.again(s.analysis, 2);
  const [acme] = (await s.awareness("statistics=true")).data;
  // t = 0.5 / √(14/13 · 14 · 2² / 56²) of 13 degrees.
  expect(acme.unaided_change).toMatchObject({ before: 0.5, after: 1, delta: 0.5, verdict: "first_sign", cells: 56 });
  expect(acme.unaided_change.p).toBeCloseTo(0.0032, 4);
  expect(acme.aided_change).toMatchObject({ verdict: "insufficient_data", delta: null, compared_with: [1] });
  const { data } = await s.awareness("group_by=collect&brands=rival&brands=acme&group_by=brand");
  const counts = data.map((row: Record<string, unknown>) => [
    row["collect"],
    row["brand"],
    row["answers"],
    row["occurrences"],
    row["asked"],
    row["recognised"],
    row["look_alikes_asked"],
  ]);
  expect(counts).toEqual([
    [1, "Acme", 56, 28, 26, 18, 20],
    [1, "Rival", 56, 56, 0, 0, 0],
    [2, "Acme", 56, 56, 26, 2, 20],
    [2, "Rival", 56, 56, 0, 0, 0],
  ]);
});

test("filtering by brand only restricts rows", async () => {
  const query = "statistics=true&group_by=brand&group_by=persona";
  const { data } = await shared.awareness(query);
  expect(data.map((row: Record<string, unknown>) => [row["brand"], row["persona"]])).toEqual([
    ["Acme", "Anna"],
    ["Rival", "Anna"],
    ["Acme", "Ben"],
    ["Rival", "Ben"],
  ]);
  expect(await shared.awareness(`${query}&brands=rival`)).toMatchObject({ data: [data[1], data[3]], total_count: 2 });
});

test("rows follow a new name at once, and a new alias when the answers are read again", async () => {
  await using s = await scene({
    kinds: ["aided"],
    otherwise: { "Question 0: what is Acme?": "Akme is a maker of phones." },
  });
  const counts = async () => {
    const [{ recognised, not_recognised }] = (await s.awareness()).data;
    return [recognised, not_recognised];
  };
  expect(await counts()).toEqual([14, 8]);
  const aliases = [{ text: "Akme", case_sensitive: false }];
  expect(await s.owner.patch(`${s.workspace.path}/brands/${s.brandId}`, { aliases })).toMatchObject({ status: 200 });
  for (let waited = 0; waited < 5000 && (await counts())[0] === 14; waited += 20) await sleep(20);
  expect(await counts()).toEqual([18, 4]);
  const personas = async () => {
    const { data } = await s.awareness("group_by=persona");
    return data.map((row: Record<string, unknown>) => [row["brand"], row["persona"], row["recognised"]]);
  };
  expect(await personas()).toEqual([
    ["Acme", "Anna", 9],
    ["Acme", "Ben", 9],
  ]);
  expect(await s.owner.patch(`${s.workspace.path}/personas/${s.personas[1]}`, { name: "Benno" })).toMatchObject({
    status: 200,
  });
  expect(await s.owner.patch(`${s.workspace.path}/brands/${s.brandId}`, { name: "Acmo" })).toMatchObject({
    status: 200,
  });
  expect((await personas()).map(([brand, persona]: string[]) => [brand, persona])).toEqual([
    ["Acmo", "Anna"],
    ["Acmo", "Benno"],
  ]);
});

test("a tool result states it in words", async () => {
  const s = shared;
  const { token } = await mintToolToken(s, s.owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(s.config.mcpUrl, { token });
  const { text, structured } =
    (await client?.call("get_brand_awareness", {
      organization_id: s.organization.id,
      workspace_id: s.workspace.id,
      analysis: "Opinion",
    })) ?? {};
  if (!structured) throw new Error(text);
  expect(structured.data[0]).toMatchObject({ brand: "Acme", recognised: 18, asked: 26 });
  expect(text).toContain("69 % (18 of 26 answers");
});
