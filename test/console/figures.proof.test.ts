import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseExtent, report } from "../support/proof.ts";
import { expectedColumns } from "./download-columns.ts";
import { addressOf, CONSOLE_PAGES, type ConsolePage } from "./pages.ts";
import { measuredConsole, type MeasuredConsole } from "./measured-console.ts";
import { createRestReader, readColumn, listAllRows, type RestReader } from "./rest-reader.ts";
import { readCharts, readChoices, parseCsv, readMetricRows, readLinks, readMetrics } from "./read-metrics.ts";
import { findSection } from "./demo-console.ts";

let s: MeasuredConsole;
let asking: ReturnType<typeof createRestReader>;
beforeAll(async () => {
  s = await measuredConsole();
  asking = createRestReader(s.reader);
}, 120_000);
afterAll(() => s[Symbol.asyncDispose]());

/** Values per choice, from both ends. */
const VALUES = chooseExtent(4, 1);
const counted = { views: 0, figures: 0, cells: 0, charts: 0 };

test(
  "each metric of each page, chart and download equals REST for the same filters, in the same notation",
  async () => {
    for (const [name, page] of Object.entries(CONSOLE_PAGES)) {
      for (const subject of page.parts ? s.subjects : []) {
        const at = addressOf(name, subject);
        const first = await s.page(`${at}?analysis=${subject.analysisId}`);
        for (const query of viewsOf(first, subject.analysisId)) {
          const view = `${at}?${query.toString()}`;
          await holdPage(name, page, { view, asked: asking(subject, query) });
        }
      }
    }
    report(
      `${counted.views} views: ${counted.figures} figures, ${counted.charts} drawings, ${counted.cells} cells of downloads`,
    );
  },
  chooseExtent(600_000, 120_000),
);

/**
 * The addresses that a page leads to by its choices, the heads of its columns and its pager; some
 * of them together.
 */
function viewsOf(page: string, analysis: string): URLSearchParams[] {
  const choices = [...readChoices(page)].filter(([name]) => name !== "analysis");
  const chosen = choices.flatMap(([name, values]) => [...new Set(endsOf(values))].map((value) => ({ [name]: value })));
  const pairs = choices.flatMap(([name, values], index) => {
    const [next, others] = choices[(index + 1) % choices.length] ?? ["", []];
    return [{ [name]: values[0] ?? "", [next]: others.at(-1) ?? "" }];
  });
  const own = readLinks(page).flatMap((link) => {
    const [, query] = /^\/[^/]*\/[^/]*\/[^/?]*\?([^#]*)/.exec(link) ?? [];
    const found = Object.fromEntries(new URLSearchParams(query));
    return Object.keys(found).some((name) => /^(page|.*(sort|cursor))$/.test(name)) ? [found] : [];
  });
  const all = [{}, ...chosen, ...chooseExtent(pairs, pairs.slice(0, 1)), ...own.slice(0, chooseExtent(own.length, 1))];
  return all.map((one) => new URLSearchParams({ analysis, ...one }));
}

function endsOf(values: readonly string[]): string[] {
  return [...values.slice(-VALUES), ...values.slice(0, VALUES - 1)];
}

async function holdPage(
  name: string,
  page: ConsolePage,
  { view, asked }: { view: string; asked: RestReader },
): Promise<void> {
  const text = await s.page(view);
  let found = 0;
  for (const { section: id, shown = readMetricRows, expected } of page.parts ?? []) {
    const section = findSection(text, id);
    found += readMetrics(section).length;
    expect([view, id, shown(section)]).toEqual([view, id, await expected(asked, section)]);
  }
  // A metric outside the compared parts would be unchecked.
  expect([view, readMetrics(text).length]).toEqual([view, found]);
  for (const { title, drawn, tabled } of readCharts(text)) expect([view, title, drawn]).toEqual([view, title, tabled]);
  counted.views += 1;
  counted.figures += found;
  counted.charts += readCharts(text).length;
  await holdDownloads(name, page, { text, asked });
}

/** Each linked file has all rows with the values of REST. */
async function holdDownloads(
  name: string,
  { downloads = {} }: ConsolePage,
  { text, asked }: { text: string; asked: RestReader },
) {
  const links = readLinks(text).filter((link) => link.includes(".csv"));
  for (const link of links) {
    const file = link.replace(/\?.*$/, "").split("/").at(-1) ?? "";
    const of = downloads[file];
    if (!of) throw new Error(`${name} links to ${file}, which its line in pages.ts does not name`);
    const [columns = [], ...cells] = parseCsv(await s.page(link));
    expect([link, columns]).toEqual([link, expectedColumns(file)]);
    const [endpoint, more, inOrder = (all) => all] = of;
    const rows = inOrder(await listAllRows(asked, endpoint, more), asked.query, asked.own);
    expect([link, cells]).toEqual([link, rows.map((row) => columns.map((column) => readColumn(row, column)))]);
    counted.cells += columns.length * cells.length;
  }
}

test("every section of the bar has its line in the table of pages", async () => {
  const text = await s.page(addressOf("visibility", s.subjects[0]));
  const [, bar = ""] = /<nav aria-label="Workspace">([\s\S]*?)<\/nav>/.exec(text) ?? [];
  const sections = Object.entries<ConsolePage>(CONSOLE_PAGES).filter(([, { isInBar }]) => isInBar !== false);
  const known = sections.map(([name]) => addressOf(name, s.subjects[0]));
  expect(readLinks(bar)).toEqual(known);
});
