import { expect, test } from "vitest";
import { signedInBrowser } from "../support/assistant.ts";
import { world } from "../support/world.ts";

test("an owner renames an organization and limits its credits on its page; rejected input stays", async () => {
  await using w = await world();
  const { owner, organization } = await w.acme();
  const browser = await signedInBrowser(w, owner.email);
  const list = await browser.get(`${w.config.baseUrl}/organizations`);
  expect(list.text).toContain(`href="/organizations/${organization.id}"`);
  const page = await browser.get(`${w.config.baseUrl}/organizations/${organization.id}`);
  const fill = { name: "Acme & Sons", monthly_credit_cap: "5000", approval_above_credits: "" };
  const saved = await browser.submit(page, { action: /\/save$/, fill });
  expect([saved.status, saved.text.includes("Saved.")]).toEqual([200, true]);
  expect((await owner.get(organization.path)).body).toMatchObject({
    name: "Acme & Sons",
    monthly_credit_cap: 5000,
    approval_above_credits: null,
  });
  const refused = await browser.submit(saved, { action: /\/save$/, fill: { monthly_credit_cap: "-3" } });
  expect([refused.status, /name="monthly_credit_cap"[^>]*value="-3"/.test(refused.text)]).toEqual([400, true]);
});

test("a member who is no owner sees an organization's page without its form; others get 404", async () => {
  await using w = await world();
  const { organization } = await w.acme();
  const viewer = await w.signIn("viewer@acme.test", { organizationId: organization.id, role: "viewer" });
  const stranger = await w.signIn("stranger@other.test");
  const address = `${w.config.baseUrl}/organizations/${organization.id}`;
  const seen = await (await signedInBrowser(w, viewer.email)).get(address);
  expect([seen.status, seen.text.includes("<h1>Acme</h1>"), seen.text.includes("/save")]).toEqual([200, true, false]);
  expect((await (await signedInBrowser(w, stranger.email)).get(address)).status).toBe(404);
});

test("an organization's page shows sizes in readable units", async () => {
  // Fault: "53,687,091,200" for 50 GB.
  await using w = await world();
  const { owner, organization } = await w.acme();
  const page = await (
    await signedInBrowser(w, owner.email)
  ).get(`${w.config.baseUrl}/organizations/${organization.id}`);
  const row = /<th scope="row">(Size of [^<]*)<\/th>\s*<td class="number">([^<]*)<\/td>\s*<td class="number">([^<]*)/g;
  expect([...page.text.matchAll(row)].map(([, ...shown]) => shown)).toEqual([
    ["Size of answers", "0 bytes", "50 GB"],
    ["Size of assets", "0 bytes", "50 GB"],
  ]);
  expect(page.text).not.toMatch(/>[\d,]{12,}</);
});
