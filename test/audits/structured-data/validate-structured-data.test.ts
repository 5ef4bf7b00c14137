import { expect, test } from "vitest";
import { readStructuredData } from "../../../core/audits/structured-data/read-structured-data.ts";
import { validateStructuredData } from "../../../core/audits/structured-data/validate-structured-data.ts";
import { readCorpus, verdictOf } from "./corpus.ts";

/**
 * Samples whose verdict differs from the one written before the validator existed, with the reason.
 */
const DISAGREEMENTS: Readonly<Record<string, string>> = {};

test("at least 98 % of the samples get the verdict that was written for them, and the others are known by name", () => {
  const samples = readCorpus();
  const differing = samples.flatMap(({ name, expected, recommended, ...page }) => {
    const found = verdictOf(validateStructuredData(readStructuredData(page)));
    const isSame =
      JSON.stringify(found.expected) === JSON.stringify(expected) &&
      (recommended === null || JSON.stringify(found.recommended) === JSON.stringify(recommended));
    return isSame ? [] : [{ name, expected, recommended, found }];
  });
  expect(differing.map(({ name }) => name)).toEqual(Object.keys(DISAGREEMENTS));
  expect(differing.length / samples.length).toBeLessThanOrEqual(0.02);
});

const C = "https://schema.org";

function validate(...blocks: unknown[]): ReturnType<typeof validateStructuredData> {
  const jsonLd = blocks.map((block) => ({
    text: typeof block === "string" ? block : JSON.stringify(block),
    offset: 100,
  }));
  return validateStructuredData(readStructuredData({ jsonLd, microdata: [] }));
}

test("an issue has message, location, reason and rule, and quotes nothing of the page", () => {
  expect(validate({ "@context": C, "@type": "FaqPage" })).toEqual([
    {
      severity: "error",
      code: "unknown_type",
      type: "FaqPage",
      property: null,
      message: "schema.org has no such type. It has FAQPage: capitals matter.",
      offset: 100,
      source: "https://schema.org/docs/full.html",
    },
  ]);
  const text = `{"@context":"${C}","@type":"WebSite","name":"Acme","url":"https://a.example/","publisher":{"@type":"Person","birthDate":"May 1"}}`;
  expect(validate(text)).toEqual([
    {
      severity: "error",
      code: "wrong_kind",
      type: "Person",
      property: "birthDate",
      message: "The property expects a date of ISO 8601, such as 2026-03-31.",
      // The object of the person begins here, not the block.
      offset: 100 + text.indexOf('{"@type":"Person"'),
      source: "https://schema.org/birthDate",
    },
  ]);
  expect(validate({ "@context": C, "@type": "Product", name: "Kettle", review: { "@type": "Review" } })).toContainEqual(
    {
      severity: "error",
      code: "missing_required",
      type: "Review",
      property: "reviewRating",
      message: 'Google requires the property for the rich result "review".',
      offset: 176,
      source: "https://developers.google.com/search/docs/appearance/structured-data/review-snippet",
    },
  );
});

test("locates the first syntax error in invalid JSON", () => {
  expect(validate('{\n  "@context": "https://schema.org",\n  "name": "a" "b"\n}')).toEqual([
    {
      severity: "error",
      code: "not_json",
      type: null,
      property: null,
      message: "The block has a JSON syntax error at line 3, column 15.",
      offset: 152,
      source: "https://www.rfc-editor.org/rfc/rfc8259",
    },
  ]);
  expect(validate('{"a": [1, 2').map(({ message, offset }) => [message, offset])).toEqual([
    ["The block ends at line 1, column 12, before its JSON is complete.", 111],
  ]);
});

test("reports one issue for values with the same fault, and at most a thousand per page", () => {
  const wrong = {
    "@context": C,
    "@type": "Article",
    headline: "x",
    datePublished: Array.from({ length: 300 }, (_, n) => `day ${n}`),
  };
  expect(validate(wrong).filter(({ code }) => code === "wrong_kind")).toHaveLength(1);
  expect(validate(Array.from({ length: 4_000 }, () => ({ "@context": C, "@type": "Nothing" })))).toHaveLength(1_000);
});
