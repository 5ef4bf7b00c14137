import { shownText } from "../audits/console-scene.ts";

// Content of a page, parsed from its HTML.

/** Metrics in markup, as displayed and exact: `46.2 % [0.4615]`. */
export function readMetrics(markup: string): string[] {
  return [...markup.matchAll(/<data\s+value="([^"]*)"\s*>([^<]*)<\/data>/g)].map(
    ([, value, text]) => `${shownText(text ?? "")} [${value}]`,
  );
}

/** Metrics of a section, by table row or all in one. */
export function readMetricRows(section: string): string[][] {
  const rows = readTableRows(section);
  return rows.length > 0 || section === ""
    ? rows.map(readMetrics)
    : [readMetrics(section)].filter((row) => row.length > 0);
}

/** The rows of the bodies of all tables in markup. */
export function readTableRows(markup: string): string[] {
  const bodies = [...markup.matchAll(/<tbody>([\s\S]*?)<\/tbody>/g)];
  return bodies.flatMap(([, body = ""]) => body.match(/<tr[\s\S]*?<\/tr>/g) ?? []);
}

/** Column heads of the first table, except the first. */
export function readColumnHeaders(markup: string): string[] {
  const [, head = ""] = /<thead>([\s\S]*?)<\/thead>/.exec(markup) ?? [];
  return (head.match(/<th[\s\S]*?<\/th>/g) ?? []).slice(1).map(shownText);
}

export function rowName(row: string): string {
  return shownText(/<th[\s\S]*?<\/th>/.exec(row)?.[0] ?? "");
}

export function readLinks(markup: string): string[] {
  return [...markup.matchAll(/<a\s[^>]*?href="([^"]*)"/g)].map(([, href = ""]) => unescapeHtml(href));
}

/** Choices of a page by name, without default values. */
export function readChoices(page: string): Map<string, string[]> {
  const [form = ""] = /<form method="get"[^>]* class="choices">[\s\S]*?<\/form>/.exec(page) ?? [];
  const selects = form.matchAll(/<select name="([^"]*)">([\s\S]*?)<\/select>/g);
  return new Map(
    [...selects].map(([, name = "", options = ""]) => [
      name,
      [...options.matchAll(/<option value="([^"]+)"/g)].map(([, value = ""]) => unescapeHtml(value)),
    ]),
  );
}

export function unescapeHtml(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
}

/** Values in charts and in their tables, without axis labels. */
export function readCharts(page: string): { title: string; drawn: string[]; tabled: string[] }[] {
  const sections = page.match(/<section[^>]*>(?:(?!<section)[\s\S])*?<svg\s+class="chart-[\s\S]*?<\/section>/g) ?? [];
  return sections.flatMap((section) => {
    const [, table = ""] = /<details class="behind">([\s\S]*?)<\/details>/.exec(section) ?? [];
    const tabled = valuesIn([...table.matchAll(/<data[^>]*>([^<]*)</g)].map(([, text = ""]) => text));
    return (section.match(/<svg\s+class="chart-[\s\S]*?<\/svg>/g) ?? []).map((drawing) => {
      const [, title = ""] = /<title[^>]*>([^<]*)</.exec(drawing) ?? [];
      const texts = [...drawing.matchAll(/<(?:text|tspan|title)([^>]*)>([^<]*)/g)];
      const drawn = texts.flatMap(([, attributes = "", text = ""]) => (/class="tick"/.test(attributes) ? [] : [text]));
      return { title, tabled, drawn: valuesIn(drawn) };
    });
  });
}

/** Distinct shares in texts, sorted. */
function valuesIn(texts: readonly string[]): string[] {
  const found = texts.flatMap((text) => text.match(/[−+]?\d+\.\d+(?: %)?/g) ?? []);
  return [...new Set(found)].toSorted();
}

/** The cells of a CSV file, by line. */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = [[]];
  for (const [, quoted = "", end] of text.matchAll(/"((?:[^"]|"")*)"(,|\r\n)/g)) {
    lines.at(-1)?.push(quoted.replaceAll('""', '"'));
    if (end !== ",") lines.push([]);
  }
  return lines.slice(0, -1);
}
