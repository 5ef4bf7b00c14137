import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Question } from "../../src/outside/sources/provider.ts";
import type { SimulatedPerception } from "./simulated-perception.ts";
import { simulateAnswer } from "../../src/outside/sources/simulated/simulated.ts";
import { simulatedTruth } from "./simulated-truth.ts";
import { readWorld, type SimulatedWorld } from "../../src/outside/sources/simulated/world-file.ts";
import type { WorldOpinions } from "../../src/outside/sources/simulated/world-opinions.ts";
import type { PromptContext } from "../../core/prompts/brand-prompt.ts";
import { brand, catalogOf } from "../measurement/brands.ts";

const world = readWorld();
const { brands } = catalogOf(brand("Kestrova"), "Brindlecup", "Tavolino");

/** Prompts about Kestrova in one location, in this number of wordings. */
function asking(asked: Partial<PromptContext>, more: Partial<Question> = {}, wordings = 400): Question[] {
  const about = { kind: "perception" as const, brandId: brands[0]?.id ?? "", lookAlike: null, otherBrandId: null };
  return Array.from({ length: wordings }, (_, number) => ({
    prompt: `In words of number ${number}: what of it?`,
    source: "ASSISTANT_A",
    run: 1,
    collectNumber: 1,
    thematic: "",
    topic: "",
    persona: null,
    country: "US",
    language: "en",
    brands,
    category: "espresso machines",
    attributes: [],
    ...more,
    asked: { ...about, attribute: null, asksProsCons: false, ...asked },
  }));
}

/** The share of answers of which something is true. */
function shareOf(questions: readonly Question[], isTrue: (truth: SimulatedPerception) => boolean, of = world): number {
  const truths = questions.flatMap((question) => simulatedTruth(of, question).perception ?? []);
  expect(truths.length).toBe(questions.length);
  return truths.filter(isTrue).length / truths.length;
}

/** The demo world with other opinions of Kestrova. */
function thinking(opinions: Partial<WorldOpinions>): SimulatedWorld {
  const kestrova = {
    known: { likely: 1, channels: {}, confused: 0, shifts: [] },
    scores: {},
    against: {},
    aspects: {},
  };
  const thought = { ...kestrova, claims: [], ...opinions };
  const thoughtOf = world.brands.map((one) => (one.name === "Kestrova" ? { ...one, opinions: thought } : one));
  return { ...world, brands: thoughtOf };
}

test("applies a likelihood as a share of answers, from its collect on, by source, country and persona", () => {
  const shifts = [
    { collect: 2, gain: 0.3 },
    { collect: 1, source: "ASSISTANT_B" as const, gain: 0.2 },
    { collect: 1, country: "DE", gain: 0.1 },
    { collect: 1, persona: "Barista", gain: -0.15 },
  ];
  const of = thinking({ pros: [], cons: [{ say: "a noisy pump", head: "pump", likely: 0.2, shifts }] });
  const share = (more: Partial<Question>) =>
    shareOf(
      asking({}, more),
      ({ points }) => points.some(({ head, polarity }) => head === "pump" && polarity === "con"),
      of,
    );
  const found = [
    share({}),
    share({ collectNumber: 3 }),
    share({ source: "ASSISTANT_B" }),
    share({ country: "DE" }),
    share({ persona: "Barista. The one who cares. Pulls shots." }),
  ];
  for (const [at, known] of [0.2, 0.5, 0.4, 0.3, 0.05].entries())
    expect(Math.abs((found[at] ?? 0) - known)).toBeLessThan(0.06);
});

test("knows a brand as often as the world says, and a look-alike rarely, or as often as the source is credulous", () => {
  const known = { likely: 0.6, channels: { ASSISTANT_B: 0.5 }, confused: 0.5, shifts: [] };
  const of = { ...thinking({ known }), credulity: { ASSISTANT_B: 0.3 } };
  const share = (verdict: string, more: Partial<Question>, asked: Partial<PromptContext> = {}) =>
    shareOf(asking({ kind: "aided", ...asked }, more), ({ awareness }) => awareness === verdict, of);
  const elsewhere = { source: "ASSISTANT_B" } as const;
  const found = [
    share("recognised", {}),
    share("recognised", elsewhere),
    share("confused", {}),
    share("recognised", {}, { lookAlike: "Kelvorna" }),
    share("recognised", elsewhere, { lookAlike: "Kelvorna" }),
  ];
  for (const [at, likely] of [0.6, 0.3, 0.2, 0.04, 0.3].entries())
    expect(Math.abs((found[at] ?? 0) - likely)).toBeLessThan(0.06);
});

test("gives the world's scores and preferences by attribute, against a rival and in an aspect", () => {
  const of = thinking({ scores: { price: -3, noise: 3 }, appeal: 0, against: { Brindlecup: 3 }, aspects: { pump: 4 } });
  const meanOf = (attribute: string) => {
    const scores = asking({ kind: "attribute", attribute }).flatMap((question) => {
      return simulatedTruth(of, question).perception?.attributes.map(({ score }) => score) ?? [];
    });
    return scores.reduce((sum, score) => sum + score, 0) / scores.length;
  };
  expect(meanOf("price")).toBeLessThan(-2.4);
  expect(meanOf("noise")).toBeGreaterThan(2.4);
  const compared = asking({ kind: "comparison", otherBrandId: brands[1]?.id ?? "" });
  const better = (aspect: string | null) => {
    const all = compared.flatMap((question) => simulatedTruth(of, question).perception?.comparisons ?? []);
    const own = all.filter((one) => one.aspect === aspect && !one.isDraw);
    return own.filter((one) => one.better === brands[0]?.id).length / own.length;
  };
  // Brindlecup has an appeal of 0.5 and a pump of 0.4: logits of 2.5 and 3.6.
  expect(Math.abs(better(null) - 1 / (1 + Math.exp(-2.5)))).toBeLessThan(0.06);
  expect(Math.abs(better("pump") - 1 / (1 + Math.exp(-3.6)))).toBeLessThan(0.06);
});

test("answers a prompt identically each time, and differently in another location", () => {
  const [asked] = asking({ kind: "unaided", brandId: null });
  if (!asked) throw new Error("nothing is asked");
  const changes: Partial<Question>[] = [
    { run: 2 },
    { collectNumber: 2 },
    { source: "ASSISTANT_B" },
    { country: "DE" },
    { persona: "Barista" },
  ];
  const texts = [{}, ...changes].map((change) => simulateAnswer(world, { ...asked, ...change }).text);
  expect(simulateAnswer(world, asked).text).toBe(texts[0]);
  expect(new Set(texts).size).toBe(1 + changes.length);
});

test("a world file with opinions that reading would take for something else names each of them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "world-"));
  const file = join(folder, "world.json");
  const [first, ...others] = world.brands;
  const opinions = {
    pros: [{ say: "a noisy pump", head: "pump", likely: 0.5 }],
    cons: [{ say: "a noisy pump", head: "noise", likely: 0.5 }],
    claims: [{ attribute: "price", says: "It is affordable", value: { kind: "text", text: "cheap" }, likely: 1 }],
  };
  await writeFile(file, JSON.stringify({ ...world, brands: [{ ...first, opinions }, ...others] }));
  const wrong = [
    "pros.0.say: does not praise",
    "cons.0.head: must be the head noun of `say`",
    "claims.0.says: must neither",
  ];
  for (const one of wrong) expect(() => readWorld(file)).toThrow(`brands.0.opinions.${one}`);
  await rm(folder, { recursive: true });
});
