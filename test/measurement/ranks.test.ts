import { describe, expect, test } from "vitest";
import type { Capture, TrackedBrand } from "../../core/reading/capture.ts";
import { readCapture } from "../../core/reading/reading.ts";
import type { Source } from "../../core/sources/sources.ts";
import { brand, catalogOf } from "./brands.ts";

const BRANDS = ["Sony", "Bose", "Lenovo", "Samsung", "Garmin", "Anker"];

function capture(extra: Partial<Capture>): Capture {
  return { text: "", citations: [], results: [], ...extra };
}

/** "Sony 1 Bose 2": brands of a text with their ranks, best first. */
function ranksOf(text: string, brands: (string | TrackedBrand)[] = BRANDS): string {
  const { brandRanks } = readCapture(capture({ text }), catalogOf(...brands), { prompt: "What is best?" });
  return brandRanks.map(({ brand_id, rank }) => `${brand_id} ${rank}`).join(" ");
}

describe("ranks in answers", () => {
  test.each([
    [
      "prose ranks by first mention",
      "I like Sony. Bose is good, better than Sony or Garmin.",
      "Sony 1 Bose 2 Garmin 3",
    ],
    ["numbers", "Top:\n1. **Sony** XM5 – good\n2. Sennheiser\n3. **Bose** QC", "Sony 1 Bose 3"],
    ["names that a dash joins", "1. **Sony–Bose** deal\n2. **Lenovo** hub", "Sony 1 Bose 1 Lenovo 2"],
    [
      "text below a heading that names no brand is no label",
      "1. **Sony** opens a hub\n   Fine.\n2. **Cranes for the port**\n   Bose has received an order of the port for new electric cranes that lift more than any before them.",
      "Sony 1 Bose 3",
    ],
    [
      "a name below a heading is one",
      "1. **Best overall**\n   Sony XM5\n2. **Best value**\n   Bose QC",
      "Sony 1 Bose 2",
    ],
    ["numbers with paragraphs between", "1. Sony\nNice.\n\n2. JBL\n\n- cheap\n\n3. Bose\nNicer.", "Sony 1 Bose 3"],
    ["numbered headings", "### 1. Sony XM5\nGreat.\n### 2. JBL\nOk\n### 3. Bose QC\nFine", "Sony 1 Bose 3"],
    ["numbers that count down", "3. Bose\n2. JBL\n1. Sony", "Sony 1 Bose 3"],
    ["numbers that are all one", "1. Bose\n1. JBL\n1. Sony", "Bose 1 Sony 3"],
    ["numbers that go on after a heading", "## Best\n1. Bose\n2. JBL\n## Also\n3. Sony", "Bose 1 Sony 3"],
    ["bullets", "- JBL: loud\n- Sony: quiet\n- Bose: soft", "Sony 2 Bose 3"],
    [
      "bullets with a category first",
      "- Best overall: Sony XM5 – great\n- Best value: JBL\n- Best fit: Bose QC",
      "Sony 1 Bose 3",
    ],
    ["headings", "# Guide\n## How we chose\nText.\n## Sony XM5\nGood\n## JBL\nOk\n## Bose\nFine", "Sony 1 Bose 3"],
    ["bold lines", "**Sony XM5**\nGood\n\n**JBL One**\nOk\n\n**Bose QC**\nFine", "Sony 1 Bose 3"],
    ["table rows", "| Model | Why |\n|---|---|\n| JBL | loud |\n| Sony | vs Bose |\n| Bose | soft |", "Sony 2 Bose 3"],
    ["table rows with a number first", "| # | Model |\n|---|---|\n| 1 | JBL |\n| 2 | Sony |\n", "Sony 2"],
    ["table rows with a category first", "Use|Pick\n--|--\nTravel|Sony XM5\nHome|JBL\nSport|Bose", "Sony 1 Bose 3"],
    ["table cells kept apart by tabs", "Model\tWhy\nSony XM5\tgood\nJBL\tok\nBose\tfine", "Sony 1 Bose 3"],
    [
      "a table of criteria is no ranking",
      "Bose?\n| Factor | Why |\n|---|---|\n| Case | leather |\n| Apps | Sony has one |",
      "Bose 1 Sony 2",
    ],
    [
      "bold names in a long sentence are no table run together",
      `I like Sony.\nAbove all **Bose** and **Garmin** come up, ${"again and ".repeat(12)}again: **Garmin** for sports.`,
      "Sony 1 Bose 2 Garmin 3",
    ],
    ["several subjects of an item", "1. Sony XM5 / Bose QC\n2. Garmin", "Sony 1 Bose 1 Garmin 2"],
    ["a comparison is no subject", "1. Sony – beats Bose\n2. JBL\n3. Bose", "Sony 1 Bose 3"],
    [
      "named outside of the list",
      "Garmin and Anker asked.\n1. Sony\n2. JBL\n3. Bose",
      "Sony 1 Bose 3 Garmin 4 Anker 5",
    ],
    ["only the first list counts", "1. Sony\n2. Bose\n\nOr:\n- Bose: x\n- Garmin: y", "Sony 1 Bose 2 Garmin 3"],
    [
      "statements are no items",
      "- Reviewers often name the Bose QC.\n- Others like Garmin most.\n\n1. Sony\n2. Bose",
      "Sony 1 Bose 2 Garmin 3",
    ],
    [
      "a capture without markers",
      "Here:\n\n\nSony XM5 — good\n\n\nJBL — ok\n\n\nBose QC — fine\n\n\n\nSo?",
      "Sony 1 Bose 3",
    ],
    ["lines shaped like items", "Sony XM5 – good\nJBL One – ok\nBose QC – fine\nThat is all.", "Sony 1 Bose 3"],
    [
      "product cards run together",
      "Now:\nSony XM5399,99 $•Bose + weitereJBL One9,99 $•Shop + weitereBose QC429,00 $•Bose + weitere\nend",
      "Sony 1 Bose 3",
    ],
    [
      "cards without words behind the shop",
      "Sony XM5$399.99•ShopBose QC$429.00•Bose & moreLenovo$9•Lenovo & more",
      "Sony 1 Bose 2 Lenovo 3",
    ],
    [
      "a table run together",
      `ModelWhyWatchSony XM5Very good sound and quite light on the head.Price.Bose QCSofter than a Sony in every way that matters here.PriceGarmin HXLoud${" so".repeat(20)}`,
      "Sony 1 Bose 2 Garmin 3",
    ],
  ])("%s", (_, text, expected) => {
    expect(ranksOf(text)).toBe(expected);
  });

  test("an item without tracked brands keeps its position", () => {
    expect(ranksOf("1. A\n2. B\n3. C\n4. Sony\n", ["Sony"])).toBe("Sony 4");
  });
});

const FAMILY = [
  brand("Anker", { domains: ["anker.com"] }),
  brand("Nebula", { kind: "sub_brand", parent_id: "Anker", domains: ["seenebula.com"] }),
  brand("Capsule Max", { kind: "product", parent_id: "Nebula" }),
  brand("Sony", { domains: ["sony.com", "sony.co.uk"] }),
];

describe("families", () => {
  test("sub-brands and products have their own place and count for their brand", () => {
    const text = "1. Sony\n2. Capsule Max by Nebula\n3. Anker Nebula";
    const { brandRanks } = readCapture(capture({ text }), catalogOf(...FAMILY), { prompt: "" });
    expect(brandRanks).toEqual([
      { brand_id: "Sony", rank: 1, brand_rank: 1, mentions: 1, url: null },
      { brand_id: "Anker", rank: 2, brand_rank: 2, mentions: 4, url: null },
      { brand_id: "Nebula", rank: 2, brand_rank: 2, mentions: 3, url: null },
      { brand_id: "Capsule Max", rank: 2, brand_rank: 2, mentions: 1, url: null },
    ]);
  });

  test("in prose, a brand family takes one rank", () => {
    expect(ranksOf("Nebula, Anker, Sony", FAMILY)).toBe("Anker 1 Nebula 1 Sony 2");
  });
});

describe("pages", () => {
  const results = [
    { rank: 2, url: "https://shop.seenebula.com/x", title: "Nebula", snippet: "by Anker, not Sony" },
    { rank: 1, url: "https://reviews.example/sony", title: "Sony and Sony" },
    { rank: 3, url: "https://www.anker.com/" },
  ];

  test("a brand ranks at its own listed domain, not at pages about it", () => {
    const reading = readCapture(capture({ results }), catalogOf(...FAMILY), { prompt: "Nebula", source: "SEARCH_A" });
    expect(reading.brandRanks).toEqual([
      { brand_id: "Anker", rank: 2, brand_rank: 2, mentions: 2, url: "https://shop.seenebula.com/x" },
      { brand_id: "Nebula", rank: 2, brand_rank: 2, mentions: 1, url: "https://shop.seenebula.com/x" },
    ]);
    expect(reading.mentions.map(({ brand_id }) => brand_id)).toEqual(["Sony", "Sony", "Nebula", "Anker", "Sony"]);
  });

  test("an answer next to results is extracted as an answer", () => {
    const reading = readCapture(capture({ text: "Sony", results }), catalogOf(...FAMILY), {
      prompt: "",
      source: "ASSISTANT_A",
    });
    expect(reading.brandRanks).toEqual([{ brand_id: "Sony", rank: 1, brand_rank: 1, mentions: 1, url: null }]);
  });

  test("a brand's rank has its first cited own page", () => {
    const citations = [
      { url: "https://www.sony.co.uk/b", position: 2 },
      { url: "https://sony.com/a?utm_source=x", position: 1 },
    ];
    const reading = readCapture(capture({ text: "Sony", citations }), catalogOf(...FAMILY), { prompt: "" });
    expect(reading.brandRanks).toEqual([
      { brand_id: "Sony", rank: 1, brand_rank: 1, mentions: 1, url: "https://sony.com/a?utm_source=x" },
    ]);
  });
});

test("fault: two cards of one rival cost the next brand two ranks; brand_rank counts distinct brands, in lists and result pages", () => {
  const catalog = catalogOf("Sony", "Bose", "Anker");
  const rankOf = (given: Partial<Capture>, source: Source) =>
    readCapture(capture(given), catalog, { prompt: "", source }).brandRanks.map((place) => {
      return [place.brand_id, place.rank, place.brand_rank];
    });
  const text = "1. Sony XM5\n2. Sony XM4\n3. A brand of which little is known\n4. Bose QC\n5. Sony C500\n6. Anker Q45";
  expect(rankOf({ text }, "ASSISTANT_A")).toEqual([
    ["Sony", 1, 1],
    ["Bose", 4, 3],
    ["Anker", 6, 4],
  ]);
  const pages = ["sony.com/a", "www.sony.com/b", "tests.example/1", "tests.example/2", "bose.com"];
  const results = pages.map((page, at) => ({ rank: at + 1, url: `https://${page}` }));
  const owned = catalogOf(brand("Sony", { domains: ["sony.com"] }), brand("Bose", { domains: ["bose.com"] }));
  const { brandRanks } = readCapture(capture({ results }), owned, { prompt: "", source: "SEARCH_A" });
  expect(brandRanks).toMatchObject([
    { brand_id: "Sony", rank: 1, brand_rank: 1 },
    { brand_id: "Bose", rank: 5, brand_rank: 3 },
  ]);
});

describe("informative answers", () => {
  test.each<[string, Partial<Capture>, boolean]>([
    ["naming a brand", { text: "Sony" }, true],
    ["naming none", { text: "It depends." }, false],
    ["citing a known domain", { text: "It depends.", citations: [{ url: "https://sony.com", position: 1 }] }, true],
    ["citing others only", { text: "It depends.", citations: [{ url: "https://a.example", position: 1 }] }, false],
    ["linking to a known domain in the text", { text: "[Here](https://www.sony.com/x)" }, true],
    ["listing a known domain", { results: [{ rank: 9, url: "https://sony.com" }] }, true],
    ["empty", {}, false],
  ])("%s: %o is %s", (_, extra, informative) => {
    expect(readCapture(capture(extra), catalogOf(...FAMILY), { prompt: "" }).isInformative).toBe(informative);
  });
});
