import { expect, test } from "vitest";
import { BROKEN_PAGES } from "../broken-pages.ts";
import { readPage } from "../page-reading.ts";

test.for(BROKEN_PAGES)("reads a page %s like browsers", ([, html, reading]) => {
  expect(readPage(html)).toEqual(reading);
});
