import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  findProperty,
  findType,
  hasMembers,
  hasProperty,
  isSubtypeOf,
  isDataType,
  findSpelling,
} from "../../../core/audits/structured-data/vocabulary.ts";
import { schemaOrgTable } from "../../../scripts/schema-org-table.ts";

test("the committed table equals the declarations of schema-dts, and is small", () => {
  const file = new URL("../../../lists/schema-org.json", import.meta.url);
  const committed = readFileSync(file, "utf8");
  expect(committed === schemaOrgTable()).toBe(true);
  expect(committed.length).toBeLessThan(300_000);
});

test("a type has its parents, own properties, members and successor", () => {
  expect(findType("AggregateOffer")).toEqual({
    parents: ["Offer"],
    properties: new Set(["highPrice", "lowPrice", "offerCount", "offers"]),
    members: new Set(),
    supersededBy: null,
  });
  expect(findType("3DModel")).toEqual({
    parents: ["MediaObject"],
    properties: new Set(["isResizable"]),
    members: new Set(),
    supersededBy: null,
  });
  expect(findType("BookFormatType")?.members).toEqual(
    new Set(["AudiobookFormat", "EBook", "GraphicNovel", "Hardcover", "Pamphlet", "Paperback"]),
  );
  expect(findType("Season")?.supersededBy).toBe("CreativeWorkSeason");
  expect(findType("UserLikes")?.supersededBy).toBe("InteractionCounter");
});

test("a property has the types that its values may be of, and its successor", () => {
  expect(findProperty("price")).toEqual({ kinds: ["Number", "Text"], supersededBy: null });
  expect(findProperty("awards")).toEqual({ kinds: ["Text"], supersededBy: "award" });
  expect(findProperty("duration")).toEqual({ kinds: ["Duration", "QuantitativeValue"], supersededBy: null });
});

test("properties are inherited, by every line of ancestors", () => {
  expect(isSubtypeOf("Hotel", "LocalBusiness")).toBe(true);
  expect(isSubtypeOf("Hotel", "Organization")).toBe(true);
  expect(isSubtypeOf("Hotel", "Place")).toBe(true);
  expect(isSubtypeOf("Organization", "Hotel")).toBe(false);
  // AdministrativeArea has no own properties.
  expect(isSubtypeOf("Country", "AdministrativeArea")).toBe(true);
  expect(hasProperty("Hotel", "starRating")).toBe(true);
  expect(hasProperty("Hotel", "geo")).toBe(true);
  expect(hasProperty("Organization", "geo")).toBe(false);
});

test("names of other vocabularies and of JavaScript's own objects are no names of schema.org", () => {
  const foreign = ["constructor", "toString", "__proto__", "hasOwnProperty", "xmlns_com_foaf_0_1_Person", ""];
  expect(foreign.map((name) => [findType(name), findProperty(name), findSpelling(name)])).toEqual(
    foreign.map(() => [undefined, undefined, undefined]),
  );
  expect(foreign.some((name) => isSubtypeOf(name, "Thing") || hasProperty("Thing", name))).toBe(false);
});

test("finds names in any case; distinguishes enumerations, data types and types", () => {
  expect(findSpelling("datepublished")).toBe("datePublished");
  expect(findSpelling("FaqPage")).toBe("FAQPage");
  expect(findSpelling("datePublishedAt")).toBe(undefined);
  expect([hasMembers("ItemAvailability"), hasMembers("BusinessFunction"), hasMembers("Product")]).toEqual([
    true,
    false,
    false,
  ]);
  expect([isDataType("URL"), isDataType("ImageObject")]).toEqual([true, false]);
});
