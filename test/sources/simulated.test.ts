import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Question } from "../../src/outside/sources/provider.ts";
import { waitForAnswer } from "../providers/ask-provider.ts";
import { getCast, openChances } from "../../src/outside/sources/simulated/cast.ts";
import { simulateAnswer, simulated } from "../../src/outside/sources/simulated/simulated.ts";
import { simulatedTruth } from "./simulated-truth.ts";
import { readWorld, type SimulatedWorld } from "../../src/outside/sources/simulated/world-file.ts";
import type { TrackedBrand } from "../../core/reading/capture.ts";
import { compileCatalog } from "../../core/reading/catalog.ts";
import { readCapture } from "../../core/reading/reading.ts";
import { SOURCES } from "../../core/sources/sources.ts";

const world = readWorld();
const provider = openSimulated();

function openSimulated() {
  const opened = simulated.open({}, { concurrency: 1 });
  if (!opened) throw new Error("simulation is off");
  return opened;
}

function brand(name: string, more: Partial<TrackedBrand> = {}): TrackedBrand {
  const domains = [`${name.toLowerCase().replaceAll(/\W/g, "")}.example`];
  const named = { id: name, number: 1, name, aliases: [], excluded_phrases: [], domains };
  return { ...named, kind: "brand", parent_id: null, relationship: "competitor", ...more };
}

const fromWorld = ["Kestrova", "Brindlecup", "Tavolino", "Nordkaffa"].map((name) => brand(name));
/** Difficult names: common words, punctuation and short names. */
const ownCatalog = ["Nothing", "Target", "AT&T", "Éclat d'Or", "HP", "Northern Run", "On"].map((name) => brand(name));

function question(number: number, brands: TrackedBrand[]): Question {
  const topics = ["First machine", "Small kitchens", "Milk drinks", "Offices", "Kestrova or Target?"];
  return {
    prompt: `which one is best for purpose number ${Math.floor(number / 3)}?`,
    source: SOURCES[number % SOURCES.length] ?? "ASSISTANT_A",
    run: (number % 3) + 1,
    collectNumber: (number % 2) + 1,
    thematic: "Machines",
    topic: topics[number % topics.length] ?? "",
    persona: null,
    country: "US",
    language: "en",
    brands,
  };
}

test.each([
  ["a catalog of the world's brands", fromWorld],
  ["a catalog that shares nothing with the world", ownCatalog],
  ["a catalog of both", [...fromWorld, ...ownCatalog]],
])("reading every simulated answer gives its known truth: %s", async (_, brands) => {
  const catalog = compileCatalog(brands);
  let placed = 0;
  for (let number = 0; number < 600; number++) {
    const asked = question(number, brands);
    const answer = await waitForAnswer(provider, asked);
    const { isInformative, brandRanks, citations } = readCapture(answer, catalog, asked);
    const read = { isInformative, brandRanks, citations };
    // Both sides include the answer's text, so that a failure shows it.
    expect({ answer, ...read }).toEqual({ answer, ...simulatedTruth(world, asked) });
    placed += brandRanks.length;
  }
  expect(placed).toBeGreaterThan(600);
});

test("gives the same answer to the same prompt, another one per run and collect, and reflects brand strength", async () => {
  const asked = { ...question(2, fromWorld), topic: "Offices" };
  const ask = async (change: Partial<Question> = {}) => (await waitForAnswer(provider, { ...asked, ...change })).text;
  expect(await ask()).toBe(await ask());
  const others = await Promise.all([ask({ run: 2 }), ask({ collectNumber: 2 }), ask({ source: "ASSISTANT_B" })]);
  expect(new Set([await ask(), ...others]).size).toBe(4);
  const present = new Map<string, number>();
  for (let number = 0; number < 300; number++) {
    const { brandRanks } = simulatedTruth(world, { ...asked, prompt: `which office machine, case ${number}?` });
    for (const { brand_id } of brandRanks) present.set(brand_id, (present.get(brand_id) ?? 0) + 1);
  }
  expect(present.get("Nordkaffa")).toBeGreaterThan(2 * (present.get("Tavolino") ?? 0));
});

test("has queries without an AI overview, fewer from the world's given collect on, and marks everything as simulated", async () => {
  const absent = [0, 0, 0];
  for (const [at, collectNumber] of [2, 3, 4].entries()) {
    for (let number = 0; number < 100; number++) {
      const of = { source: "SEARCH_B_AIO" as const, prompt: `machine ${number}`, collectNumber };
      const { text, ...from } = await waitForAnswer(provider, { ...question(0, fromWorld), ...of });
      if (text === "") absent[at] = (absent[at] ?? 0) + 1;
      expect(from).toMatchObject({ collectionMethod: "simulated", provider: "simulated" });
    }
  }
  const [before, from, later] = absent;
  expect(before).toBeGreaterThan(70);
  expect(from).toBeGreaterThan(20);
  expect(from).toBeLessThan(60);
  expect(later).toBe(from);
});

/** The demo world without events, with only brands of these strengths. */
function calm(strengths: Record<string, number>, change: Partial<SimulatedWorld> = {}): SimulatedWorld {
  const brands = Object.entries(strengths).map(([name, strength]) => {
    return { name, strength, topics: {}, channels: {}, trend: 0, moves: [], praise: [] };
  });
  return { ...world, brands, drift: 0, drifts: [], models: {}, ...change };
}

const PROMPTS = Array.from({ length: 1000 }, (_, number) => `which one suits case ${number}?`);

/** 1 for each prompt whose answer names the brand, 0 for the others. */
function presenceOf(of: SimulatedWorld, name: string, change: Partial<Question> = {}): number[] {
  const asked = { ...question(0, [brand(name)]), source: "ASSISTANT_A" as const, ...change };
  return PROMPTS.map((prompt) => simulatedTruth(of, { ...asked, prompt }).brandRanks.length);
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** How far two answers to each prompt go together: the correlation of 0s and 1s. */
function together(one: number[], other: number[]): number {
  const [a, b] = [mean(one), mean(other)];
  const both = mean(one.map((value, at) => value * (other[at] ?? 0)));
  return (both - a * b) / Math.sqrt(a * (1 - a) * b * (1 - b));
}

test("a strength is the share of answers that name the brand, however far prompts differ", () => {
  const strengths = { Rarely: 0.05, Seldom: 0.2, Evenly: 0.5, Mostly: 0.9 };
  for (const [spread, shock] of [
    [0, 0],
    [1.75, 1],
    [2.5, 2],
  ] as const) {
    const calmly = calm(strengths, { spread, shock });
    const brands = Object.keys(strengths).map((name) => brand(name));
    const cast = getCast(calmly, brands);
    const chances = PROMPTS.map((prompt) => openChances(calmly, cast, { ...question(0, brands), prompt }));
    const averages = cast.members.map((_, place) => mean(chances.map((chanceOf) => chanceOf(place))));
    for (const [place, strength] of Object.values(strengths).entries()) {
      expect(Math.abs((averages[place] ?? 0) - strength)).toBeLessThan(0.02);
    }
  }
});

test("correlates answers to one prompt: most within a collect, less across collects and sources, not at all without spread", () => {
  // Fault: prompts hardly differed and had no shock, so that any test of a change looked
  // calibrated.
  const lively = calm({ Evenly: 0.5 }, { spread: 1.75, shock: 1 });
  const first = presenceOf(lively, "Evenly");
  const inOneCollect = together(first, presenceOf(lively, "Evenly", { run: 2 }));
  const overCollects = together(first, presenceOf(lively, "Evenly", { collectNumber: 2 }));
  const overSources = together(first, presenceOf(lively, "Evenly", { source: "ASSISTANT_B" }));
  expect(inOneCollect).toBeGreaterThan(0.3);
  expect(overCollects).toBeLessThan(inOneCollect - 0.05);
  expect(overSources).toBeLessThan(overCollects - 0.05);
  expect(overSources).toBeGreaterThan(0.1);
  const flat = calm({ Evenly: 0.5 }, { spread: 0, shock: 0 });
  expect(Math.abs(together(presenceOf(flat, "Evenly"), presenceOf(flat, "Evenly", { run: 2 })))).toBeLessThan(0.08);
});

test("applies a brand's move and a source's drift from its collect on", () => {
  const strengths = { Evenly: 0.4, Others: 0.4 };
  const still = calm(strengths);
  const moves = [{ collect: 3, gain: 0.3, source: "ASSISTANT_A" as const }];
  const moved = { ...still, brands: still.brands.map((one) => (one.name === "Evenly" ? { ...one, moves } : one)) };
  const share = (of: SimulatedWorld, name: string, change: Partial<Question>) => mean(presenceOf(of, name, change));
  expect(presenceOf(moved, "Evenly", { collectNumber: 2 })).toEqual(presenceOf(still, "Evenly", { collectNumber: 2 }));
  for (const collectNumber of [3, 4]) {
    expect(share(moved, "Evenly", { collectNumber })).toBeCloseTo(0.7, 1);
    const elsewhere = { collectNumber, source: "ASSISTANT_B" as const };
    expect(presenceOf(moved, "Evenly", elsewhere)).toEqual(presenceOf(still, "Evenly", elsewhere));
  }
  const drifting = calm(strengths, { drifts: [{ collect: 3, source: "ASSISTANT_A", logits: 2 }] });
  expect(presenceOf(drifting, "Evenly", { collectNumber: 2 })).toEqual(
    presenceOf(still, "Evenly", { collectNumber: 2 }),
  );
  const shifts = ["Evenly", "Others"].map((name) =>
    [3, 4].map((collectNumber) => share(drifting, name, { collectNumber }) - share(still, name, { collectNumber })),
  );
  for (const [at3 = 0, at4 = 0] of shifts) expect(Math.abs(at3 - at4)).toBeLessThan(0.05);
  expect(shifts.some(([at3 = 0]) => Math.abs(at3) > 0.1)).toBe(true);
});

test("names the source's model that the world defines, from its collect on", () => {
  const models = {
    ASSISTANT_A: [
      { collect: 1, name: "one" },
      { collect: 3, name: "two" },
    ],
  };
  const named = [1, 2, 3, 4].map((collectNumber) => {
    return simulateAnswer({ ...world, models }, { ...question(0, fromWorld), source: "ASSISTANT_A", collectNumber })
      .model;
  });
  expect(named).toEqual(["one", "one", "two", "two"]);
  expect(simulateAnswer({ ...world, models }, { ...question(0, fromWorld), source: "ASSISTANT_B" }).model).toBeNull();
});

test("gives the same answers whichever of the world's brands are tracked", () => {
  // Fault: one more brand in the catalog changed every later answer.
  const catalogs = [fromWorld, fromWorld.toReversed(), fromWorld.slice(0, 1)];
  const answers = catalogs.map((brands) => simulateAnswer(world, question(2, brands)).text);
  expect(new Set(answers).size).toBe(1);
});

test("a world file that is wrong names each wrong field", async () => {
  const folder = await mkdtemp(join(tmpdir(), "world-"));
  const file = join(folder, "world.json");
  await writeFile(file, JSON.stringify({ ...world, drift: 7, brands: [{ name: "A", strength: "high" }] }));
  expect(() => readWorld(file)).toThrow(/drift: .*\n.*brands\.0\.strength: /);
  expect(() => readWorld(join(folder, "missing.json"))).toThrow("SIMULATED_WORLD cannot be read");
  await rm(folder, { recursive: true });
});
