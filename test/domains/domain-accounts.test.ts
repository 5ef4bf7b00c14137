import { expect, test } from "vitest";
import { insertExternalIdentity } from "../../db/identity/sso.ts";
import { providerProof } from "../sign-in/address-proof.ts";
import { signedInBrowser } from "../support/assistant.ts";
import { verifyDomain } from "../sso/scene.ts";
import { world } from "../support/world.ts";

/** Acme with the verified domain acme.test, and accounts inside and outside. */
async function scene() {
  const w = await world();
  const { owner, organization } = await w.acme();
  await verifyDomain(w, organization.id, "acme.test");
  const domains = `${organization.path}/domains`;
  const { body } = await owner.get(domains);
  return {
    w,
    owner,
    organization,
    domains,
    address: `${domains}/${body.data[0].id}/accounts`,
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

test("an owner sees the accounts under a verified domain, and the effect of their first sign-in", async () => {
  await using s = await scene();
  const { w, organization } = s;
  const { organization: rival } = await w.insertTenant("Rival Secret");
  const linked = await w.signIn("linked@acme.test", { organizationId: organization.id, role: "viewer" });
  const made = await w.signIn("made@acme.test");
  const elsewhere = await w.signIn("elsewhere@acme.test", { organizationId: rival.id, role: "owner" });
  for (const email of ["a@sub.acme.test", "a@notacme.test", "a@acme.test.example"]) await w.signIn(email);
  await w.store.write(async (db) => {
    const tenant = { db, organizationId: organization.id };
    for (const subject of ["1", "2"]) {
      const identity = { issuer: "https://idp.acme.test", subject, userId: linked.id, createdAt: w.deps.now() };
      await insertExternalIdentity(tenant, identity);
    }
    // A link to another organization is none to this one.
    const theirs = { issuer: "https://idp.rival.test", subject: "3", userId: elsewhere.id, createdAt: w.deps.now() };
    await insertExternalIdentity({ db, organizationId: rival.id }, theirs);
  });
  await providerProof(w, made.id, organization.id);
  await providerProof(w, elsewhere.id, rival.id);
  const { status, body } = await s.owner.get(s.address);
  expect([status, body]).toEqual([
    200,
    {
      data: [
        { id: elsewhere.id, email: elsewhere.email, member: false, at_first_sign_in: "handed_over" },
        { id: linked.id, email: linked.email, member: true, at_first_sign_in: "linked_already" },
        { id: made.id, email: made.email, member: false, at_first_sign_in: "kept" },
        { id: s.owner.id, email: s.owner.email, member: true, at_first_sign_in: "kept" },
      ],
      next_cursor: null,
      total: 4,
    },
  ]);
  expect(JSON.stringify(body)).not.toContain("Rival");
  const first = await s.owner.get(`${s.address}?limit=3`);
  const second = await s.owner.get(`${s.address}?limit=3&cursor=${first.body.next_cursor}`);
  expect([...first.body.data, ...second.body.data]).toEqual(body.data);
  const page = await (
    await signedInBrowser(w, s.owner.email)
  ).get(`${w.config.baseUrl}/organizations/${organization.id}/domains?done=verify`);
  expect(page.text).toContain("Accounts with this domain: 4");
  expect(page.text).toContain("elsewhere@acme.test");
});

test("without a verified domain, an organization learns nothing about its accounts", async () => {
  // Attack: finding out who has an account by claiming their domain.
  await using s = await scene();
  const { organization: rival } = await s.w.insertTenant("Rival");
  const spy = await s.w.signIn("owner@rival.test", { organizationId: rival.id, role: "owner" });
  const { body } = await spy.post(`${rival.path}/domains`, { domain: "acme.test" });
  const refused = await spy.get(`${rival.path}/domains/${body.id}/accounts`);
  expect([refused.status, refused.body.code]).toEqual([409, "CONFLICT"]);
  expect(JSON.stringify(refused.body)).not.toContain("owner@acme.test");
  expect((await spy.get(s.address)).status).toBe(404);
  expect((await spy.get(s.address.replace(s.organization.id, rival.id))).status).toBe(404);
  const editor = await s.w.signIn("editor@acme.test", { organizationId: s.organization.id, role: "editor" });
  expect((await editor.get(s.address)).status).toBe(403);
});
