import { expect, test } from "vitest";
import { findLeadingWord, summariseName } from "../../core/brands/brand-suggestions.ts";
import { findCandidateNames } from "../../core/brands/find-names.ts";
import { createNameGatherer, type NameSighting } from "../../core/brands/name-gatherer.ts";
import { catalogOf } from "../measurement/brands.ts";
import { AT, finishGathering, answers } from "./names-cases.ts";

/** Names of a text with their signals; "-" in running text. */
function found(text: string, prompt = "", isSearchPage = false): Record<string, string> {
  const { foundNames } = findCandidateNames(text, { prompt, isSearchPage });
  return Object.fromEntries(foundNames.map(({ nameWords, signal }) => [nameWords.join(" "), signal ?? "-"]));
}

function sightings(texts: string[], known: string[] = [], urls: string[] = []): NameSighting[] {
  const gathering = createNameGatherer(catalogOf(...known));
  for (const [number, text] of texts.entries()) {
    gathering.add([
      { id: `${number}`, source: "ASSISTANT_A", prompt: "", collectedAt: AT, text, isSearchPage: false, urls },
    ]);
  }
  return finishGathering(gathering);
}

test("finds names with their signal, without sentence openers and model numbers", () => {
  const cases: [string, Record<string, string>][] = [
    ["1. **Zenvora X5** – quiet", { Zenvora: "list_item" }],
    ["- Zenvora: the quiet one", { Zenvora: "list_item" }],
    ["- The Zenvora is quiet", { Zenvora: "-" }],
    ["- [Zenvora](https://zenvora.test/) – quiet", { Zenvora: "list_item" }],
    ["1. Best overall: Zenvora Pro Max", { Zenvora: "list_item" }],
    ["| Brand | Why |\n| --- | --- |\n| Zenvora | It is quiet |", { Zenvora: "table_row" }],
    ["| # | Brand |\n| --- | --- |\n| 1 | Zenvora |", { Zenvora: "table_row" }],
    ["## Zenvora 3", { Zenvora: "heading" }],
    ["Zenvora Halo+ — the quiet one", { "Zenvora Halo": "list_item" }],
    ["We like **Zenvora** a lot.", { Zenvora: "emphasised" }],
    [
      "We like Bowers & Wilkins, T-Mobile and L’Oréal’s cream.",
      { "Bowers & Wilkins": "-", "T-Mobile": "-", "L'Oréal": "-" },
    ],
    [
      "Zenvora 161.099,00 $•Shop + weitereKalmo 9599,00 $•Shop + weitere",
      { Zenvora: "product_card", Kalmo: "product_card" },
    ],
    ["- OnePlus 13R – quick\n- iPhone 17 – quick", { OnePlus: "list_item", iPhone: "list_item" }],
    ["Quiet and weitereKalmo too", { Kalmo: "-" }],
    ["See https://zenvora.test/ or write to me@zenvora.test", {}],
    ["Best Budget Pick\nKey Features\nFeatureWhy it matters\nJuly and Germany, USB-C and OLED", {}],
    ["What Really Matters When You Choose Between Kalmo Machines", {}],
  ];
  for (const [text, names] of cases) expect([text, found(text)]).toEqual([text, names]);
});

test("ignores echoes of the prompt, and finds no items on result pages", () => {
  expect(found("is the Kalmo a good machine for home?\nYes.", "is the Kalmo a good machine for home?")).toEqual({});
  expect(found("Zenvora: phones\nAll about Zenvora.", "", true)).toEqual({ Zenvora: "-" });
});

test("ignores words also written in lower case, properties, and sources", () => {
  const texts = [
    "- Kalmo – good\n- Battery – the battery lasts\n- Acme – fine",
    "- TechRadar – a battery test\n- Acme Phones – fine",
  ];
  expect(sightings(texts, ["Acme"]).map(({ text, signals }) => [text, signals])).toEqual([
    ["Kalmo", ["list_item", "ranked_beside_known_brands"]],
  ]);
});

test("a site that answers cite by name, a property and a contraction are no names", () => {
  // Fault: "Tom" (of Tom's Guide), "Adjustability", "Impedance" and "I'd" were suggested as brands
  // from real answers.
  const texts = [
    "- Kalmo – good\n- Adjustability: wide\n- Impedance: low\n- Memory – large\nTom's Guide Zenvora test. Tom’s Hardware agrees.",
    "## Tom's Guide\n- Acme – fine\n- I'd choose it\n- Google Pixel – fine\n- DroneStrengths – none",
  ];
  expect(sightings(texts, ["Acme"]).map(({ text }) => text)).toEqual(["Google", "Google Pixel", "Kalmo", "Zenvora"]);
});

test("the first word of several products is the brand, counted in each answer with one of them", () => {
  const rows = sightings(
    ["- Zenvora Halo – good", "- Zenvora Orbit – good", "Zenvora is fine."],
    [],
    ["https://www.zenvora.co.uk/"],
  );
  const [brand, ...products] = rows;
  expect(brand).toMatchObject({ text: "Zenvora", answers: 3, alone: 1, leads: ["zenvora halo", "zenvora orbit"] });
  expect(brand?.signals).toContain("cited_domain");
  expect(products.map(({ folded }) => findLeadingWord(folded))).toEqual(["zenvora", "zenvora"]);
  expect(findLeadingWord("bowers & wilkins")).toBeUndefined();
});

test("suggests only names with more than one capital, and sums over collects", () => {
  const [weak] = sightings(["Perhaps Kalmo would do, and Kalmo again."]);
  const strong = sightings(["1. **Kalmo** – good", "1. **Kalmo** – fine", "1. **Kalmo** – cheap"])[0];
  if (!weak || !strong) throw new Error("no name was found");
  expect(summariseName([weak])).toMatchObject({ answerCount: 1, signals: [], confidence: 0, isSuggested: false });
  expect(summariseName([strong])).toMatchObject({ answerCount: 3, confidence: 0.64, isSuggested: true });
  expect(summariseName([weak, { ...strong, sources: ["ASSISTANT_B"] }])).toMatchObject({
    answerCount: 4,
    signals: ["list_item", "several_answers", "several_sources"],
    confidence: 0.71,
  });
  expect(summariseName([])).toBeUndefined();
});

if (!answers) process.stdout.write("skipped: recorded answers are not at ../shared/data/recorded\n");
