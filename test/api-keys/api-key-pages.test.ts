import { expect, test } from "vitest";
import { sceneWithPassword, signedInBrowser } from "../support/assistant.ts";
import { world } from "../support/world.ts";
import { openCommitted } from "../support/committed.ts";
import { OWNER } from "./api-key-pages-cases.ts";

test("a resubmitted form shows no secret and creates no second key; errors are shown next to the restored input", async () => {
  // Attack: reading a key from a page that was left open, by sending its form again.
  await using w = await world();
  await sceneWithPassword(w);
  const browser = await signedInBrowser(w, OWNER);
  const page = await browser.get(`${w.config.baseUrl}/api-keys`);
  const send = (fill: Record<string, string>) => browser.submit(page, { action: /\/create$/, fill });
  const refused = await send({ name: " " });
  expect([refused.status, /role="alert"/.test(refused.text)]).toEqual([400, true]);
  const first = await send({ name: "Report" });
  const again = await send({ name: "Report" });
  expect([/bva_usr_\w{49}/.test(first.text), /bva_usr_\w{49}/.test(again.text)]).toEqual([true, false]);
  expect(again.url.search).toBe("?done=create");
  const { q, t } = openCommitted(w.store);
  expect((await q.select().from(t.apiKeys)).filter(({ name }) => name === "Report")).toHaveLength(1);
});

test("only owners see and revoke the organization's keys", async () => {
  // Attack: opening pages and forms of an organization as viewer, or of another organization.
  await using w = await world();
  const { owner, organization } = await sceneWithPassword(w);
  const reach = { kind: "organization", organization_id: organization.id };
  const { id } = (await owner.post("/v1/api-keys", { name: "Theirs", ...reach })).body;
  await w.signIn("viewer@acme.test", { organizationId: organization.id, role: "viewer" });
  await w.signIn("mallory@rival.test");
  const address = new URL(`/organizations/${organization.id}/api-keys`, w.config.baseUrl);
  for (const [email, seen, ended] of [
    ["viewer@acme.test", 403, 404],
    ["mallory@rival.test", 404, 404],
  ] as const) {
    const browser = await signedInBrowser(w, email);
    const page = await browser.get(address);
    expect([email, page.status, page.text.includes("Theirs")]).toEqual([email, seen, false]);
    for (const deed of ["revoke", "rotate"]) {
      const fields = new URLSearchParams({ api_key_id: id, grace_seconds: "0" });
      const sent = await browser.post(new URL(`${address.pathname}/${deed}`, address), fields);
      expect([email, deed, sent.status]).toEqual([email, deed, ended]);
    }
  }
  expect((await owner.get(`/v1/api-keys/${id}`)).body.status).toBe("active");
});
