import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Question } from "../../src/outside/sources/provider.ts";
import { simulated, simulatedTruth } from "../../src/outside/sources/simulated.ts";
import { readWorld } from "../../src/outside/sources/world-file.ts";
import type { TrackedBrand } from "../../core/reading/capture.ts";
import { compileCatalog } from "../../core/reading/catalog.ts";
import { readCapture } from "../../core/reading/reading.ts";
import { SOURCES } from "../../core/sources.ts";

const world = readWorld();
const provider = openSimulated();
const signal = new AbortController().signal;

function openSimulated() {
  const opened = simulated.open({}, { concurrency: 1 });
  if (!opened) throw new Error("simulation is off");
  return opened;
}

function brand(name: string, more: Partial<TrackedBrand> = {}): TrackedBrand {
  const domains = [`${name.toLowerCase().replaceAll(/\W/g, "")}.example`];
  const named = { id: name, name, aliases: [], excluded_phrases: [], domains };
  return { ...named, kind: "brand", parent_id: null, relationship: "competitor", ...more };
}

const fromWorld = ["Kestrova", "Brindlecup", "Tavolino", "Nordkaffa"].map((name) => brand(name));
/** Names that are also words, that hold marks, or that are short: what measuring must not trip over. */
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
    const answer = await provider.ask(asked, { signal });
    const { eligible, places, citations } = readCapture(answer, catalog, asked);
    const read = { eligible, places, citations };
    // The answer stands next to both, so that a failure shows what was read.
    expect({ answer, ...read }).toEqual({ answer, ...simulatedTruth(world, asked) });
    placed += places.length;
  }
  expect(placed).toBeGreaterThan(600);
});

test("the same question gives the same answer, another run or collect another one, and strength is visible", async () => {
  const asked = { ...question(2, fromWorld), topic: "Offices" };
  const ask = async (change: Partial<Question> = {}) => (await provider.ask({ ...asked, ...change }, { signal })).text;
  expect(await ask()).toBe(await ask());
  const others = await Promise.all([ask({ run: 2 }), ask({ collectNumber: 2 }), ask({ source: "ASSISTANT_B" })]);
  expect(new Set([await ask(), ...others]).size).toBe(4);
  const present = new Map<string, number>();
  for (let number = 0; number < 300; number++) {
    const { places } = simulatedTruth(world, { ...asked, prompt: `which office machine, case ${number}?` });
    for (const { brand_id } of places) present.set(brand_id, (present.get(brand_id) ?? 0) + 1);
  }
  expect(present.get("Nordkaffa")).toBeGreaterThan(2 * (present.get("Tavolino") ?? 0));
});

test("some queries have no AI overview, and everything simulated says so", async () => {
  let absent = 0;
  for (let number = 0; number < 100; number++) {
    const asked: Question = { ...question(0, fromWorld), source: "SEARCH_B_AIO", prompt: `machine ${number}` };
    const { text, ...from } = await provider.ask(asked, { signal });
    if (text === "") absent += 1;
    expect(from).toMatchObject({ collectionMethod: "simulated", provider: "simulated" });
  }
  expect(absent).toBeGreaterThan(20);
  expect(absent).toBeLessThan(60);
});

test("a world file that is wrong names each wrong field", async () => {
  const folder = await mkdtemp(join(tmpdir(), "world-"));
  const file = join(folder, "world.json");
  await writeFile(file, JSON.stringify({ ...world, drift: 2, brands: [{ name: "A", strength: "high" }] }));
  expect(() => readWorld(file)).toThrow(/drift: .*\n.*brands\.0\.strength: /);
  expect(() => readWorld(join(folder, "missing.json"))).toThrow("SIMULATED_WORLD cannot be read");
  await rm(folder, { recursive: true });
});
