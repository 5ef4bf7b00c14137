import { expect, test } from "vitest";
import { accessibilityFaults } from "./accessibility.ts";
import { givePassword, PASSWORD, signedInBrowser } from "./assistant.ts";
import { noChromium, openChromium } from "./chromium.ts";
import { insertActionScene } from "./action-scene.ts";
import { sceneWithPartner } from "./partner/scene.ts";
import { world } from "./world.ts";

/** A workspace with an action, and where its page is. */
async function withAction(change: Parameters<typeof insertActionScene>[2] = {}) {
  const w = await world();
  const { owner, organization, workspace } = await w.acme();
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  const made = await insertActionScene(w, ids, change);
  const action = `${w.config.baseUrl}/actions/${organization.id}/${workspace.id}/${made.resultId}`;
  return { w, organization, workspace, action, brief: `${action}/${made.taskId}`, made };
}

test.skipIf(noChromium !== undefined)(
  "a person confirms an action, corrects its brief and sends it to the writers, in Chromium",
  async () => {
    await using s = await sceneWithPartner();
    await givePassword(s.w, s.owner.id);
    const brief = await s.newBrief();
    const chromium = await openChromium();
    try {
      const context = await chromium.newContext();
      const page = await context.newPage();
      const faults: Record<string, string[]> = {};
      await page.goto(`${s.w.config.baseUrl}/actions`);
      await page.getByLabel("E-mail").fill(s.owner.email);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Recommended actions" }).waitFor();
      faults["actions"] = await accessibilityFaults(page);
      await page.getByRole("link", { name: "Close a gap" }).click();
      faults["action"] = await accessibilityFaults(page);
      // Fault: a box for the reason that is 62 pixels wide.
      await page.getByText("Dismiss…").click();
      expect((await page.getByLabel("Reason").boundingBox())?.width).toBeGreaterThan(200);
      await page.getByRole("button", { name: "Confirm" }).click();
      expect(await page.getByRole("status").innerText()).toBe("Confirmed.");
      await page.getByRole("link", { name: "Open the brief of Write a page" }).click();
      await page.getByRole("heading", { name: "A page", exact: true }).waitFor();
      const briefAddress = page.url();
      faults["brief"] = await accessibilityFaults(page);
      await page.getByLabel("Body, in Markdown").fill("# A better page\n\nWith two lines.");
      await page.getByRole("button", { name: "Save" }).click();
      expect(await page.getByRole("status").innerText()).toBe("Saved.");
      await s.partner.fail("recipients_invalid");
      await page.getByLabel("Due").fill("2100-01-31");
      await page.getByRole("button", { name: "Send to the authoring tool" }).click();
      faults["refused"] = await accessibilityFaults(page);
      expect(await page.getByRole("alert").innerText()).toMatch(/recipients/i);
      await page.getByRole("link", { name: "Change where briefs are sent" }).click();
      faults["tool"] = await accessibilityFaults(page);
      await page.goto(briefAddress);
      await s.partner.fail(null);
      await page.getByLabel("Due").fill("2100-01-31");
      await page.getByRole("button", { name: "Send to the authoring tool" }).click();
      expect(await page.getByRole("status").innerText()).toBe("Sent to the authoring tool.");
      await page.emulateMedia({ colorScheme: "dark" });
      faults["sent"] = await accessibilityFaults(page);
      expect(faults).toEqual({ actions: [], action: [], brief: [], refused: [], tool: [], sent: [] });
      expect(await page.getByRole("button", { name: "Send to the authoring tool" }).count()).toBe(0);
    } finally {
      await chromium.close();
    }
    const { briefs } = await s.partner.state();
    expect(briefs).toMatchObject([
      { body: "# A better page\n\nWith two lines.", due_date: "2100-01-31T23:59:59.000Z", submitted: true },
    ]);
    expect(await brief.read()).toMatchObject({ is_user_edited: true, partner_brief_id: briefs[0]?.id });
  },
  60_000,
);

test("who may only look is shown the brief and no form; who is of another organization finds nothing", async () => {
  const s = await withAction();
  await using w = s.w;
  await w.signIn("viewer@acme.test", { organizationId: s.organization.id, role: "viewer" });
  const viewer = await signedInBrowser(w, "viewer@acme.test");
  const page = await viewer.get(s.brief);
  expect([
    page.status,
    page.text.includes("# A page"),
    /action="\/actions\/[^"]*\/(edit|send)"/.test(page.text),
  ]).toEqual([200, true, false]);
  const forced = await viewer.post(`${s.action}/confirm`, new URLSearchParams());
  expect([forced.status, forced.text.includes('role="alert"')]).toEqual([403, true]);
  await w.signIn("mallory@rival.test");
  const mallory = await signedInBrowser(w, "mallory@rival.test");
  expect((await mallory.get(s.action)).status).toBe(404);
  expect((await mallory.post(`${s.action}/confirm`, new URLSearchParams())).status).toBe(404);
});

test("an editor connects a workspace to its authoring tool, whose token is never shown, and disconnects it", async () => {
  await using s = await sceneWithPartner();
  const { organization, workspace, owner, w } = s;
  await owner.delete(`${workspace.path}/platform-integrations/partner`);
  const browser = await signedInBrowser(w, owner.email);
  const address = `${w.config.baseUrl}/writers/${organization.id}/${workspace.id}`;
  const empty = await browser.get(address);
  const fill = { api_token: "a-token-of-the-writers-9876", partner_workspace_id: "demo", recipients: "nobody" };
  const refused = await browser.submit(empty, { action: /\/connect$/, fill });
  expect([refused.status, /role="alert"[^<]*recipients/.test(refused.text)]).toEqual([400, true]);
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

test("a dismissed action can be reconsidered, and says why it was dismissed", async () => {
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

test("what stands in an action or a brief is shown as text", async () => {
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
    expect([status, /<script|<img|<\/textarea>&|href="javascript:/.test(text)]).toEqual([200, false]);
  }
});
