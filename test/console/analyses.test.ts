import { expect, test } from "vitest";
import { alertText } from "../support/alert-text.ts";
import { signedInBrowser } from "../support/assistant.ts";
import { shownText } from "../audits/console-scene.ts";
import { collectScene } from "../collecting/scene.ts";
import { demoConsole, readMetricValues, readBodyRows } from "./demo-console.ts";
import { failCollect, insertRunningCollect } from "../../proofs/tour/collects.ts";
import { parseCsv, readLinks } from "./read-metrics.ts";
import { MONDAY, NO_WORKER, openAnalysisPage } from "./analyses-cases.ts";

const WEEKLY = { schedule: "weekly", ends_at: "2026-11-30T08:00:00.000Z", sources: ["ASSISTANT_B"] };

const doneText = (text: string) => /class="done" role="status">([^<]*)</.exec(text)?.[1];

const formsOf = (text: string) =>
  [...text.matchAll(/<form method="post" action="[^"]*\/(\w+)"/g)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "out");

test("the list has every analysis with type, status, kind, schedule, collects and cost, and narrows to some", async () => {
  await using s = await demoConsole();
  const { text } = await s.page(`/analyses/${s.place}`);
  const rows = readBodyRows(text);
  const { data } = (await s.reader.get(`/v1/organizations/${s.place.replace("/", "/workspaces/")}/analyses`)).body;
  expect(rows.map((row) => /href="[^"]*\/([^"/]*)"/.exec(row)?.[1])).toEqual(data.map(({ id }: { id: string }) => id));
  const own = rows.find((row) => row.includes(s.analysis.id)) ?? "";
  const [last] = (await s.rest("/collects", { limit: "1" })).data;
  expect(shownText(own)).toMatch(
    new RegExp(`^${s.analysis.name} Search analysis live simulated weekly on .* ${last.number}: completed none `),
  );
  expect(readMetricValues(own)).toEqual([last.cost.spent_credits, 0]);
  const audits = readBodyRows((await s.page(`/analyses/${s.place}?type=geo_audit`)).text);
  expect(audits.map(shownText)).toEqual([expect.stringMatching(/ GEO audit live simulated once /)]);
  expect(shownText((await s.page(`/analyses/${s.place}?status=paused`)).text)).toContain(
    "No analysis has this type and status.",
  );
  // Every page of figures leads there.
  for (const part of ["visibility", "prompts", "answers", "sources", "brands", "audits"]) {
    expect((await s.page(`/${part}/${s.place}`)).text).toContain(`href="/analyses/${s.place}"`);
  }
}, 90_000);

test("after a failed collect, the list shows how earlier answers were collected, and Visibility its collects", async () => {
  // Fault: the page said that there were no answers, and Visibility hid the failure.
  await using s = await demoConsole();
  const { planned } = (await s.rest("/collects", { limit: "1" })).data[0];
  const collectId = await insertRunningCollect(s);
  const failure = `Run 7 failed: none of its ${planned} answers arrived. Figures are from earlier runs.`;
  const visibility = async () => shownText((await s.page(`/visibility/${s.place}`)).text);
  expect(await visibility()).toContain("Run 7 is in progress");
  expect(await visibility()).not.toContain(failure);
  await failCollect(s, collectId);
  expect(await visibility()).toContain(failure);
  const own =
    readBodyRows((await s.page(`/analyses/${s.place}`)).text).find((row) => row.includes(s.analysis.id)) ?? "";
  expect(shownText(own)).toMatch(
    new RegExp(`^${s.analysis.name} Search analysis live simulated weekly on .* 7: failed none `),
  );
}, 120_000);

test("the list is sorted by its heads in the order of its endpoint, which pages neither skip nor repeat, and its file follows", async () => {
  await using s = await collectScene({ now: () => MONDAY });
  const paths: string[] = [];
  for (const setup of [WEEKLY, {}, WEEKLY, {}])
    paths.push(await s.create(["phone"], { sources: ["ASSISTANT_B"], ...setup }));
  for (const [at, name] of ["B", "A", "C", "A"].entries()) await s.owner.patch(paths[at] ?? "", { name });
  await Promise.all(paths.map((path) => s.ended(path)));
  await s.owner.post(`${paths[0]}/pause`);
  const ids = paths.map((path) => path.split("/").at(-1) ?? "");
  const [first, second, third, fourth] = ids as [string, string, string, string];
  const { data } = (await s.owner.get(`${s.workspace.path}/analyses`)).body;
  const next = (data as { next_collect_at: string | null }[]).map(({ next_collect_at: at }) => at !== null);
  expect(next).toEqual([true, false, true, false]);
  const orders: Readonly<Record<string, readonly string[]>> = {
    "sort=name": [second, fourth, first, third],
    "sort=name&direction=desc": [third, first, second, fourth],
    "sort=status&direction=desc": [first, second, third, fourth],
    "sort=next_collect_at": [first, third, second, fourth],
    "sort=next_collect_at&direction=desc": [first, third, second, fourth],
    "sort=created_at&direction=desc": ids.toReversed(),
  };
  const browser = await signedInBrowser(s, s.owner.email);
  const page = `${s.config.baseUrl}/analyses/${s.organization.id}/${s.workspace.id}`;
  for (const [order, expected] of Object.entries(orders)) {
    const seen: string[] = [];
    for (let cursor = ""; ;) {
      const query = order.replace("direction", "sort_direction");
      const { body } = await s.owner.get(`${s.workspace.path}/analyses?limit=1&${query}${cursor}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect([order, seen]).toEqual([order, expected]);
    const { text } = await browser.get(`${page}?${order}`);
    expect([order, readBodyRows(text).map((row) => /href="[^"]*\/([^"/]*)"/.exec(row)?.[1])]).toEqual([
      order,
      expected,
    ]);
    expect([order, /aria-sort="([a-z]*)"/.exec(text)?.[1]]).toEqual([
      order,
      order.endsWith("desc") ? "descending" : "ascending",
    ]);
    const file = readLinks(text).find((link) => link.includes(".csv")) ?? "";
    const { text: csv } = await browser.get(s.config.baseUrl + file);
    expect([
      file,
      parseCsv(csv)
        .slice(1)
        .map(([id]) => id),
    ]).toEqual([file, expected]);
  }
});

test("an editor runs a collect: price, then confirmation, which runs one collect however often it is sent", async () => {
  await using s = await collectScene({ now: () => MONDAY });
  const analysis = await s.create(["phone 0", "phone 1"], WEEKLY);
  await s.ended(analysis);
  const at = await openAnalysisPage(s, analysis);
  const priced = await at.press("price");
  expect(shownText(priced.text)).toContain('Collect "Phones" once more, now? Questions: 2 questions, as in its setup');
  expect(shownText(priced.text)).toContain("simulated: answers are invented");
  expect((await s.credits()).reserved).toBe(8);
  // Back, reload and double press send the same confirmation.
  for (let sent = 0; sent < 2; sent++) {
    const done = await at.browser.submit(priced, { action: /\/run$/ });
    expect([done.status, doneText(done.text)]).toEqual([200, "The run has started."]);
  }
  expect((await s.ended(analysis, 2)).cost).toEqual({ reserved_credits: 0, spent_credits: 2 });
  expect((await s.owner.get(`${analysis}/collects`)).body.data).toHaveLength(2);
});

test("an expired price starts nothing, says so, and is renewed with one press", async () => {
  let now = MONDAY;
  await using s = await collectScene({ now: () => now });
  const analysis = await s.create(["phone"], { sources: ["ASSISTANT_B"] });
  await s.ended(analysis);
  const at = await openAnalysisPage(s, analysis);
  const priced = await at.press("price");
  now = "2026-11-02T08:16:00.000Z";
  const late = await at.browser.submit(priced, { action: /\/run$/ });
  const says = "The price is more than 15 minutes old, so nothing was started and nothing spent. Show the price again.";
  expect([late.status, alertText(late.text)]).toEqual([409, says]);
  const reloaded = await at.browser.get(priced.url);
  expect([reloaded.status, alertText(reloaded.text)]).toEqual([409, says]);
  const again = await at.browser.submit(late, { action: /\/price$/ });
  expect(shownText(again.text)).toContain("Run it for 1 credit");
  const owner = await s.signInAgain();
  expect((await owner.get(`${analysis}/collects`)).body.data).toHaveLength(1);
});

test("an editor pauses, resumes, renames and archives; a stale page shows the current state, and viewers have no buttons", async () => {
  await using s = await collectScene({ now: () => MONDAY, env: NO_WORKER });
  const analysis = await s.create(["phone"], WEEKLY);
  const at = await openAnalysisPage(s, analysis);
  const stale = await at.open();
  expect(formsOf(stale.text)).toEqual(["pause", "archive", "rename"]);
  expect(shownText(stale.text)).toContain("Run 1 is waiting to start");
  expect(doneText((await at.press("pause")).text)).toContain("Paused.");
  const refused = await at.browser.submit(stale, { action: /\/pause$/ });
  expect([refused.status, alertText(refused.text)]).toEqual([
    409,
    "The analysis is paused. It collects again once it is resumed.",
  ]);
  expect(doneText((await at.press("resume")).text)).toBe("Resumed.");
  const renamed = await at.press("rename", { name: "Phones <b> in assistants" });
  expect([doneText(renamed.text), shownText(renamed.text)]).toEqual([
    "Renamed.",
    expect.stringContaining("Phones <b> in assistants Search analysis"),
  ]);
  const unnamed = await at.press("rename", { name: " " });
  expect([unnamed.status, /name="name"[^>]*value="([^"]*)"/.exec(unnamed.text)?.[1]]).toEqual([400, " "]);

  await s.signIn("viewer@acme.test", { organizationId: s.organization.id, role: "viewer" });
  const viewer = await openAnalysisPage(s, analysis, "viewer@acme.test");
  const seen = (await viewer.open()).text;
  expect([formsOf(seen), seen.includes("Only editors of this workspace")]).toEqual([[], true]);
  const sent = await viewer.browser.post(`${viewer.at}/${viewer.id}/pause`, new URLSearchParams());
  expect([sent.status, (await s.owner.get(analysis)).body.status]).toEqual([403, "launching"]);

  expect(stale.text).toMatch(
    /<details class="ask">[\s\S]*?This is final\.[\s\S]*?\/archive|\/archive[\s\S]*?This is final\./,
  );
  expect(doneText((await at.press("archive")).text)).toContain("their credits released");
  expect(formsOf((await at.open()).text)).toEqual([]);
  expect((await s.credits()).reserved).toBe(0);
});
