import { expect, test } from "vitest";
import type { MicrodataItem } from "../../../core/audits/parsed-page.ts";
import { readStructuredData } from "../../../core/audits/structured-data/read-structured-data.ts";
import {
  isItem,
  isReference,
  type StructuredItem,
  type StructuredValue,
} from "../../../core/audits/structured-data/structured-item.ts";
import { validateStructuredData } from "../../../core/audits/structured-data/validate-structured-data.ts";
import { microdata } from "./corpus.ts";

const C = "https://schema.org";

function read(...blocks: unknown[]): readonly StructuredItem[] {
  const jsonLd = blocks.map((block) => ({
    text: typeof block === "string" ? block : JSON.stringify(block),
    offset: 0,
  }));
  return readStructuredData({ jsonLd, microdata: [] }).items;
}

/** An item in short form: types and values, with nested items. */
function plain(item: StructuredItem, depth = 0): unknown {
  const short = (value: StructuredValue): unknown => {
    if (isReference(value)) return `-> ${value.reference}`;
    if (!isItem(value)) return value;
    return depth > 2 ? value.types[0] : plain(value, depth + 1);
  };
  const values = [...item.properties].map(([name, present]) => [name, present.map(short)]);
  return { is: item.types, ...Object.fromEntries(values) };
}

test("an item has the types, values, id and offset of its block", () => {
  const text = `{"@context":"${C}","@type":["Product","Thing"],"@id":"#k","name":["Kettle","Pot"],"weight":1.5,"isFamilyFriendly":true,"logo":null}`;
  const { items, issues } = readStructuredData({ jsonLd: [{ text, offset: 40 }], microdata: [] });
  expect({ items, issues }).toEqual({
    items: [
      {
        id: "#k",
        types: ["Product", "Thing"],
        properties: new Map<string, StructuredValue[]>([
          ["name", ["Kettle", "Pot"]],
          ["weight", [1.5]],
          ["isFamilyFriendly", [true]],
        ]),
        offset: 40,
        format: "json_ld",
        isTopLevel: true,
        isForeign: false,
        isMixed: false,
        uses: [],
      },
    ],
    issues: [],
  });
});

test("parts of an item are joined over blocks, and references are the items that they name", () => {
  const [product, offer] = read(
    { "@context": C, "@type": "Product", "@id": "#p", name: "Kettle", offers: [{ "@id": "#o" }, { "@id": "#gone" }] },
    {
      "@context": C,
      "@graph": [
        { "@type": "Offer", "@id": "#o", price: 5 },
        { "@id": "#p", name: "Kettle", sku: "1" },
      ],
    },
  );
  expect(product && plain(product)).toEqual({
    is: ["Product"],
    name: ["Kettle"],
    offers: [{ is: ["Offer"], price: [5] }, "-> #gone"],
    sku: ["1"],
  });
  expect(offer?.uses).toEqual([{ item: product, property: "offers" }]);
});

test("resolves schema.org names in any context form, and drops others", () => {
  const context = [C, { s: "http://schema.org/", label: "s:name", other: { "@id": "https://example.org/other" } }];
  const items = read({
    "@context": context,
    "@type": ["s:Product", "other:Kettle"],
    label: "A",
    other: 1,
    "x:y": 2,
    "s:sku": 3,
  });
  expect(items.map((item) => plain(item))).toEqual([{ is: ["Product"], name: ["A"], sku: [3] }]);
});

test("locates an object in its block, or the block if ambiguous", () => {
  const text = `[{"@context":"${C}","@type":"Person","name":"a {b} \\" {"},\n {"@context":"${C}","@type":"Person"}]`;
  expect(read(text).map(({ offset }) => offset)).toEqual([1, text.lastIndexOf("{")]);
  const doubled = `{"@context":"${C}","@type":"Person","knows":{"name":"a"},"knows":{"name":"b"}}`;
  expect(read(doubled).map(({ offset }) => offset)).toEqual([0, 0]);
});

test("microdata has items within items, under the names of schema.org", () => {
  const offer = { type: [`${C}/Offer`], properties: [["price", "5"]] as [string, string][] };
  const page = microdata({
    type: [`${C}/Product`],
    id: "urn:1",
    properties: [
      ["name", "Kettle"],
      ["offers", offer],
      ["x:y", "z"],
    ],
  });
  const { items } = readStructuredData({ jsonLd: [], microdata: [page] });
  expect(items.map((item) => [item.format, item.id, item.isTopLevel, plain(item)])).toEqual([
    ["microdata", "urn:1", true, { is: ["Product"], name: ["Kettle"], offers: [{ is: ["Offer"], price: ["5"] }] }],
    ["microdata", null, false, { is: ["Offer"], price: ["5"] }],
  ]);
});

/** Numbers of items and issues. */
function readOf(jsonLd: string[], items: MicrodataItem[] = []): { items: number; issues: number } {
  const data = readStructuredData({ jsonLd: jsonLd.map((text) => ({ text, offset: 0 })), microdata: items });
  const issues = validateStructuredData(data);
  return { items: data.items.length, issues: issues.length };
}

test("attack: contexts within contexts are not copied for each object", () => {
  const context = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`t${n}`, `${C}/name`]));
  const graph = Array.from({ length: 5_000 }, () => ({ "@context": { a: "b" }, "@type": "Thing" }));
  expect(readOf([JSON.stringify({ "@context": [C, context], "@graph": graph })])).toEqual({ items: 5_000, issues: 0 });
  const nested = Array.from({ length: 50 }).reduce<unknown>(
    (inner) => ({ "@context": context, "@graph": inner }),
    Array.from({ length: 100_000 }, () => ({ "@context": { a: "b" }, "@graph": [] })),
  );
  expect(readOf([JSON.stringify(nested)])).toEqual({ items: 0, issues: 0 });
});

test("attack: references in circles and through each other are followed once", () => {
  const all = Array.from({ length: 120 }, (_, n) => ({ "@id": `#${n}` }));
  const graph = all.map((id) => ({ ...id, "@type": "JobPosting", jobLocation: all, item: all, itemListElement: all }));
  expect(readOf([JSON.stringify({ "@context": C, "@graph": graph })]).items).toBe(120);
  const circle = microdata({ type: [`${C}/Thing`], properties: [["name", "x"]] });
  const within = circle.properties as { name: string; value: string | MicrodataItem; offset: number }[];
  within.push({ name: "subjectOf", value: circle, offset: 0 });
  expect(readOf([], [circle])).toEqual({ items: 1, issues: 1 });
});

test("attack: names of JavaScript's own objects are names like others", () => {
  const text = `{"@context":{"@vocab":"${C}/","__proto__":"x","constructor":"y"},"@type":["Thing","__proto__","toString"],"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":1}},"hasOwnProperty":1}`;
  expect(readOf([text]).issues).toBeGreaterThan(0);
  expect(({} as { polluted?: unknown }).polluted).toBe(undefined);
});

test("attack: microdata that is nested deep ends", () => {
  let item = microdata({ type: [`${C}/Thing`], properties: [["name", "x"]] });
  for (let depth = 0; depth < 50_000; depth++) {
    item = { type: [`${C}/Thing`], id: null, offset: 0, properties: [{ name: "subjectOf", value: item, offset: 0 }] };
  }
  expect(readOf([], [item])).toEqual({ items: 64, issues: 63 });
});
