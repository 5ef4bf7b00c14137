import { v7 as uuidv7 } from "uuid";
import { expect, test } from "vitest";
import type { Visit } from "../../examples/browser.ts";
import { renderMarkdown } from "../../src/http/pages/markdown.ts";
import { signedInBrowser } from "../support/assistant.ts";
import { alertText } from "../support/alert-text.ts";
import { tableRows } from "../audits/console-scene.ts";
import { fullEvidence, insertActionScene } from "../support/action-scene.ts";
import { readAllFields, findForms } from "../forms/page-forms.ts";
import { sceneWithPartner } from "../partner/scene.ts";
import { world } from "../support/world.ts";

/** A workspace with an action, and where its page is. */
async function withAction(change: Parameters<typeof insertActionScene>[2] = {}) {
  const w = await world();
  const { owner, organization, workspace } = await w.acme();
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  const made = await insertActionScene(w, ids, change);
  const action = `${w.config.baseUrl}/actions/${organization.id}/${workspace.id}/${made.resultId}`;
  return { w, owner, organization, workspace, action, brief: `${action}/${made.taskId}`, made };
}

test("a viewer sees the brief without forms; members of other organizations get 404", async () => {
  const s = await withAction();
  await using w = s.w;
  await w.signIn("viewer@acme.test", { organizationId: s.organization.id, role: "viewer" });
  const viewer = await signedInBrowser(w, "viewer@acme.test");
  const page = await viewer.get(s.brief);
  expect([
    page.status,
    page.text.includes("<h3>A page</h3>"),
    /action="\/actions\/[^"]*\/(edit|send)"/.test(page.text),
  ]).toEqual([200, true, false]);
  const forced = await viewer.post(`${s.action}/confirm`, new URLSearchParams());
  expect([forced.status, forced.text.includes('role="alert"')]).toEqual([403, true]);
  await w.signIn("mallory@rival.test");
  const mallory = await signedInBrowser(w, "mallory@rival.test");
  expect((await mallory.get(s.action)).status).toBe(404);
  expect((await mallory.post(`${s.action}/confirm`, new URLSearchParams())).status).toBe(404);
});

test("an editor connects and disconnects a workspace's content tool; its token is never shown", async () => {
  await using s = await sceneWithPartner();
  const { organization, workspace, owner, w } = s;
  await owner.delete(`${workspace.path}/platform-integrations/partner`);
  const browser = await signedInBrowser(w, owner.email);
  const address = `${w.config.baseUrl}/writers/${organization.id}/${workspace.id}`;
  const empty = await browser.get(address);
  const fill = { api_token: "a-token-of-the-writers-9876", partner_workspace_id: "demo", recipients: "nobody" };
  const refused = await browser.submit(empty, { action: /\/connect$/, fill });
  expect([refused.status, alertText(refused.text)]).toEqual([400, "Recipients: entry 1 must be an e-mail address."]);
  const recipients = "a@example.com\r\nb@example.com";
  const saved = await browser.submit(empty, { action: /\/connect$/, fill: { ...fill, recipients } });
  expect([saved.status, saved.text.includes("ends in 9876"), saved.text.includes(fill.api_token)]).toEqual([
    200,
    true,
    false,
  ]);
  const [connection] = (await owner.get(`${workspace.path}/platform-integrations`)).body.data;
  expect(connection).toMatchObject({ recipients: ["a@example.com", "b@example.com"], max_brief_length: 50_000 });
  const gone = await browser.submit(saved, { action: /\/disconnect$/ });
  expect(gone.text).toContain("Disconnected.");
  expect((await owner.get(`${workspace.path}/platform-integrations`)).body.data).toEqual([]);
  await w.signIn("viewer@acme.test", { organizationId: organization.id, role: "viewer" });
  expect((await (await signedInBrowser(w, "viewer@acme.test")).get(address)).status).toBe(403);
});

test("a dismissed action shows its reason, and can be reconsidered", async () => {
  const s = await withAction();
  await using w = s.w;
  const owner = await signedInBrowser(w, "owner@acme.test");
  const page = await owner.get(s.action);
  const fill = { reason: "not_feasible", comment: "No budget" };
  const dismissed = await owner.submit(page, { action: /\/dismiss$/, fill });
  expect(dismissed.text).toContain("No budget");
  const listed = await owner.get(`${w.config.baseUrl}/actions?status=dismissed`);
  expect(listed.text).toContain("Close a gap");
  const again = await owner.submit(dismissed, { action: /\/reconsider$/ });
  expect(again.text).toContain("The action is new again.");
});

test("several actions are dismissed at once with a reason; without selection the page says so and keeps input", async () => {
  const s = await withAction();
  await using w = s.w;
  const owner = await signedInBrowser(w, "owner@acme.test");
  const list = `${w.config.baseUrl}/actions?workspace=${s.workspace.id}&category=content`;
  const page = await owner.get(list);
  const fill = { reason: "deprioritised", comment: "Next year" };
  const none = await owner.submit(page, { action: /\/dismiss\?/, fill });
  expect([none.status, none.text.includes("Select the actions"), none.text.includes("Next year")]).toEqual([
    400,
    true,
    true,
  ]);
  const done = await owner.submit(page, { action: /\/dismiss\?/, fill: { ...fill, ids: s.made.resultId } });
  expect([done.url.searchParams.get("category"), done.text.includes("New runs will not bring them back.")]).toEqual([
    "content",
    true,
  ]);
  const { body } = await s.owner.get(`${s.workspace.path}/recommended-actions`);
  expect([body.status_counts, body.data[0].dismiss_reason, body.data[0].dismiss_comment]).toEqual([
    { new: 0, confirmed: 0, dismissed: 1 },
    "deprioritised",
    "Next year",
  ]);
  await w.signIn("viewer@acme.test", { organizationId: s.organization.id, role: "viewer" });
  const viewer = await signedInBrowser(w, "viewer@acme.test");
  expect((await viewer.get(`${list}&status=all`)).text).not.toContain('type="checkbox"');
  const forced = new URLSearchParams({
    organization_id: s.organization.id,
    workspace_id: s.workspace.id,
    ids: s.made.resultId,
    reason: "not_relevant",
  });
  expect((await viewer.post(`${w.config.baseUrl}/actions/dismiss`, forced)).status).toBe(403);
});

test("a brief downloads as saved, and its preview has the same text", async () => {
  const body = "Write **this**.\n\n- one <script>alert(1)</script>";
  const s = await withAction({ brief: { title: "A\npage", body } });
  await using w = s.w;
  const owner = await signedInBrowser(w, "owner@acme.test");
  const file = await owner.get(`${s.brief}/brief.md`);
  expect([file.status, file.headers.get("content-type"), file.headers.get("content-disposition"), file.text]).toEqual([
    200,
    "text/markdown; charset=utf-8",
    'attachment; filename="brief.md"',
    `# A page\n\n${body}\n`,
  ]);
  const { text } = await owner.get(s.brief);
  expect(text).toContain("<strong>this</strong>");
  expect(text).not.toMatch(/<script(?! src="\/assets)/);
  const [, shown = ""] = /<pre id="markdown"[^>]*>([\s\S]*?)<\/pre>/.exec(text) ?? [];
  expect(shown.replaceAll("&#60;", "<").replaceAll("&#62;", ">")).toBe(body);
  await w.signIn("mallory@rival.test");
  expect((await (await signedInBrowser(w, "mallory@rival.test")).get(`${s.brief}/brief.md`)).status).toBe(404);
});

test("the evidence of an action names sources as people do", async () => {
  // Fault: ASSISTANT_A on a page, and "assistant A" in its brief.
  const row = { ...fullEvidence(() => uuidv7(), 0), domain: null, keyword: "best machine", brand: "Rival" };
  const evidence = [
    { ...row, source: "ASSISTANT_A" as const },
    { ...row, source: null },
  ];
  const s = await withAction({ action: { evidence, evidenceCount: 2 } });
  await using w = s.w;
  const { text } = await (await signedInBrowser(w, "owner@acme.test")).get(s.action);
  const links = row.answer_ids.map((_, at) => `Answer ${at + 1}`).join(" ");
  expect(tableRows(text, "Evidence")).toEqual(
    ["ChatGPT", "all sources"].map((source) => ["best machine", source, "12", "1", "Rival", "11", links]),
  );
});

test("evidence of opinions has the wording, the cited page, counts and metrics", async () => {
  // Fault: a con was shown as "All questions", without wording, interval or origin.
  const con = {
    kind: "con" as const,
    about: "life",
    fact_id: null,
    prompts: 8,
    said: "short battery life",
    declared: null,
  };
  const none = { value: null, ci_low: null, ci_high: null, brand_value: null, brand_ci_low: null, brand_ci_high: null };
  const all = { ...fullEvidence(() => uuidv7(), 0), rule: "frequent_con" as const, domain: null, url: null };
  const row = {
    ...all,
    answers: 16,
    occurrences: 12,
    brand: null,
    brand_occurrences: null,
    source: null,
    keyword: null,
  };
  const links = row.answer_ids.map((_, at) => `Answer ${at + 1}`).join(" ");
  const said = "Acme has a <b>short</b> battery life.";
  const figures = { ...none, value: 0.75, ci_low: 0.6, ci_high: 0.88 };
  const camera = { ...con, ...figures, kind: "comparison" as const, about: "camera", said: null };
  const evidence = [
    { ...row, opinion: { ...con, ...figures } },
    { ...row, answers: 8, occurrences: 6, source: "ASSISTANT_A" as const, opinion: { ...con, ...none, value: 0.75 } },
    { ...row, answers: 9, occurrences: 9, url: "https://labs.example/", opinion: { ...con, ...none, said } },
    { ...row, answers: 2, occurrences: 2, keyword: "How good is it?", opinion: { ...con, ...none, value: 1 } },
    { ...row, brand: "Rival", brand_occurrences: 4, opinion: camera },
  ];
  const s = await withAction({ action: { evidence, evidenceCount: evidence.length } });
  await using w = s.w;
  const { text } = await (await signedInBrowser(w, "owner@acme.test")).get(s.action);
  expect(tableRows(text, "Evidence of what answers say")).toEqual([
    ["short battery life Answers that hold the con", "all sources", "12 of 16", "75 % (60 % to 88 %)", links],
    ["short battery life Answers that hold the con", "ChatGPT", "6 of 8", "75 %", links],
    [`https://labs.example/ cited in these answers From the answers ${said}`, "all sources", "9 of 9", "", links],
    ["How good is it?", "all sources", "2 of 2", "100 %", links],
    ["camera Answers that prefer you", "all sources", "12 of 16, 4 for Rival", "75 % (60 % to 88 %)", links],
  ]);
});

test("shows text of actions and briefs escaped", async () => {
  // Attack: markup and links in stored text, which came from answers and from the partner.
  const markup = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
  const s = await withAction({
    action: { actionLabel: markup, description: markup },
    brief: { title: markup, body: `</textarea>${markup}`, partnerBriefId: "1", partnerUrl: "javascript:alert(1)" },
  });
  await using w = s.w;
  const owner = await signedInBrowser(w, "owner@acme.test");
  for (const address of [`${w.config.baseUrl}/actions`, s.action, s.brief]) {
    const { status, text } = await owner.get(address);
    expect([status, /<script(?! src="\/assets)|<img|<\/textarea>&|href="javascript:/.test(text)]).toEqual([200, false]);
  }
});

test("names as formulas, in the other direction or as long as a book change no list and no download", async () => {
  // Attack: spreadsheet formulas, bidirectional characters, a label of ten thousand characters.
  const label = `=HYPERLINK("https://evil.example") \u202Egnp.evil ${"long ".repeat(2000)}`;
  const s = await withAction({ action: { actionLabel: label, description: "@SUM(1+1)", dismissComment: "-2+3" } });
  await using w = s.w;
  const owner = await signedInBrowser(w, "owner@acme.test");
  const { text } = await owner.get(`${w.config.baseUrl}/actions`);
  expect(text).not.toContain("\u202E");
  const file = await owner.get(
    `${w.config.baseUrl}/actions/${s.organization.id}/${s.workspace.id}/actions.csv?status=all`,
  );
  const [, line = ""] = file.text.trim().split("\r\n");
  const cells = line.slice(1, -1).split(/","/);
  expect([cells[1]?.slice(0, 12), cells[2], cells[15]?.length]).toEqual([`'=HYPERLINK(`, "'@SUM(1+1)", 24]);
  expect(cells[14]).toBe("'-2+3");
});

test("a brief changed by another person is neither overwritten nor sent, and no input is lost", async () => {
  // Fault: saving or sending overwrote what another person had written meanwhile.
  await using s = await sceneWithPartner();
  const brief = await s.newBrief();
  const browser = await signedInBrowser(s.w, s.owner.email);
  const address = brief.path
    .replace("/v1/organizations/", `${s.w.config.baseUrl}/actions/`)
    .replace("/workspaces/", "/")
    .replace("/recommended-actions/", "/")
    .replace("/tasks/", "/")
    .replace(/\/brief$/, "");
  const page = await browser.get(address);
  await s.owner.patch(brief.path, { body: "Written by <another> person." });
  const typed = (shown: Visit, press: "edit" | "send") => {
    const form = findForms(shown).find(({ attribs }) => attribs["action"]?.endsWith("/edit"));
    const mark = form && readAllFields(form).find(({ name }) => name === "was_stored")?.value;
    const fields = {
      title: "A page",
      body: "Mine & yours",
      status: "in_progress",
      due: "2100-01-31",
      was_stored: String(mark),
    };
    return browser.post(`${address}/${press}`, new URLSearchParams(fields));
  };
  for (const press of ["edit", "send"] as const) {
    const told = await typed(page, press);
    expect([told.status, /role="alert"[^>]*>([^<]*)/.exec(told.text)?.[1]?.trim()]).toEqual([
      409,
      "Changed since you opened this page: body (now “Written by &#60;another&#62; person.”). Nothing is saved yet. The form keeps what you entered, and shows the change in all other fields. Check it, then save again.",
    ]);
    expect(told.text).toContain("Mine &#38; yours</textarea>");
    expect(told.text).toContain('<option value="in_progress" selected');
    expect(told.text).toContain("Written by &lt;another&gt; person.");
    expect(await brief.read()).toMatchObject({ body: "Written by <another> person.", partner_brief_id: null });
  }
  const told = await typed(page, "send");
  const sent = await typed(told, "send");
  expect([sent.status, sent.text.includes("Sent to the content tool.")]).toEqual([200, true]);
  expect((await s.partner.state()).briefs).toMatchObject([{ body: "Mine & yours" }]);
});

test("a rejected send keeps text and date, and names the page with the remedy", async () => {
  // Fault: the date was lost, and "under platform integrations" is no page title.
  const s = await withAction();
  await using w = s.w;
  const browser = await signedInBrowser(w, "owner@acme.test");
  const page = await browser.get(s.brief);
  const fill = { title: "Mine", body: "Better", status: "in_progress" };
  const noDate = await browser.submit(page, { action: /\/edit$/, to: "/send", fill: { ...fill, due: "" } });
  expect([noDate.status, /role="alert"[^<]*saved, but[^<]*due date/.test(noDate.text)]).toEqual([400, true]);
  const refused = await browser.submit(noDate, {
    action: /\/edit$/,
    to: "/send",
    fill: { ...fill, due: "2100-01-31" },
  });
  expect([refused.status, /role="alert"[^<]*on the page Content tool\./.test(refused.text)]).toEqual([409, true]);
  expect([refused.text.includes('value="2100-01-31"'), refused.text.includes("Better</textarea>")]).toEqual([
    true,
    true,
  ]);
  const [, link = ""] = /href="([^"]*)">Content tool<\/a>/.exec(refused.text) ?? [];
  expect((await browser.get(w.config.baseUrl + link)).text).toContain("<title>Content tool · ");
});

test("renders Markdown without scripts, external loads or unsafe links", () => {
  // Attack: markup, script addresses, tracking images and styles in a brief.
  const hostile = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:alert(1)) [b](data:text/html,x) [c](/sign-out) [d](//evil.test) <javascript:alert(1)>",
    "![pixel](https://evil.test/p.png)",
    '[e](https://ok.test/"onmouseover=alert(1))',
    '```"><script>\nx\n```',
    "| a |\n|--:|\n| <b onclick=x> |",
    "# One\n\n- **two**\n- [f](https://ok.test)",
  ].join("\n\n");
  const { markup } = renderMarkdown(hostile);
  const tags = [...markup.matchAll(/<[a-z][^>]*>/g)].map(([tag]) => tag);
  const known =
    /^<(p|h3|ul|li|strong|table|thead|tbody|tr|th|td|pre|code( class="language-[^"]*")?|a href="https:\/\/[^"]*" rel="noopener noreferrer nofollow")>$/;
  expect(tags.filter((tag) => !known.test(tag))).toEqual([]);
  expect(markup).toContain("<h3>One</h3>");
  expect(markup).toContain("<strong>two</strong>");
});
