import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { signedInBrowser } from "../support/assistant.ts";
import { insertActionScene, fullEvidence } from "../support/action-scene.ts";
import { parseCsv } from "../console/read-metrics.ts";
import { alertText } from "../support/alert-text.ts";
import { consoleScene, shownText, tableRows } from "./console-scene.ts";
import { insertLargeAudit } from "./large-audit.ts";
import { HOSTILE, NO_ANSWER, SITE } from "./scene-pages.ts";

interface Counts {
  title: string;
  pass: number;
  warn: number;
  fail: number;
  skipped: number;
}
interface Listed {
  url: string;
  score: number | null;
  crawlability: number | null;
  semantic: number | null;
  content: number | null;
  failed: string[];
  warned: string[];
  changes: unknown[];
}

const ofCheck = (rows: string[][]) => rows.map(([title, , , ...counts]) => [title, ...counts.map(Number)]);
const csvCell = (value: string | number | string[] | null | undefined) =>
  typeof value === "object" ? (value?.join("; ") ?? "") : String(value ?? "");
const orDash = (value: number | null) => String(value ?? "–");

test("metrics on an audit's page equal REST", async () => {
  await using s = await consoleScene();
  const { status, text } = await s.browser.get(s.audit);
  const { body: audit } = await s.owner.get(`${s.path}/audit`);
  const { body: pages } = await s.owner.get(`${s.path}/pages`);
  expect(status).toBe(200);
  const shown = shownText(text);
  const scores = [...shown.matchAll(/(\d+) of 100 (\S[^?]*?) Rests on (\d+) checks/g)].map(([, ...found]) => found);
  expect(scores).toEqual([
    ["73", "Down 7 from 80 in run 1", "2"],
    ["61", "As in run 1", "4"],
    ["81", "Not comparable with run 1", "3"],
  ]);
  expect(scores.map(([score, , checks]) => [Number(score), Number(checks)])).toEqual(
    audit.scores.map((one: { score: number; checks: number }) => [one.score, one.checks]),
  );
  const { audited, fail, warn, pass, skipped } = audit.pages;
  expect(shown).toContain(
    `Pages checked ${audited} With a failed check ${fail} With warnings only ${warn} No issues ${pass} Skipped ${skipped} `,
  );
  const inTables = ["Checks that failed or have a warning", "Checks without a failure or warning"].flatMap((region) =>
    ofCheck(tableRows(text, region)),
  );
  expect(inTables).toEqual(audit.checks.map((one: Counts) => [one.title, one.fail, one.warn, one.pass, one.skipped]));
  const figures = tableRows(text, "List of pages").map(([, , , ...figure]) => figure);
  expect(figures).toEqual(
    pages.data.map((one: Listed) => [
      ...[one.score, one.crawlability, one.semantic, one.content].map(orDash),
      ...[one.failed, one.warned, one.changes].map(({ length }) => String(length)),
    ]),
  );
  expect(tableRows(text, "Checks that changed")).toEqual([
    ["The page has one h1", "1", "1"],
    ["The title has a suitable length", "0", "1"],
  ]);
  expect(shown).toContain("before: Passed robots.txt refuses 2 crawlers of answer engines.");
});

test("the summary leads with the costliest checks, and its CSV files equal REST", async () => {
  await using s = await consoleScene();
  const { text } = await s.browser.get(s.audit);
  const { body: audit } = await s.owner.get(`${s.path}/audit`);
  const first = /<section class="panel" aria-labelledby="first">[\s\S]*?<\/section>/.exec(text)?.[0] ?? "";
  const costly = (audit.checks as (Counts & { weight: number })[]).filter(
    ({ fail, warn, weight }) => fail + warn > 0 && weight > 0,
  );
  expect([...first.matchAll(/<h3>([^<]*)</g)].map(([, title]) => title)).toEqual(
    costly.slice(0, 5).map(({ title }) => title),
  );
  expect(text.indexOf('id="first"')).toBeLessThan(text.indexOf('id="changes"'));
  const links = [...first.matchAll(/href="([^"]*outcome=[^"]*)"/g)].map(([, href = ""]) =>
    href.replaceAll("&#38;", "&"),
  );
  const listed = await Promise.all(
    links.map(async (href) => {
      const page = await s.browser.get(new URL(href, s.audit).href);
      return tableRows(page.text, "List of pages").length;
    }),
  );
  expect(listed).toEqual(costly.slice(0, 5).flatMap(({ fail, warn }) => [fail, warn].filter((count) => count > 0)));

  const { body: pages } = await s.owner.get(`${s.path}/pages?outcome=fail&sort=url`);
  const { body: byFailures } = await s.owner.get(`${s.path}/pages?sort=failed&sort_direction=asc`);
  const files = {
    "pages.csv?outcome=fail&sort=url": pages.data,
    "pages.csv?sort=failed&direction=asc": byFailures.data,
    "checks.csv": audit.checks,
    "checks.csv?checks_sort=pass": audit.checks.toSorted((a: Counts, b: Counts) => b.pass - a.pass),
  };
  for (const [file, rows] of Object.entries(files) as [string, Record<string, string | number | string[] | null>[]][]) {
    const { text: csv, status } = await s.browser.get(`${s.audit}/${file}`);
    const [head = "", ...lines] = csv.trim().split("\r\n");
    const columns = head.slice(1, -1).split('","');
    expect([file, status, lines.map((line) => line.slice(1, -1).split('","'))]).toEqual([
      file,
      200,
      rows.map((row) => columns.map((column) => csvCell(row[column]))),
    ]);
    expect(lines.length).toBeGreaterThan(0);
  }
});

test("tables of pages, checks and changes sort independently by column, in both directions", async () => {
  await using s = await consoleScene();
  const heads = async (address: string, region: string) => {
    const { text } = await s.browser.get(new URL(address, s.audit).href);
    const [table = ""] = new RegExp(`aria-label="${region}"[\\s\\S]*?</thead>`).exec(text) ?? [];
    const links = table.matchAll(/<th[^>]*>\s*<a\s+href="([^"]*)"\s*>([^<]*)/g);
    return {
      to: new Map([...links].map(([, href = "", name = ""]) => [name.trim(), href.replaceAll("&#38;", "&")])),
      sorted: /aria-sort="([^"]*)"/.exec(table)?.[1],
      rows: tableRows(text, region),
    };
  };
  const start = `${s.audit}?run=${s.runs.second}&checks_sort=pass`;
  const usual = await heads(start, "List of pages");
  const columns = ["Page", "Type", "Outcome", "Score", "Crawlability", "Semantics", "Content"];
  expect([[...usual.to.keys()], usual.sorted]).toEqual([
    [...columns, "Failed checks", "Warnings", "Changed checks"],
    "ascending",
  ]);
  for (const [name, to] of usual.to) {
    const query = new URL(to, s.audit).searchParams;
    const [sort, direction] = [query.get("sort"), query.get("direction")];
    const { body } = await s.owner.get(`${s.path}/pages?sort=${sort}&sort_direction=${direction}`);
    const sorted = await heads(to, "List of pages");
    const way = direction === "asc" ? "ascending" : "descending";
    const addresses = body.data.map(({ url }: Listed) => url.replace(SITE, ""));
    expect([name, sorted.sorted, sorted.rows.map(([page = ""]) => page.split(" ")[0])]).toEqual([name, way, addresses]);
    expect([name, new URL(sorted.to.get(name) ?? "", s.audit).searchParams.get("direction")]).toEqual([
      name,
      direction === "asc" ? "desc" : "asc",
    ]);
    expect([name, query.get("run"), query.get("checks_sort")]).toEqual([name, s.runs.second, "pass"]);
  }
  const { body: audit } = await s.owner.get(`${s.path}/audit`);
  const checks = await heads(start, "Checks of pages");
  expect([checks.sorted, ofCheck(checks.rows).map(([title]) => title)]).toEqual([
    "descending",
    audit.checks.toSorted((a: Counts, b: Counts) => b.pass - a.pass).map(({ title }: Counts) => title),
  ]);
  const changed = await heads(`${s.audit}?changes_sort=broken&changes_direction=asc`, "Checks that changed");
  expect([[...changed.to.keys()], changed.sorted, changed.rows.map(([, , broken]) => broken)]).toEqual([
    ["Check", "Pages fixed", "Pages broken"],
    "ascending",
    ["1", "1"],
  ]);
});

test("the list of audits is sorted by its heads, and is a file with the values of REST", async () => {
  await using s = await consoleScene();
  await s.w.store.write((db) => insertLargeAudit(db, { ...s.ids, userId: s.owner.id, newId: s.w.deps.newId }, 3));
  const list = s.audit.split("/").slice(0, -1).join("/");
  for (const [order, query] of Object.entries({
    "": "",
    "?sort=name&direction=desc": "&sort=name&sort_direction=desc",
    "?sort=created_at&direction=desc": "&sort=created_at&sort_direction=desc",
  })) {
    const { data } = (await s.owner.get(`${s.workspace.path}/analyses?type=geo_audit${query}`)).body;
    const { text } = await s.browser.get(list + order);
    const names = (data as { name: string }[]).map(({ name }) => name);
    expect([order, tableRows(text, "Audits of this workspace").map(([name]) => name)]).toEqual([order, names]);
    const { text: csv } = await s.browser.get(`${list}/audits.csv${order}`);
    const audits = await Promise.all(
      (data as { id: string }[]).map(
        async ({ id }) => (await s.owner.get(`${s.workspace.path}/analyses/${id}/audit`)).body,
      ),
    );
    const expected = audits.map((audit, at) => {
      const scores = audit.scores.map(({ score }: { score: number | null }) => score ?? "");
      const { audited, skipped, pass, warn, fail } = audit.pages;
      const { id, name, status, created_at: created } = data[at];
      const { number, status: ended, started_at: started } = audit.run;
      return [id, name, status, created, number, ended, started, ...scores, audited, skipped, pass, warn, fail].map(
        String,
      );
    });
    expect([order, parseCsv(csv).slice(1)]).toEqual([order, expected]);
    expect(expected.length).toBe(2);
  }
});

test("a page of the audit shows every check with where, how to fix it, how well it is known and its source", async () => {
  await using s = await consoleScene();
  const { text } = await s.browser.get(s.pageAt("machine"));
  const { body: page } = await s.owner.get(`${s.path}/pages/${s.pages.machine}`);
  const cards = [...text.matchAll(/<li class="item finding">([\s\S]*?)<\/li>/g)].map(([, card = ""]) => card);
  expect(cards.map((card) => shownText(/<h3>[\s\S]*?<\/h3>/.exec(card)?.[0] ?? "")).toSorted()).toEqual(
    page.checks.map(({ title }: { title: string }) => title).toSorted(),
  );
  for (const check of page.checks) {
    const card = cards.find((one) => shownText(one).startsWith(check.title)) ?? "";
    expect(shownText(card)).toContain(check.message);
    for (const { excerpt, line } of check.evidence)
      expect(shownText(card)).toContain(`From the page, line ${line} ${excerpt}`);
    expect(shownText(card)).toContain(check.how_to_fix === null ? "no longer made" : `: ${check.how_to_fix}`);
    const [, source] = /href="([^"]*)" rel="noopener noreferrer">/.exec(card) ?? [];
    expect(source).toBe(check.source?.url);
  }
  expect(shownText(text)).toContain("Failed: 2 · Warning: 1 · Passed: 1 · Skipped: 1");
  expect(shownText(text)).toContain("Type category, 40 % sure");
  expect(shownText(text)).toContain(`Redirected to ${SITE}/machines/one/`);
  expect(shownText(text)).toContain("The page has one h1 . Before: Passed; now: Failed.");
});

test("page filters and paging are links that keep filters, and an invalid filter is shown next to the input", async () => {
  await using s = await consoleScene();
  const addressesAt = async (query: string) =>
    tableRows((await s.browser.get(`${s.audit}?${query}`)).text, "List of pages").map(([address]) => address);
  expect(await addressesAt("outcome=skipped")).toEqual(["/old"]);
  expect(await addressesAt("check=one_h1&outcome=pass")).toEqual(["/guides/milk", "/ “Kestrova espresso machines”"]);
  expect(await addressesAt("type=home&min_score=90&max_score=95")).toEqual(["/ “Kestrova espresso machines”"]);
  expect(await addressesAt(`sort=changes&run=${s.runs.second}`)).toHaveLength(4);
  const none = await s.browser.get(`${s.audit}?max_score=5`);
  expect(shownText(none.text)).toContain("No page fits these filters.");
  const wrong = await s.browser.get(`${s.audit}?outcome=fail&min_score=101`);
  expect(wrong.status).toBe(400);
  expect(wrong.text).toMatch(/role="alert"[^<]*Score from must be a whole number from 0 to 100\./);
  for (const query of ["cursor=x", "check=one_h2", "type=shop&max_score=x"]) {
    const { status, text } = await s.browser.get(`${s.audit}?${query}`);
    expect([query, status, text.match(/role="alert"/g)?.length]).toEqual([query, 400, 1]);
  }
  expect(wrong.text).toContain('value="101"');
  expect(wrong.text).toMatch(/<option value="fail"\s+selected/);

  const large = await s.w.store.write((db) =>
    insertLargeAudit(db, { ...s.ids, userId: s.owner.id, newId: s.w.deps.newId }, 30),
  );
  const start = s.audit.replace(s.analysisId, large.analysisId);
  const seen: (string | undefined)[] = [];
  let page = await s.browser.get(`${start}?outcome=fail&sort=url`);
  for (let pages = 1; ; pages += 1) {
    seen.push(...tableRows(page.text, "List of pages").map(([address]) => address?.split(" ")[0]));
    const [, next] = /href="([^"]*)#pages">Next</.exec(page.text) ?? [];
    if (next === undefined || pages > 3) break;
    page = await s.browser.get(s.w.config.baseUrl + next.replaceAll("&#38;", "&"));
  }
  expect(page.text).toMatch(/outcome=fail&#38;sort=url#pages"\s*>First</);
  expect([seen.length, new Set(seen).size]).toEqual([31, 31]);
}, 20_000);

test("an audit without metrics states why: new, in progress, nothing to check", async () => {
  await using fresh = await consoleScene({ isNew: true });
  expect(shownText((await fresh.browser.get(fresh.audit)).text)).toContain("No run has completed yet.");
  await using begun = await consoleScene({ isNew: true, isUnderWay: true });
  const underWay = await begun.browser.get(begun.audit);
  expect(underWay.text).toContain('<progress max="4" value="1"');
  expect(shownText(underWay.text)).toContain("Run 3 is in progress 1 of 4 pages done.");
  expect(shownText(underWay.text)).not.toMatch(/Scores|No run/);
  const soFar = await begun.browser.get(`${begun.audit}?run=${begun.runs.third}`);
  expect(tableRows(soFar.text, "List of pages").map(([address]) => address)).toEqual([
    "/ “Kestrova espresso machines”",
  ]);

  await using s = await consoleScene();
  const skipped = await s.browser.get(s.pageAt("silent"));
  expect(shownText(skipped.text)).toContain(`This page was not checked. ${NO_ANSWER}`);
  expect(skipped.text).not.toContain('id="scores"');
  await s.w.store.write(async ({ q, t }) => {
    const [run] = await q
      .select({ summary: t.audits.summary })
      .from(t.audits)
      .where(eq(t.audits.collectId, s.runs.second));
    if (!run?.summary) throw new Error("the run has no summary");
    const nothing = { score: null, checks: 0 };
    const none = {
      ...run.summary,
      pages: { audited: 0, skipped: 4 },
      scores: { crawlability: nothing, semantic: nothing, content: nothing },
      checks: {},
      worst: [],
    };
    await q.update(t.audits).set({ summary: none }).where(eq(t.audits.collectId, s.runs.second));
    await q.update(t.collects).set({ status: "failed" }).where(eq(t.collects.id, s.runs.second));
  });
  const failed = shownText((await s.browser.get(s.audit)).text);
  expect(failed).toContain("No page could be checked, so there are no scores.");
  expect(failed).toContain(`1 page: ${NO_ANSWER}`);
});

test("a simulated audit is marked on each page, and links to no invented address", async () => {
  await using s = await consoleScene({ isSimulated: true });
  for (const address of [s.audit, `${s.audit}?run=${s.runs.first}`, s.pageAt("machine")]) {
    const { text } = await s.browser.get(address);
    expect([address, text.match(/Simulated: the site is a bundled example/g)?.length]).toEqual([address, 1]);
    expect(text).not.toContain(`href="${SITE}`);
  }
});

test("an editor sets a page type: it shows immediately, an invalid one returns a remedy, and viewers are denied", async () => {
  // Attack: a form posted by another site, a viewer, or another organization.
  await using s = await consoleScene();
  const address = s.pageAt("machine");
  const page = await s.browser.get(address);
  const saved = await s.browser.submit(page, { action: /\/type$/, fill: { page_type: "product" } });
  expect([saved.status, /role="status"[^<]*Saved/.test(saved.text)]).toEqual([200, true]);
  expect(saved.text).toMatch(/<option value="product"\s+selected/);
  const typeOf = async () => (await s.owner.get(`${s.path}/pages/${s.pages.machine}`)).body.type_corrected;
  expect(await typeOf()).toBe("product");
  const wrong = await s.browser.post(`${address}/type`, new URLSearchParams({ page_type: "shop" }));
  expect([wrong.status, alertText(wrong.text), await typeOf()]).toEqual([
    400,
    "Page type must be one of article, product, category, comparison, documentation, home, other.",
    "product",
  ]);
  const foreign = await fetch(`${address}/type`, {
    method: "POST",
    headers: { cookie: s.browser.cookieHeader(new URL(address)), origin: "https://evil.test" },
    body: new URLSearchParams({ page_type: "home" }),
  });
  expect([foreign.status, await typeOf()]).toEqual([403, "product"]);
  await s.w.signIn("viewer@acme.test", { organizationId: s.organization.id, role: "viewer" });
  const viewer = await signedInBrowser(s.w, "viewer@acme.test");
  const looked = await viewer.get(address);
  expect([looked.status, looked.text.includes('name="page_type"')]).toEqual([200, false]);
  expect((await viewer.post(`${address}/type`, new URLSearchParams({ page_type: "home" }))).status).toBe(403);
  await s.w.signIn("mallory@rival.test");
  const mallory = await signedInBrowser(s.w, "mallory@rival.test");
  for (const path of [s.audit, address]) expect((await mallory.get(path)).status).toBe(404);
  expect((await mallory.post(`${address}/type`, new URLSearchParams({ page_type: "home" }))).status).toBe(404);
  const back = await s.browser.submit(saved, { action: /\/type$/, fill: { page_type: "" } });
  expect([back.status, await typeOf()]).toEqual([200, null]);
});

test("shows text of audited pages escaped, marked as untrusted, and without effect", async () => {
  // Attack: markup, instructions and bidirectional characters in titles, addresses and excerpts.
  await using s = await consoleScene();
  const markup =
    '"><script>alert(1)</script></bdi></figure></main><img src=x onerror=alert(1)><form action=//evil.test>';
  await s.w.store.write(async ({ q, t }) => {
    await q.update(t.auditPages).set({ title: `\u202E${markup}`, skippedReason: null });
    await q
      .update(t.questions)
      .set({ text: `${SITE}/x?${markup}` })
      .where(eq(t.questions.id, s.pages.machine));
    await q
      .update(t.questions)
      .set({ text: `javascript:alert(1)//${markup}` })
      .where(eq(t.questions.id, s.pages.home));
    const evidence = [{ excerpt: markup + HOSTILE, line: 3 }];
    const found = { check: "one_h1", outcome: "fail" as const, message: "The page has 2 h1 elements.", evidence };
    await q.update(t.auditFindings).set({ findings: [found] });
    await q.update(t.audits).set({ findings: [{ ...found, check: "search_crawlers" }] });
  });
  const forms = /<form method="post" action="\/sign-out">/g;
  for (const address of [s.audit, s.pageAt("machine"), s.pageAt("home")]) {
    const { status, text } = await s.browser.get(address);
    expect([status, /<script|<img|href="javascript:|evil\.test>(?!;)|\u202E/.test(text)]).toEqual([200, false]);
    expect([text.match(/<\/main>/g)?.length, text.match(forms)?.length]).toEqual([1, 1]);
    expect(shownText(text)).toMatch(/From the (page|site), line 3/);
  }
});

test("the list of audits and the settings lead to each, and an analysis of another kind has no such page", async () => {
  await using s = await consoleScene();
  const { pathname } = new URL(s.audit);
  for (const list of ["/settings", pathname.split("/").slice(0, -1).join("/")]) {
    const { status, text } = await s.browser.get(`${s.w.config.baseUrl}${list}`);
    expect([list, status, text.includes(`<a href="${pathname}"><bdi>Shop audit</bdi></a>`)]).toEqual([list, 200, true]);
  }
  await s.w.store.write((db) => db.q.update(db.t.analyses).set({ type: "search_analysis" }));
  expect((await s.browser.get(s.w.config.baseUrl)).text).not.toContain(pathname);
  expect((await s.browser.get(s.audit)).status).toBe(404);
  expect((await s.browser.get(s.pageAt("home"))).status).toBe(404);
});

test("an action's audit evidence names pages and findings, with links", async () => {
  // Fault: a domain, "all sources", 1 and 0, once for each page.
  await using s = await consoleScene();
  const none = { brand: null, brand_id: null, brand_occurrences: null, keyword: null, topic: null, source: null };
  const audit = { check: "one_h1", page_id: null, outcome: "fail" as const, message: null, excerpt: null, line: null };
  const used = { cited_in: 4, read_for: 2 };
  const row = { ...fullEvidence(s.w.deps.newId, 0), ...none, domain: "kestrova.example", answers: 3, occurrences: 1 };
  const message = "The page has 2 h1 elements.";
  const evidence = [
    { ...row, url: null, audit: { ...audit, ...used } },
    {
      ...row,
      url: `${SITE}/machines/one`,
      audit: { ...audit, ...used, page_id: s.pages.machine, message, excerpt: "<h1>One</h1>", line: 7 },
    },
    {
      ...row,
      url: "https://rival.example/",
      brand: "Rival",
      brand_occurrences: 1,
      audit: { ...audit, ...used, page_id: s.w.deps.newId(), outcome: "pass" as const, message: null },
    },
  ];
  const made = await insertActionScene(
    s.w,
    { ...s.ids, userId: s.owner.id },
    { action: { evidence, evidenceCount: 3 } },
  );
  const { organizationId, workspaceId } = s.ids;
  const { text } = await s.browser.get(
    `${s.w.config.baseUrl}/actions/${organizationId}/${workspaceId}/${made.resultId}`,
  );
  expect(tableRows(text, "Evidence of the audit")).toEqual([
    ["kestrova.example", "1 of 3 pages pass", "4", "2"],
    [`${SITE}/machines/one`, `Failed ${message} From the page, line 7 <h1>One</h1>`, "4", "2"],
    ["https://rival.example/ of Rival", "Passed", "4", "2"],
  ]);
  const leads = new RegExp(`href="/audits/${organizationId}/${workspaceId}/${made.analysisId}/${s.pages.machine}"`);
  expect([leads.test(text), text.includes("all sources")]).toEqual([true, false]);
});
