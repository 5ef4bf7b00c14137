import { expect, test } from "vitest";
import { signedInBrowser } from "../support/assistant.ts";
import { insertActionScene } from "../support/action-scene.ts";
import { evaluationScene, PAGE } from "../assets/evaluation-scene.ts";
import { shownText } from "../audits/console-scene.ts";
import { WITH_WORKER, world } from "../support/world.ts";

function tagRows(page: string): number {
  return page.match(/<td>\s*List the tags of a workspace/g)?.length ?? 0;
}

test("the audit log pages with its filters, for owners only", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  for (let at = 0; at < 60; at++) await owner.get(`${workspace.path}/tags`);
  await w.deps.audit.flush();
  const browser = await signedInBrowser(w, owner.email);
  const address = `${w.config.baseUrl}/organizations/${organization.id}/audit-log`;
  const first = await browser.get(`${address}?endpoint=listTags&to=2100-01-01`);
  const older = /href="([^"]*)">Older/.exec(first.text)?.[1]?.replaceAll("&#38;", "&") ?? "";
  expect(older).toMatch(/endpoint=listTags&to=2100-01-01&cursor=/);
  const second = await browser.get(new URL(older, address));
  expect([tagRows(first.text), tagRows(second.text), second.text.includes(">Older<")]).toEqual([50, 10, false]);
  expect((await browser.get(`${address}?from=nonsense`)).status).toBe(400);
  await w.signIn("editor@acme.test", { organizationId: organization.id, role: "editor" });
  expect((await (await signedInBrowser(w, "editor@acme.test")).get(address)).status).toBe(403);
  await w.signIn("stranger@rival.test");
  expect((await (await signedInBrowser(w, "stranger@rival.test")).get(address)).status).toBe(404);
});

test("a member leaves on the organizations page; the last owner sees why not", async () => {
  await using w = await world();
  const { owner, organization } = await w.acme();
  const viewer = await w.signIn("viewer@acme.test", { organizationId: organization.id, role: "viewer" });
  const leave = async (email: string) => {
    const browser = await signedInBrowser(w, email);
    return browser.submit(await browser.get(`${w.config.baseUrl}/organizations`), { action: /\/leave$/ });
  };
  const left = await leave(viewer.email);
  expect([left.status, left.text.includes("You left the organization."), left.text.includes("Acme")]).toEqual([
    200,
    true,
    false,
  ]);
  const stays = await leave(owner.email);
  expect([stays.status, /role="alert"[^<]*must keep an owner/.test(stays.text)]).toEqual([409, true]);
});

test("settings and actions open on the workspace with an analysis, not on an older empty one", async () => {
  // Fault: after setup a person landed in their empty workspace.
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const made = await owner.post(`${organization.path}/workspaces`, { name: "With figures" });
  const ids = { organizationId: organization.id, workspaceId: made.body.id as string, userId: owner.id };
  await insertActionScene(w, ids);
  const browser = await signedInBrowser(w, owner.email);
  const home = await browser.get(`${w.config.baseUrl}/settings`);
  const shown = shownText(home.text);
  expect([shown.includes("Analyses of With figures"), shown.includes(`Analyses of ${workspace.name}`)]).toEqual([
    true,
    false,
  ]);
  expect((await browser.get(`${w.config.baseUrl}/actions`)).text).toContain("Close a gap");
});

test("a scored page is reached from the settings, with its score and the words that it rests on", async () => {
  // Fault: the demo scores a page, and no page shows it.
  await using s = await evaluationScene({ env: WITH_WORKER });
  const { body } = await s.create([await s.addText("durable.md", `${PAGE}\n\n<b>Acme</b> shoes are durable.`)]);
  await s.until(body.id as string);
  const browser = await signedInBrowser(s.w, s.owner.email);
  const home = await browser.get(`${s.w.config.baseUrl}/settings`);
  const [, link = ""] = /<a href="(\/evaluations\/[^"]*)"><bdi>Shoes<\/bdi><\/a>/.exec(home.text) ?? [];
  const page = await browser.get(s.w.config.baseUrl + link);
  expect([page.status, /<h2>durable\.md<\/h2>\s*<span class="badge">\d+ of 100/.test(page.text)]).toEqual([200, true]);
  expect(page.text).toContain("<blockquote>Acme running shoes last 900 km in our test.</blockquote>");
  // Attack: markup in a page that was judged.
  expect(page.text).not.toContain("<b>");
  await s.w.signIn("mallory@rival.test");
  const mallory = await signedInBrowser(s.w, "mallory@rival.test");
  expect((await mallory.get(s.w.config.baseUrl + link)).status).toBe(404);
});
