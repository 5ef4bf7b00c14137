import { afterAll, beforeAll, expect, test } from "vitest";
import { signedInBrowser } from "../support/assistant.ts";
import { shownText } from "../audits/console-scene.ts";
import { crawl } from "./web-pages.ts";
import { demoConsole, readBodyRows, findSection } from "./demo-console.ts";

let s: Awaited<ReturnType<typeof demoConsole>>;
beforeAll(async () => {
  s = await demoConsole();
}, 90_000);
afterAll(() => s[Symbol.asyncDispose]());

/** Missing features of a table: sorting, file, sticky head. */
function findMissing(table: string, section: string): string {
  const lacks = [
    [/<th[^>]*>\s*<a /.test(table), "sort"],
    [/href="[^"]*\.csv/.test(section), "file"],
    [/^<div class="scroll[^"]* sticky/.test(table), "sticky head"],
  ];
  return lacks.flatMap(([has, name]) => (has === true ? [] : [name])).join(", ");
}

const PARTS = "sort, file, sticky head";
/** Tables that are no lists, by heading, with the reason. */
const OTHERS: Readonly<Record<string, string>> = {
  // Data of a chart, in its order.
  "by-source: Presence of brands by source": PARTS,
  "presence: Presence over time: all points": PARTS,
  "slopes: Your presence by source: all figures": PARTS,
  // Brands on both sides.
  "cited-with: Sites by the brands that answers name": PARTS,
  "comparisons: Wins and losses of brands against each other": "sort, sticky head",
  // The first ten of the list of Sources, to which they link.
  "gaps: Pages with their shares": PARTS,
  "sites: Sites with their shares": PARTS,
  // Data of one answer, in its order.
  "cited: Cited pages with their sites": PARTS,
  "places: Brands with their ranks": PARTS,
  // A few lines about the service's configuration.
  "all: Sources with their state": PARTS,
  "fields: Fields of a line, with what each holds": PARTS,
};

test("each list of the workspace sorts, has a file, and a sticky head", async () => {
  const browser = await signedInBrowser(s.w, s.reader.email);
  const pages = await crawl(browser, s.w.config.baseUrl, [`/visibility/${s.place}`]);
  const lacks = new Map<string, string>();
  const nowhere = new Set<string>();
  for (const { text, url } of pages) {
    for (const [, id = ""] of text.matchAll(/<th scope="col"[^>]*>\s*<a href="[^"]*(?<!&)#([a-z-]+)"/g))
      if (!text.includes(` id="${id}"`)) nowhere.add(`${url.pathname.split("/")[1] ?? ""}: ${id}`);
    for (const section of text.split(/(?=<section)/)) {
      for (const [table, label = ""] of section.matchAll(
        /<div class="scroll[^>]*aria-label="([^"]*)"[\s\S]*?<\/table>/g,
      ))
        lacks.set(`${/<h2 id="([^"]*)"/.exec(section)?.[1] ?? ""}: ${label}`, findMissing(table, section));
    }
  }
  expect(Object.fromEntries([...lacks].filter(([, lack]) => lack !== ""))).toEqual(OTHERS);
  // Fault: sorting an action's evidence scrolled to the top of the page.
  expect([...nowhere]).toEqual([]);
}, 60_000);

// oxlint-disable-next-line typescript/no-explicit-any -- a row as REST gives it
type Row = Record<string, any>;

async function dataOf(path: string): Promise<Row[]> {
  const [organization, workspace] = s.place.split("/");
  return (await s.reader.get(`/v1/organizations/${organization}/workspaces/${workspace}${path}`)).body.data;
}

/** First cells of a section's rows. */
const firsts = (page: string, id: string) =>
  readBodyRows(findSection(page, id)).map((row) => shownText(/<t[hd][\s\S]*?<\/t[hd]>/.exec(row)?.[0] ?? ""));
/** A column of a file. */
async function columnOf(path: string, name: string): Promise<string[]> {
  const { text } = await s.page(path);
  const [head = [], ...rows] = text
    .trim()
    .split("\r\n")
    .map((line) => line.slice(1, -1).split('","'));
  return rows.map((row) => row[head.indexOf(name)] ?? "");
}

test("collects of an analysis sort by each column, and their file has all of them", async () => {
  const at = `/analyses/${s.place}/${s.analysis.id}`;
  const collects = await dataOf(`${at.replace(`/${s.place}`, "")}/collects?limit=100`);
  expect(collects.length).toBeGreaterThan(1);
  const by: Record<string, (one: Row) => number> = {
    number: (one) => one["number"],
    credits: (one) => one["cost"].spent_credits,
    started_at: (one) => Date.parse(one["started_at"]),
  };
  for (const [sort, value] of Object.entries(by)) {
    const { text } = await s.page(`${at}?collects_sort=${sort}&collects_direction=asc`);
    const sorted = collects.toSorted((a, b) => value(a) - value(b)).map((one) => String(one["number"]));
    expect([sort, firsts(text, "collects")]).toEqual([sort, sorted]);
  }
  const numbers = collects.map((one) => String(one["number"]));
  expect(firsts((await s.page(at)).text, "collects")).toEqual(numbers);
  expect(await columnOf(`${at}/collects.csv`, "number")).toEqual(numbers);
});

test("evidence of an action sorts by each column, and its file has all rows", async () => {
  const listed = await dataOf("/recommended-actions?limit=100");
  const counted = listed.filter(({ rule }) => ["competitor_present", "presence_lost", "cited_source"].includes(rule));
  const { id } = counted.toSorted((a, b) => b["evidence_count"] - a["evidence_count"])[0] ?? {};
  const [organization, workspace] = s.place.split("/");
  const at = `/v1/organizations/${organization}/workspaces/${workspace}/recommended-actions/${id}`;
  const evidence: Row[] = (await s.reader.get(at)).body.evidence;
  expect(evidence.length).toBeGreaterThan(2);
  const page = `/actions/${s.place}/${id}`;
  for (const way of ["asc", "desc"]) {
    const { text } = await s.page(`${page}?evidence_sort=answers&evidence_direction=${way}`);
    const [, body = ""] = /aria-label="Evidence"[\s\S]*?<tbody>([\s\S]*?)<\/tbody>/.exec(text) ?? [];
    const answers = (body.match(/<tr[\s\S]*?<\/tr>/g) ?? []).map((row) =>
      Number(/class="number">(\d+)/.exec(row)?.[1]),
    );
    const sorted = evidence.map((row) => row["answers"]).toSorted((a, b) => (way === "asc" ? a - b : b - a));
    expect([way, answers]).toEqual([way, sorted.slice(0, 50)]);
  }
  expect(await columnOf(`${page}/evidence.csv`, "occurrences")).toEqual(
    evidence.map((row) => String(row["occurrences"])),
  );
});

test("a form of filters leaves the tables of its page as they are sorted", async () => {
  // Fault: choosing another source reset the sorting.
  const { text } = await s.page(`/sources/${s.place}?sort=domain&direction=asc&stances_sort=brand&sorted=no`);
  const [form = ""] = /<form method="get"[^>]* class="choices">[\s\S]*?<\/form>/.exec(text) ?? [];
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, ...pair]) =>
    pair.join("="),
  );
  expect(hidden.filter((one) => /sort|direction/.test(one))).toEqual([
    "sort=domain",
    "direction=asc",
    "stances_sort=brand",
  ]);
});

/** Columns of the analysis's sources, with rank now and before. */
const SOURCES = [
  "Bing",
  "Bing AI answers",
  "ChatGPT",
  "Perplexity",
  "Google",
  "Google AI Overviews",
  "Google AI Mode",
  "Claude",
  "Gemini",
];

/** Columns of each list, by page and heading. */
const COLUMNS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "/visibility/PLACE": {
    brands: [
      "Brand",
      "Presence",
      "Change",
      "Average rank",
      "Top 3",
      "Visibility score",
      "Share of voice",
      "Answers citing it",
      "Answers",
    ],
  },
  "/prompts/PLACE": { listed: ["Prompt", "Type", "Topic", "Persona", "Present in", "Visibility score", ...SOURCES] },
  "/answers/PLACE": { listed: ["Prompt and start of the answer", "Source", "Repeat", "Run", "Collected"] },
  "/sources/PLACE": {
    sites: ["Site", "Kind of site", "Brand", "Share", "Answers", "Citations"],
    gaps: ["Page", "Share"],
  },
  "/sources/PLACE?by=page": { sites: ["Page", "Kind of site", "Brand", "Share", "Answers", "Citations"] },
  "/brands/PLACE": {
    catalog: ["Brand", "Role", "Domains", "Other spellings", "Excluded phrases", "Added"],
    suggested: ["Name", "Answers", "Confidence", "Found as", "Decide"],
  },
  "/analyses/PLACE": {
    listed: [
      "Analysis",
      "Status",
      "Answers",
      "Schedule",
      "Last run",
      "Next run",
      "Cost of last run",
      "Reserved",
      "Created",
    ],
  },
  "/analyses/PLACE/ANALYSIS": {
    collects: ["Run", "Status", "Answers", "Collected", "Planned", "Answered", "Failed", "Credits"],
  },
  "/audits/PLACE": {
    listed: ["Audit", "Newest run", "Crawlability", "Semantics", "Content", "Pages", "With a failed check", "Created"],
  },
  "/actions?status=all": {
    listed: ["Choose", "Action", "Score (0 to 100)", "Impact", "Effort", "Kind of work", "Channel", "Evidence"],
  },
};

test("each list has the columns its page needs", async () => {
  const shown: Record<string, Record<string, string[]>> = {};
  for (const [page, sections] of Object.entries(COLUMNS)) {
    const { text } = await s.page(page.replace("PLACE", s.place).replace("ANALYSIS", s.analysis.id));
    const of = Object.keys(sections).map((id) => [id, headsOf(findSection(text, id))] as const);
    shown[page] = Object.fromEntries(of);
  }
  expect(shown).toEqual(COLUMNS);
});

/** The heads of the columns of the first table of a section, without how it is sorted. */
function headsOf(section: string): string[] {
  const [head = ""] = /<thead>[\s\S]*?<\/thead>/.exec(section) ?? [];
  return (head.match(/<th[\s\S]*?<\/th>/g) ?? []).map((one) => shownText(one).replace(/ [↑↓]$/, ""));
}
