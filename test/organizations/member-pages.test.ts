import { expect, test } from "vitest";
import { signedInBrowser } from "../support/assistant.ts";
import { world } from "../support/world.ts";

test("member pages are for owners, and a workspace's for its editors; others are denied or get 404", async () => {
  await using w = await world();
  const { organization, workspace } = await w.acme();
  const organizationId = organization.id;
  await w.signIn("editor@acme.test", { organizationId, role: "editor" });
  await w.signIn("viewer@acme.test", { organizationId, role: "viewer" });
  await w.signIn("stranger@rival.test");
  const inOrganization = `${w.config.baseUrl}/organizations/${organizationId}/members`;
  const inWorkspace = `${w.config.baseUrl}/organizations/${organizationId}/workspaces/${workspace.id}/members`;
  const seen: Record<string, number[]> = {};
  for (const who of ["owner@acme.test", "editor@acme.test", "viewer@acme.test", "stranger@rival.test"]) {
    const browser = await signedInBrowser(w, who);
    seen[who] = [(await browser.get(inOrganization)).status, (await browser.get(inWorkspace)).status];
  }
  expect(seen).toEqual({
    "owner@acme.test": [200, 200],
    "editor@acme.test": [403, 200],
    "viewer@acme.test": [403, 403],
    "stranger@rival.test": [404, 404],
  });
});

test("names and e-mails of members are shown as text", async () => {
  // Attack: markup in a name that its owner chose, on the page of an administrator.
  await using w = await world();
  const { organization, workspace, owner } = await w.acme();
  const markup = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
  await w.store.write(async ({ q, t }) => void (await q.update(t.users).set({ name: markup })));
  const browser = await signedInBrowser(w, owner.email);
  const address = `${w.config.baseUrl}/organizations/${organization.id}`;
  for (const path of ["/members", `/workspaces/${workspace.id}/members`]) {
    const { status, text } = await browser.get(`${address}${path}`);
    expect([status, /<script>|<img/.test(text)]).toEqual([200, false]);
  }
});
