import { expect, test } from "vitest";
import type { MicrodataItem } from "../../../core/audits/parsed-page.ts";
import { readStructuredData } from "../../../core/audits/structured-data/read-structured-data.ts";
import { validateStructuredData } from "../../../core/audits/structured-data/validate-structured-data.ts";

const C = "https://schema.org";

const products = (count: number) => Array.from({ length: count }, (_, n) => ({ "@type": "Product", name: `${n}` }));

/** Numbers of items and issues. */
function readOf(jsonLd: string[], items: MicrodataItem[] = []): { items: number; issues: number } {
  const data = readStructuredData({ jsonLd: jsonLd.map((text) => ({ text, offset: 0 })), microdata: items });
  const issues = validateStructuredData(data);
  return { items: data.items.length, issues: issues.length };
}

test("attack: many items, values, blocks and names cost no more than a bounded part of them", () => {
  expect(readOf([JSON.stringify({ "@context": C, "@graph": products(50_000) })])).toEqual({
    items: 5_000,
    issues: 1_000,
  });
  const values = Array.from({ length: 300_000 }, (_, n) => `v${n}`);
  expect(readOf([JSON.stringify({ "@context": C, "@type": "WebSite", name: "x", url: values })])).toEqual({
    items: 1,
    issues: 1,
  });
  expect(readOf(Array.from({ length: 20_000 }, () => "{"))).toEqual({ items: 0, issues: 1_000 });
  const names = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`p${n}`, 1]));
  expect(readOf([JSON.stringify({ "@context": C, "@type": "Thing", ...names })])).toEqual({ items: 1, issues: 1_000 });
  const types = Array.from({ length: 100_000 }, (_, n) => `T${n}`);
  expect(readOf([JSON.stringify({ "@context": C, "@type": types })])).toEqual({ items: 1, issues: 20 });
  const context = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`t${n}`, `${C}/name`]));
  expect(
    readOf([
      JSON.stringify({
        "@context": [C, context],
        "@graph": Array.from({ length: 2_000 }, () => ({ "@type": "Thing" })),
      }),
    ]),
  ).toEqual({ items: 2_000, issues: 0 });
});
