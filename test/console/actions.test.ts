import { afterAll, beforeAll, expect, test } from "vitest";
import { shownText } from "../audits/console-scene.ts";
import { demoConsole, readMetricValues, readBodyRows, findSection } from "./demo-console.ts";
import { readLinks } from "./read-metrics.ts";

let s: Awaited<ReturnType<typeof demoConsole>>;
beforeAll(async () => {
  s = await demoConsole();
}, 90_000);
afterAll(() => s[Symbol.asyncDispose]());

// oxlint-disable-next-line typescript/no-explicit-any -- a row as REST gives it
type Row = Record<string, any>;

async function rest(path: string): Promise<Row> {
  const [organization, workspace] = s.place.split("/");
  const at = `/v1/organizations/${organization}/workspaces/${workspace}/recommended-actions`;
  const { status, body } = await s.reader.get(`${at}${path}`);
  if (status !== 200) throw new Error(`${path}: ${status}`);
  return body;
}

const VIEWS = {
  "": "workflow_status=new&still_observed=true",
  "&status=all&category=technical": "category=technical&still_observed=true",
  "&channel=ai_overviews&observed=all": "workflow_status=new&channel=ai_overviews",
  "&status=dismissed&observed=no": "workflow_status=dismissed&still_observed=false",
  "&status=all&sort=effort": "still_observed=true&sort=effort",
  "&sort=action_label&direction=desc": "workflow_status=new&still_observed=true&sort=action_label&sort_direction=desc",
};

test("the list, its states and its file equal REST for the same filters", async () => {
  const [, workspace] = s.place.split("/");
  for (const [view, query] of Object.entries(VIEWS)) {
    const { status, text } = await s.page(`/actions?workspace=${workspace}${view}`);
    const { data, status_counts: counts } = await rest(`?${query}&limit=100`);
    const section = findSection(text, "listed");
    const states = /<nav class="states"[\s\S]*?<\/nav>/.exec(section)?.[0] ?? "";
    const all = counts.new + counts.confirmed + counts.dismissed;
    expect([view, status, readMetricValues(states)]).toEqual([
      view,
      200,
      [counts.new, counts.confirmed, counts.dismissed, all],
    ]);
    expect([
      view,
      readBodyRows(section).map((row) => [
        shownText(/<a [\s\S]*?<\/a>/.exec(row)?.[0] ?? ""),
        ...readMetricValues(row),
      ]),
    ]).toEqual([view, data.map((row: Row) => [row["action_label"], row["score"]])]);
    const { text: csv } = await s.page(`/actions/${s.place}/actions.csv?${view.slice(1)}`);
    const [head = "", ...lines] = csv.trim().split("\r\n");
    const columns = head.slice(1, -1).split('","');
    expect([view, lines]).toEqual([
      view,
      data.map((row: Row) => columns.map((column) => `"${String(row[column] ?? "").replaceAll('"', '""')}"`).join(",")),
    ]);
  }
  const { data: whole } = await rest("?limit=100");
  expect(whole.length).toBeGreaterThan(10);
});

function headsOf(section: string): string[] {
  return readLinks(/<thead>[\s\S]*?<\/thead>/.exec(section)?.[0] ?? "");
}

test("list heads sort in both directions, and its notes state what is omitted", async () => {
  const [, workspace] = s.place.split("/");
  const first = findSection((await s.page(`/actions?workspace=${workspace}&status=all`)).text, "listed");
  const { data, status_counts: counts } = await rest("?still_observed=true&limit=100");
  const all = counts.new + counts.confirmed + counts.dismissed;
  expect(shownText(first)).toContain(`${all} actions · not shown: findings that are no longer true`);
  const sorts = headsOf(first).map((head) => new URL(head, "http://x").searchParams);
  expect(sorts.map((query) => [query.get("sort"), query.get("direction")])).toEqual([
    ["action_label", "asc"],
    ["score", "asc"],
    ["impact", "desc"],
    ["effort", "asc"],
    ["category", "asc"],
    ["channel", "asc"],
    ["evidence_count", "desc"],
  ]);
  for (const head of headsOf(first)) {
    const section = findSection((await s.page(head)).text, "listed");
    const query = new URL(head, "http://x").searchParams;
    const { data: rows } = await rest(
      `?still_observed=true&limit=50&sort=${query.get("sort")}&sort_direction=${query.get("direction")}`,
    );
    expect([head, readBodyRows(section).map((row) => readMetricValues(row)[0])]).toEqual([
      head,
      rows.map((row: Row) => row["score"]),
    ]);
    const way = query.get("direction") === "asc" ? "ascending" : "descending";
    expect([head, /aria-sort="([a-z]*)"/.exec(section)?.[1]]).toEqual([head, way]);
    expect([head, readLinks(section).find((link) => link.includes(".csv"))]).toEqual([
      head,
      expect.stringContaining(`sort=${query.get("sort")}&direction=${query.get("direction")}`),
    ]);
  }
  expect(data.length).toBeGreaterThan(10);
});

test("each evidence link opens the counted answers", async () => {
  const { data } = await rest("?limit=100");
  const kinds = new Map<string, Row>((data as Row[]).map((action) => [action["rule"], action]));
  expect([...kinds.keys()].toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
    "cited_source",
    "competitor_present",
    "failed_check",
    "frequent_con",
    "wrong_fact",
  ]);
  for (const [rule, { id }] of kinds) {
    const { evidence } = await rest(`/${id}`);
    const { text } = await s.page(`/actions/${s.place}/${id}`);
    const section = findSection(text, "why");
    const links = [...section.matchAll(/href="(\/[^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&#38;", "&"));
    const open = await Promise.all([...new Set(links)].map(async (link) => (await s.page(link)).status));
    expect([rule, open.length > 0, new Set(open)]).toEqual([rule, true, new Set([200])]);
    const answers = new Set((evidence as Row[]).slice(0, 50).flatMap((row) => row["answer_ids"] as string[]));
    const opened = new Set(links.map((link) => link.split("/").at(-1) ?? "").filter((one) => answers.has(one)));
    expect([rule, opened]).toEqual([rule, answers]);
  }
  const { id: site, analysis_id: analysis } = kinds.get("cited_source") ?? {};
  const { evidence } = await rest(`/${site}`);
  const { text } = await s.page(`/actions/${s.place}/${site}`);
  const [, href = ""] = /href="(\/sources\/[^"]*)"/.exec(findSection(text, "why")) ?? [];
  const { text: sites } = await s.page(href.replaceAll("&#38;", "&"));
  const of = {
    group_by: "page",
    domain: evidence[0].domain,
    sources: evidence[0].source,
    collect_id: evidence[0].collect_id,
  };
  const { body } = await s.reader.get(
    `/v1/organizations/${s.place.replace("/", "/workspaces/")}/analyses/${analysis}/metrics/citations?${new URLSearchParams({ ...of, limit: "25" }).toString()}`,
  );
  expect(
    readBodyRows(findSection(sites, "sites")).map((row) => shownText(/<th[\s\S]*?<\/th>/.exec(row)?.[0] ?? "")),
  ).toEqual(body.data.map(({ url }: Row) => url));
});
