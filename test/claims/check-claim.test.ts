import { expect, test } from "vitest";
import type { FactValue } from "../../core/claims/fact.ts";
import { checkClaim, type CheckedClaim } from "../../core/claims/check-claim.ts";
import { readCapture } from "../../core/reading/reading.ts";
import { brand, catalogOf } from "../measurement/brands.ts";

const catalog = catalogOf(brand("Acme"), "Bolt", "Civet");

function claim(text: string, attribute: string, value: FactValue): CheckedClaim {
  const { mentions } = readCapture({ text, citations: [], results: [] }, catalog, { prompt: "" });
  return checkClaim({ text, mentions, citations: PAGES }, { brandId: "Acme", attribute, value });
}

const PAGES = [
  { url: "https://one.example/acme", position: 1 },
  { url: "https://two.example/acme", position: 2 },
];

type Case = readonly [said: string, verdict: CheckedClaim["verdict"]];

/** Checks the verdicts of a table of texts. */
function expectCases(attribute: string, value: FactValue, cases: readonly Case[]): void {
  const read = cases.map(([said]) => [said, claim(said, attribute, value).verdict]);
  expect(read).toEqual(cases);
}

const number = (amount: number, unit: string): FactValue => ({ kind: "number", number: amount, unit });

test("weights are compared after conversion, as they round, within ranges and bounds; others' weights are not", () => {
  expectCases("weight", number(1.24, "kg"), [
    ["Acme weighs 1.24 kg.", "agreed"],
    ["Acme weighs 1,240 g.", "agreed"],
    ["Acme weighs 2.7 lb.", "agreed"],
    ["Acme is light (about 1.2 kg).", "agreed"],
    ["Acme weighs between 1.2 and 1.3 kg.", "agreed"],
    ["Acme: 1.2–1.3 kg.", "agreed"],
    ["Acme weighs under 1.5 kg.", "agreed"],
    ["Acme weighs under 1 kg.", "contradicted"],
    ["Acme weighs 2.4 kg.", "contradicted"],
    ["At 2.4 kg, Acme is no travel companion.", "contradicted"],
    ["Bolt weighs 2.4 kg. Acme is lighter.", "not_mentioned"],
    ["Acme is lighter than Bolt, which weighs 2.4 kg.", "not_mentioned"],
    ["Acme Pro weighs 2.4 kg.", "not_mentioned"],
    ["Acme weighs 300 g less.", "not_mentioned"],
    ["Acme carries a payload of 5 kg.", "not_mentioned"],
    ["Acme weighs 2.4 kg with the large battery.", "not_mentioned"],
    ["Does Acme weigh 2.4 kg?", "not_mentioned"],
    ["Acme is a great choice.", "not_mentioned"],
  ]);
});

test("running times need the words of the attribute, and charging times do not count", () => {
  expectCases("battery life", number(30, "h"), [
    ["Acme's battery lasts 30 hours.", "agreed"],
    ["Acme has up to 30 h of playback.", "agreed"],
    ["Acme runs for a day and a quarter.", "not_mentioned"],
    ["Acme's battery lasts 1,800 minutes.", "agreed"],
    ["Acme has 20 hours of battery life.", "contradicted"],
    ["Acme's battery lasts over 24 hours.", "agreed"],
    ["Acme's battery lasts 40+ hours.", "contradicted"],
    ["Acme: 50 hours of battery life in low-power mode.", "not_mentioned"],
    ["Acme's battery charges in 2 hours.", "not_mentioned"],
    ["Acme gains 5 hours of playback from 10 minutes of charging.", "not_mentioned"],
    ["Acme's battery lasts 5 hours longer.", "not_mentioned"],
    ["Acme's warranty runs for 24 months.", "not_mentioned"],
    ["Acme ships within 48 hours, and its battery is good.", "not_mentioned"],
  ]);
});

test("reads prices in both notations, with starting prices and ranges, but no budgets, savings and instalments", () => {
  expectCases("price", { kind: "price", amount: 1299, currency: "USD" }, [
    ["Acme costs $1,299.", "agreed"],
    ["Acme: 1.299,00 $.", "agreed"],
    ["Acme starts at $1.3k.", "agreed"],
    ["Acme (~$1,250–$1,350) is a fine choice.", "agreed"],
    ["Acme costs about $1,300.", "agreed"],
    ["Acme costs $999.", "contradicted"],
    ["Acme starts at $999.", "contradicted"],
    ["Acme fits a budget of $1,000.", "not_mentioned"],
    ["You save $200 on Acme.", "not_mentioned"],
    ["Acme is $200 cheaper.", "not_mentioned"],
    ["Acme costs $49 per month.", "not_mentioned"],
    ["Acme costs €999.", "not_mentioned"],
    ["Acme costs $999 in the small version.", "not_mentioned"],
    ["Unlike Acme, it costs $999.", "not_mentioned"],
    ["Bolt costs $999, Acme costs more.", "not_mentioned"],
  ]);
});

test("compares dates at the precision of both, near the words of the attribute", () => {
  expectCases("founded", { kind: "date", date: "2012-05" }, [
    ["Acme was founded in 2012.", "agreed"],
    ["Acme, founded in May 2012, makes drones.", "agreed"],
    ["Acme was founded on 14 May 2012.", "agreed"],
    ["Acme was founded on 2012-06-01.", "contradicted"],
    ["Acme was founded in 2009.", "contradicted"],
    ["Acme wurde im Mai 2012 gegründet.", "agreed"],
    ["Acme wurde 2009 gegründet.", "contradicted"],
    ["Acme a été fondée en mai 2012.", "agreed"],
    ["Acme fue fundada en 2009.", "contradicted"],
    ["Acmeは2009年に設立されました。", "contradicted"],
    ["Acme won a prize in 2019.", "not_mentioned"],
    ["Acme was founded by two engineers. Its 2019 drone was a success.", "not_mentioned"],
    ["Bolt was founded in 2009, and Acme is its rival.", "not_mentioned"],
  ]);
});

test("features are stated or denied, and in part they are neither", () => {
  expectCases("cooling fan", { kind: "feature", present: false }, [
    ["Acme has no cooling fan.", "agreed"],
    ["Acme is fanless.", "agreed"],
    ["Acme works without a cooling fan.", "agreed"],
    ["Acme has a quiet cooling fan.", "contradicted"],
    ["Acme has not only a cooling fan but vents.", "contradicted"],
    ["Acme may have a cooling fan.", "not_mentioned"],
    ["Some Acme models have a cooling fan.", "not_mentioned"],
    ["If you need a cooling fan, skip Acme.", "not_mentioned"],
    ["Acme is cooler than Bolt, which has a cooling fan.", "not_mentioned"],
  ]);
  expectCases("noise cancelling", { kind: "feature", present: true }, [
    ["Acme has noise cancellation.", "agreed"],
    ["Acme comes with ANC.", "agreed"],
    ["Acme lacks noise cancelling.", "contradicted"],
    ["Acme doesn’t offer active noise cancelling.", "contradicted"],
    ["Acme hat keine Geräuschunterdrückung.", "contradicted"],
    ["Acme n'a pas de réduction de bruit.", "contradicted"],
    ["Acme no tiene cancelación de ruido.", "contradicted"],
    ["Acmeはノイズキャンセリング非対応です。", "contradicted"],
    ["Acme sounds great.", "not_mentioned"],
  ]);
});

test("availability is of the country that is named", () => {
  expectCases("availability", { kind: "availability", country: "US", available: true }, [
    ["Acme is available in the United States.", "agreed"],
    ["Acme is not (yet) officially launched in the U.S. market.", "contradicted"],
    ["Acme ist in den Vereinigten Staaten nicht erhältlich.", "contradicted"],
    ["Acme is not available in Germany.", "not_mentioned"],
    ["Acme is hard to find fault with in the US.", "not_mentioned"],
    ["Acme will soon be available in the US.", "not_mentioned"],
    ["Acme tells us that it is available.", "not_mentioned"],
  ]);
});

test("a text fact is agreed or not mentioned, never contradicted", () => {
  expectCases("origin", { kind: "text", text: "made in Portugal" }, [
    ["Acme shoes are Made in Portugal.", "agreed"],
    ["Acme shoes are made in Spain.", "not_mentioned"],
  ]);
});

test("tables are read by their heads: products in rows, and products in columns", () => {
  const rows =
    "| Model | Weight | ANC | Price |\n|---|---|---|---|\n| Bolt | 300 g | no | $199 |\n| Acme | 249 g | yes | $299 |";
  const columns =
    "| | Bolt | Acme |\n|---|---|---|\n| Weight | 300 g | 249 g |\n| ANC | no | yes |\n| Price | $199 | $299 |";
  for (const table of [rows, columns]) {
    expect(claim(table, "weight", number(249, "g")).verdict).toBe("agreed");
    expect(claim(table, "weight", number(300, "g")).verdict).toBe("contradicted");
    expect(claim(table, "ANC", { kind: "feature", present: true }).verdict).toBe("agreed");
    expect(claim(table, "ANC", { kind: "feature", present: false }).verdict).toBe("contradicted");
    expect(claim(table, "price", { kind: "price", amount: 199, currency: "USD" }).verdict).toBe("contradicted");
  }
});

test("text below a title is about its product, up to the next title", () => {
  const text =
    "### 1. Acme\n\n- **Weight:** 249 g\n- Made for travel\n\n### 2. Zorp\n\n- **Weight:** 300 g\n- **Battery:** 20 hours\n";
  expect(claim(text, "weight", number(249, "g")).verdict).toBe("agreed");
  expect(claim(text, "weight", number(300, "g")).verdict).toBe("contradicted");
  expect(claim(text, "battery life", number(30, "h")).verdict).toBe("not_mentioned");
});

/** The sentence that decides on the weight, and its page. */
function say(text: string): [string, string | null] {
  const { start, end, url } = claim(text, "weight", number(249, "g"));
  return [text.slice(start, end), url];
}

test("the sentence that decides and the page that it cites are named", () => {
  expect(say("Acme is new. It weighs 300 g.[2] It is red.")).toEqual(["It weighs 300 g.", PAGES[1]?.url]);
  expect(say("Acme weighs 300 g ([shop](https://shop.example/acme)). Nice.[1]")[1]).toBe("https://shop.example/acme");
  expect(say("- Acme weighs 300 g, which is much. Still good.[1]")[1]).toBe(PAGES[0]?.url);
  expect(say("Acme weighs 300 g.\nBolt is light.[1]")[1]).toBe(null);
  expect(say("Acme weighs 300 g.[9]")[1]).toBe(null);
  expect(say("Bolt weighs 300 g.")).toEqual(["", null]);
});

test("hostile texts are read in time that grows as they do", () => {
  const units = [
    "1",
    "1.",
    "1,000",
    "9,999.",
    "- ",
    "| ",
    "|Acme",
    "| Acme |\n",
    "Acme ",
    "Acme 1 ",
    "Acme Bolt ",
    "no ",
    "not (yet) ",
    "[1]",
    "](https://",
    "x × ",
    "1 × ",
    "1 - ",
    "\n\n",
    "Acme\n\n",
    "$",
    "Acme $1 ",
    "not a b c ",
    ". A",
    "\u00A0",
  ];
  const facts: [string, FactValue][] = [
    ["weight", number(249, "g")],
    ["price", { kind: "price", amount: 1, currency: "USD" }],
    ["founded", { kind: "date", date: "2012" }],
    ["cooling fan", { kind: "feature", present: true }],
    ["availability", { kind: "availability", country: "US", available: true }],
    ["origin", { kind: "text", text: "made" }],
  ];
  for (const unit of units) {
    const text = `Acme ${unit.repeat(Math.ceil(15_000 / unit.length))}`;
    for (const [attribute, value] of facts) expect(claim(text, attribute, value).start).toBeGreaterThanOrEqual(0);
  }
});
