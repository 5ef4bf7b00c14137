import { expect, test } from "vitest";
import { BROKEN_PAGES } from "../broken-pages.ts";
import { readingOf } from "../page-reading.ts";

test.for(BROKEN_PAGES)("reads a page %s like browsers", ([, html, reading]) => {
  expect(readingOf(html)).toEqual(reading);
});
