import { describe, expect, test } from "vitest";
import type { TrackedBrand } from "../../core/reading/capture.ts";
import { findMentions } from "../../core/reading/find-mentions.ts";
import { alias, brand, catalogOf } from "./brands.ts";

/** Brands, a text, and the stretches of the text that name them. */
type Case = [title: string, brands: (string | TrackedBrand)[], text: string, named: string[], prompt?: string];

function named(brands: (string | TrackedBrand)[], text: string, prompt = ""): string[] {
  return findMentions(text, catalogOf(...brands), prompt).map(({ start, end }) => text.slice(start, end));
}

function holds(cases: Case[]): void {
  test.each(cases)("%s", (_, brands, text, expected, prompt) => {
    expect(named(brands, text, prompt)).toEqual(expected);
  });
}

describe("words", () => {
  holds([
    ["case does not matter", ["Lenovo"], "LENOVO and lenovo", ["LENOVO", "lenovo"]],
    ["part of a word is no name", ["Dell"], "a modell, dellwood, Dellwood", []],
    [
      "possessives and hyphens end a name",
      ["Samsung"],
      "Samsung's, Samsung’s, Samsung-specific",
      Array(3).fill("Samsung"),
    ],
    ["accents fold both ways", ["Citroën", "Lancome"], "Citroen or Lancôme", ["Citroen", "Lancôme"]],
    ["letters that have no accent to drop", ["RØDE"], "RODE and Røde", ["RODE", "Røde"]],
    ["full-width letters", ["Lenovo"], "Ｌｅｎｏｖｏ!", ["Ｌｅｎｏｖｏ"]],
    ["decomposed accents", ["Citroën"], "Citroe\u0308n", ["Citroe\u0308n"]],
    ["offsets after characters that fold to more", ["Lenovo"], "ﬁne ½ 😀 Lenovo", ["Lenovo"]],
    ["trade marks are no letters", ["Lenovo"], "Lenovo™ wins", ["Lenovo"]],
    ["soft hyphens inside a name", ["Lenovo"], "Leno\u00ADvo", ["Leno\u00ADvo"]],
    ["hyphens and spaces are alike inside a name", ["Coca-Cola"], "Coca Cola, coca‑cola", ["Coca Cola", "coca‑cola"]],
    ["a line may break inside a name, a paragraph may not", ["Bambu Lab"], "Bambu\nLab. Bambu\n\nLab", ["Bambu\nLab"]],
    [
      "signs inside a name",
      ["Bowers & Wilkins"],
      "Bowers & Wilkins, Bowers&Wilkins, Bowers Wilkins",
      ["Bowers & Wilkins", "Bowers&Wilkins"],
    ],
    ["signs around a name", [".NET", "Yahoo!"], "net .NET Yahoo Yahoo!", [".NET", "Yahoo!"]],
    ["an alias without letters finds nothing", [brand("Lenovo", { aliases: [alias("!!")] })], "!! Lenovo", ["Lenovo"]],
    [
      "the longest alias first",
      [brand("Lenovo", { aliases: [alias("Lenovo Yoga")] })],
      "Lenovo Yoga 9i",
      ["Lenovo Yoga"],
    ],
  ]);
});

describe("words run together by bad captures", () => {
  holds([
    ["a name glued to the word before", ["Samsung"], "+ weitereSamsung Galaxy", ["Samsung"]],
    ["a name glued to a price", ["Samsung"], "999,99Samsung", ["Samsung"]],
    ["a name glued to an abbreviation", ["Samsung"], "OLEDSamsung, $50KSamsung", ["Samsung", "Samsung"]],
    ["a name that starts small", ["iPhone"], "weitereiPhone 16", ["iPhone"]],
    ["a name glued to the word behind", ["Samsung"], "SamsungGalaxy", ["Samsung"]],
    [
      "a number glued behind",
      [brand("Samsung", { aliases: [alias("Galaxy Watch")] })],
      "Galaxy Watch8349,99 $",
      ["Galaxy Watch"],
    ],
    ["a model's number and a word glued behind", ["OnePlus 13"], "OnePlus 13Excellent", ["OnePlus 13"]],
    ["another model is not the model", ["OnePlus 13"], "OnePlus 13R and OnePlus 131", []],
    ["no change of case, no seam", ["Lenovo"], "xlenovo LENOVOX", []],
    ["a plain word is glued to small letters only", ["Station", "Nothing"], "PlayStation weitereNothing", ["Nothing"]],
    ["short names too", ["LG"], "distractionsLG CineBeam, UltraLG", ["LG"]],
    ["both sides at once", ["Lenovo"], "weitereLenovoThinkPad", ["Lenovo"]],
  ]);
});

describe("case", () => {
  holds([
    ["three letters or fewer", ["HP", "Kia"], "hp HP kia Kia", ["HP", "Kia"]],
    ["a plain word", ["Apple"], "an apple from Apple", ["Apple"]],
    [
      "a plain word that opens a sentence",
      ["Nothing"],
      "Nothing beats it. Nothing Phone does, says Nothing.",
      ["Nothing", "Nothing"],
    ],
    [
      "an alias marked so",
      [brand("Samsung", { aliases: [alias("Galaxy S", true)] })],
      "galaxy s Galaxy S",
      ["Galaxy S"],
    ],
    ["the name marked so", [brand("Lenovo", { aliases: [alias("Lenovo", true)] })], "lenovo Lenovo", ["Lenovo"]],
  ]);
});

describe("scripts without spaces between words", () => {
  holds([
    ["Chinese", ["索尼"], "我推荐索尼耳机", ["索尼"]],
    ["Japanese", ["ソニー"], "最高のソニー製品", ["ソニー"]],
    ["Thai", ["ซัมซุง"], "โทรศัพท์ซัมซุงดีที่สุด", ["ซัมซุง"]],
    ["Latin among Chinese", ["Sony"], "推荐Sony耳机", ["Sony"]],
    ["Korean with a particle", ["삼성"], "삼성은 좋다, 대삼성", ["삼성"]],
    ["a Chinese and Latin name", ["小米Mi"], "买小米Mi吧", ["小米Mi"]],
  ]);
});

describe("masked text", () => {
  holds([
    ["a Markdown link's address, but its label", ["Lenovo"], "[Lenovo](https://lenovo.com/lenovo) ok", ["Lenovo"]],
    ["an address with parentheses", ["Lenovo"], "[x](https://a.b/Lenovo_(company)) Lenovo", ["Lenovo"]],
    ["a link's title", ["Lenovo"], '[x](https://a.b "Lenovo") y', []],
    ["bare addresses", ["Lenovo"], "https://a.b/lenovo www.lenovo.com/x <https://lenovo.com>", []],
    ["an address in parentheses", ["Lenovo"], "(https://a.b/lenovo) Lenovo", ["Lenovo"]],
    ["mail", ["Lenovo"], "mail sales@lenovo.com or lenovo@a.com", []],
    ["a site's name", ["Lenovo"], "at shop.lenovo.com and Lenovo.com", []],
    ["a sentence glued to a name is no site", ["Lenovo"], "better than Lenovo.It is", ["Lenovo"]],
    ["a name that is a site's", ["Booking.com"], "Booking.com wins", ["Booking.com"]],
    ["an excluded phrase", [brand("Apple", { excluded_phrases: ["Apple pie"] })], "Apple Pie from Apple", ["Apple"]],
    [
      "an excluded phrase hides its brand only",
      [brand("Apple", { excluded_phrases: ["Apple Bank"] }), "Apple Bank"],
      "Apple Bank",
      ["Apple Bank"],
    ],
    [
      "the echo of a long prompt",
      ["Lenovo"],
      "You ask: is Lenovo better than other laptop brands? Lenovo is.",
      ["Lenovo"],
      "Is Lenovo better than other laptop brands?",
    ],
    [
      "a short prompt as the first line",
      ["Lenovo"],
      "**Lenovo laptops**\nLenovo laptops are fine.",
      ["Lenovo"],
      "lenovo laptops",
    ],
    [
      "a short prompt that is used is no echo",
      ["Lenovo"],
      "Lenovo is fine.\nBuy Lenovo.",
      ["Lenovo", "Lenovo"],
      "lenovo",
    ],
  ]);
});

describe("statements of absence", () => {
  holds([
    ["no information about it", ["Acmeo"], "I found no information about Acmeo.", []],
    ["could not find anything", ["Acmeo"], "I couldn't find any reliable information about the brand “Acmeo”.", []],
    ["not familiar", ["Acmeo"], "I'm not familiar with a company called Acmeo, sorry.", []],
    ["several at once", ["Acmeo", "Foobar"], "There are no results for Acmeo or Foobar.", []],
    ["it is not mentioned", ["Acmeo"], "Acmeo is not mentioned in the sources.", []],
    ["it was not found", ["Acmeo"], "Acmeo was not found. Acmeo does not appear.", []],
    ["German", ["Acmeo"], "Ich habe keine Informationen zu Acmeo.", []],
    [
      "what follows counts",
      ["Acmeo", "Lenovo"],
      "I found no information about Acmeo, but Lenovo makes one.",
      ["Lenovo"],
    ],
    [
      "nothing about something of the brand",
      ["Lenovo"],
      "I found no information about Lenovo's new laptop.",
      ["Lenovo"],
    ],
    ["not about the brand", ["Lenovo"], "There is no information about battery life on the Lenovo.", ["Lenovo"]],
    [
      "a lack is no absence",
      ["Lenovo"],
      "Lenovo is not cheap. You can't find better than Lenovo.",
      ["Lenovo", "Lenovo"],
    ],
    ["the next sentence counts", ["Acmeo"], "I found no information. Acmeo is fine.", ["Acmeo"]],
  ]);
});

test("the first brand of the catalog wins a shared alias", () => {
  const shared = [brand("First", { aliases: [alias("Zenbook")] }), brand("Second", { aliases: [alias("Zenbook")] })];
  expect(findMentions("Zenbook", catalogOf(...shared))).toEqual([
    { brand_id: "First", alias: "Zenbook", start: 0, end: 7 },
  ]);
});

test("derives nothing from a domain", () => {
  expect(named([brand("Acme Corporation", { domains: ["zenbook.com"] })], "Zenbook")).toEqual([]);
});

test("finds each of many names with equal starts as if it were the only one, longest first", () => {
  // Attack: a catalog of thousands of names with the same first word, which every answer has.
  const names = ["Bank", "Bank 1", "Bank & Co", "Bank-of Nord", "Bank of Nord West", "Bank A", "BankÖst", "Bank Öst"];
  const many = Array.from({ length: 2000 }, (_, nth) => `Bank ${nth + 10} of Nowhere`);
  const texts = [
    "A bank, Bank 1, bank  of-nord, Bank of Nord West and Bank of Nordwest.",
    "Bank & Co, Bank A; Bank Ab, bank öst, BankÖst and Bank 17 of nowhere",
    "Bank\nof Nord. At Bank\n\nof Nord. Bank 17 of Nord, Bank - of Nord",
  ];
  const excluding = names.map((name) => brand(name, { excluded_phrases: ["Bank of Nord West"] }));
  for (const text of texts) {
    expect(named([...names, ...many.slice(7, 8)], text).length).toBeGreaterThan(3);
    expect(named([...names, ...many], text)).toEqual(named([...names, ...many.slice(7, 8)], text));
    expect(named([...excluding, ...many], text)).toEqual(named([...excluding, ...many.slice(7, 8)], text));
  }
  expect(named([...many, ...names], "Bank of Nord West")).toEqual(["Bank of Nord West"]);
});

describe("sources and shops", () => {
  holds([
    ["a chip before the address of the next one", ["Acme"], "It lasts. Acme+2example.com+1", []],
    ["a number that is no chip", ["Acme"], "Acme+2x is new", ["Acme"]],
    ["the shop of a card", ["Acme"], "Zenvora 2 679,00 $•Acme + weitereKalmo 3 99,00 $•Acme Store + 2 more", []],
    ["the shop of the last card of a strip", ["Acme"], "Zenvora 2 $679.00 •Acme\nAcme is good.", ["Acme"]],
    ["a product behind a shop that nothing ends", ["Acme"], "Kalmo 679,00 $•ZenvoraAcme 3 99,00 $•Zenvora", ["Acme"]],
    ["a known site behind a sentence, at its end", ["The Verge"], "It comes with extra tools. The Verge\n\nMore.", []],
    ["a known site between sentences", ["Forbes"], "They call it the best. Forbes It has a fine screen.", []],
    ["a known site that a sentence is about", ["Forbes"], "It is new. Forbes calls it the best.", ["Forbes"]],
    ["a brand that is no known site, in the same place", ["Acme"], "It comes with extra tools. Acme\n", ["Acme"]],
    ["a known site as an item of a list", ["Decathlon"], "1. Decathlon\n2. Zenvora", ["Decathlon"]],
    [
      "the title of a page on a line of its own",
      ["Acme", "Zenvora"],
      "Fine.\n\n[Zenvora pans compared - Acme](https://a.example/x)",
      ["Zenvora"],
    ],
    ["a link within an item", ["Acme"], "- [Best pan - Acme](https://a.example/x)", ["Acme"]],
    ["the handle of a repository", ["Acme"], "Its code is **acme/acme-tools**, by acme/others.", ["acme"]],
  ]);
});
