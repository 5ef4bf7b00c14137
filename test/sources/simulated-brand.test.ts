import { expect, test } from "vitest";
import type { Question } from "../../src/outside/sources/provider.ts";
import { simulateAnswer } from "../../src/outside/sources/simulated/simulated.ts";
import { simulatedTruth } from "./simulated-truth.ts";
import { simulatedClaim, type SimulatedPerception } from "./simulated-perception.ts";
import { readWorld } from "../../src/outside/sources/simulated/world-file.ts";
import { checkClaim, type FactToCheck } from "../../core/claims/check-claim.ts";
import { extractPerception } from "../../core/perception/perception.ts";
import { generateBrandPrompts } from "../../core/prompts/generate-prompts.ts";
import type { BrandPrompt } from "../../core/prompts/brand-prompt.ts";
import type { Capture, TrackedBrand } from "../../core/reading/capture.ts";
import { compileCatalog, type CompiledCatalog } from "../../core/reading/catalog.ts";
import { readCapture } from "../../core/reading/reading.ts";
import { isResultPageSource, SOURCES } from "../../core/sources/sources.ts";

const world = readWorld();

function brand(name: string): TrackedBrand {
  const domains = [`${name.toLowerCase().replaceAll(/\W/g, "")}.example`];
  const named = { id: name, number: 1, name, aliases: [], excluded_phrases: [], domains };
  return { ...named, kind: "brand", parent_id: null, relationship: "competitor" };
}

const SEEDS = ["one", "two"];
/** Runs per prompt, each in another location. */
const ASKINGS = 2;
const NOTHING = { awareness: null, stances: [], points: [], comparisons: [], attributes: [] };
const KINDS = ["unaided", "aided", "perception", "attribute", "comparison"];
/** Brands with the own brand first, and the prompts about them. */
const CATALOGS = {
  "brands of the world": {
    names: ["Kestrova", "Brindlecup", "Tavolino", "Nordkaffa"],
    category: "espresso machines",
    attributes: ["ease of cleaning", "noise", "price"],
    language: "en",
  },
  "names that are words, hold marks or are short": {
    names: ["Target", "Nothing", "AT&T", "Éclat d'Or", "HP", "Northern Run", "On"],
    category: "light running shoes (premium)",
    attributes: ["comfort on long runs", "design and build quality", "price/performance", "looks"],
    language: "en",
  },
  "attributes that praise by themselves, in another language": {
    names: ["Hunter", "Brooks", "Meyer & Söhne"],
    category: "Espressomaschinen",
    attributes: ["Preis", "reliability", "value for money", "customer support", "warranty", "Zuverlässigkeit"],
    language: "de",
  },
} as const;

/** Sorts values whose order is not compared. */
function sorted<T>(values: readonly T[]): T[] {
  return values.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}

function unplaced<T extends { start: number; end: number }>(values: readonly T[]): Omit<T, "start" | "end">[] {
  return values.map(({ start: _start, end: _end, ...rest }) => rest);
}

type Of = (typeof CATALOGS)[keyof typeof CATALOGS];

function askedIn({ names, category, attributes, language }: Of) {
  const brands = names.map(brand);
  const [own = brand(""), ...competitors] = brands;
  const personas = [{ id: "p", name: "Barista", archetype: "The one who cares", description: "Pulls shots all day." }];
  const material = { category, brand: own, competitors, attributes, personas, countries: ["US", "DE"], language };
  const catalog = compileCatalog(brands);
  return { catalog, own, prompts: generateBrandPrompts({ ...material, catalog }) };
}

function questionOf(
  prompt: BrandPrompt,
  of: Of,
  { catalog, own }: ReturnType<typeof askedIn>,
  number: number,
): Question {
  const { kind, brand_id: brandId, look_alike: lookAlike, attribute, asks_pros_cons: asksProsCons } = prompt;
  const asked = { kind, lookAlike, attribute, asksProsCons };
  const isComparison = kind === "comparison";
  return {
    prompt: prompt.text,
    source: SOURCES[number % SOURCES.length] ?? "ASSISTANT_A",
    run: (number % 3) + 1,
    collectNumber: (number % 2) + 1,
    thematic: "",
    topic: "",
    persona: number % 3 === 0 ? "Barista. The one who cares. Pulls shots all day." : null,
    country: number % 2 === 0 ? "US" : "DE",
    language: of.language,
    brands: catalog.brands,
    category: of.category,
    attributes: of.attributes,
    asked: { ...asked, brandId: isComparison ? own.id : brandId, otherBrandId: isComparison ? brandId : null },
  };
}

test.each(Object.entries(CATALOGS))("reads every simulated brand answer as its known truth: %s", (_, of) => {
  const given = askedIn(of);
  const { catalog, prompts } = given;
  expect(new Set(prompts.map(({ kind }) => kind))).toEqual(new Set(KINDS));
  for (const seed of SEEDS) {
    const own = { ...world, seed };
    for (const [at, prompt] of prompts.entries()) {
      for (let more = 0; more < ASKINGS; more++) {
        const question = questionOf(prompt, of, given, at * 7 + more);
        const answer = simulateAnswer(own, question);
        const { perception, ...truth } = simulatedTruth(own, question);
        // Both sides include the answer's text, so that a failure shows it.
        const known = { text: answer.text, ...truth, perception: perception && ordered(perception) };
        expect({ text: answer.text, ...readingOf(answer, question, catalog) }).toEqual(known);
      }
    }
  }
});

/** The reading of an answer in the shape of the truth. */
function readingOf(answer: Capture, question: Question, catalog: CompiledCatalog) {
  const reading = readCapture(answer, catalog, question);
  const { isInformative, brandRanks, citations, isShown } = reading;
  // A page of results holds no opinion.
  if (!isShown || isResultPageSource(question.source))
    return { isInformative, brandRanks, citations, perception: NOTHING };
  const { awareness, stances, points, comparisons, attributes } = extractPerception(answer, reading, question, catalog);
  const perception = ordered({
    awareness: awareness?.verdict ?? null,
    stances: unplaced(stances),
    points: unplaced(points),
    comparisons: unplaced(comparisons),
    attributes: unplaced(attributes),
  });
  return { isInformative, brandRanks, citations, perception };
}

function ordered(perception: SimulatedPerception): SimulatedPerception {
  const { points, comparisons, attributes } = perception;
  const lists = { points: sorted(points), comparisons: sorted(comparisons), attributes: sorted(attributes) };
  return { ...perception, ...lists };
}

/** Facts that Kestrova could declare about the world's claims, and one without a claim. */
const FACTS: FactToCheck[] = [
  { attribute: "price", value: { kind: "price", amount: 549, currency: "USD" } },
  { attribute: "water tank", value: { kind: "number", number: 1.8, unit: "l" } },
  { attribute: "founded", value: { kind: "date", date: "2012" } },
  { attribute: "grinder", value: { kind: "feature", present: false } },
  { attribute: "Germany", value: { kind: "availability", country: "DE", available: false } },
  { attribute: "weight", value: { kind: "number", number: 9.5, unit: "kg" } },
].map((fact) => ({ brandId: "Kestrova", ...fact }) as FactToCheck);

test("compares every simulated answer with declared facts and finds the world's verdicts and cited pages", () => {
  const of = CATALOGS["brands of the world"];
  const given = askedIn(of);
  const verdicts = new Map<string, number>();
  for (const [at, prompt] of given.prompts.entries()) {
    for (let more = 0; more < ASKINGS; more++) {
      const question = questionOf(prompt, of, given, at * 7 + more);
      if (isResultPageSource(question.source)) continue;
      const answer = simulateAnswer(world, question);
      const { mentions } = readCapture(answer, given.catalog, question);
      for (const fact of FACTS) {
        const { verdict, url } = checkClaim({ ...answer, mentions }, fact);
        const known = { text: answer.text, fact, ...simulatedClaim(world, question, fact) };
        expect({ text: answer.text, fact, verdict, url }).toEqual(known);
        verdicts.set(`${fact.attribute} ${verdict}`, (verdicts.get(`${fact.attribute} ${verdict}`) ?? 0) + 1);
      }
    }
  }
  expect([...verdicts.keys()].toSorted()).toEqual([
    "Germany contradicted",
    "Germany not_mentioned",
    "founded agreed",
    "founded not_mentioned",
    "grinder agreed",
    "grinder contradicted",
    "grinder not_mentioned",
    "price agreed",
    "price contradicted",
    "price not_mentioned",
    "water tank agreed",
    "water tank contradicted",
    "water tank not_mentioned",
    "weight not_mentioned",
  ]);
});
