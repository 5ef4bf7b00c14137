import { expect, test } from "vitest";
import { BROKEN_PAGES } from "../broken-pages.ts";
import { readingOf } from "../page-reading.ts";

test.for(BROKEN_PAGES)("a page %s is read as browsers read it", ([, html, reading]) => {
  expect(readingOf(html)).toEqual(reading);
});
