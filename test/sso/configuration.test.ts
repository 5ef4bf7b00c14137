import { expect, test } from "vitest";
import { toSsoClientSealContext, findSsoConfiguration } from "../../db/identity/sso.ts";
import { world } from "../support/world.ts";
import { createCertificate } from "../saml/certificate.ts";
import { OIDC } from "./scene.ts";
import { openCommitted } from "../support/committed.ts";

const { certificate: CERTIFICATE } = await createCertificate();
const SAML = {
  protocol: "saml",
  issuer: "urn:idp:acme",
  sign_in_url: "https://idp.acme.test/sso",
  certificates: [CERTIFICATE],
};

test("an owner sets, reads, replaces and removes the identity provider; the secret is sealed and never shown", async () => {
  await using w = await world({ now: () => "2026-11-21T08:00:00.000Z" });
  const { owner, organization } = await w.acme();
  const path = `${organization.path}/sso`;
  expect(await owner.get(path)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  const made = await owner.request("PUT", path, { body: OIDC });
  const shown = {
    protocol: "oidc",
    issuer: "https://idp.acme.test",
    client_id: "visibility",
    has_client_secret: true,
    scopes: ["openid", "email", "profile"],
    sign_in_url: null,
    certificates: [],
    email_claim: "email",
    name_claim: "name",
    groups_claim: "groups",
    trusts_email: false,
    allowed_domains: [],
    makes_accounts: true,
    default_role: "viewer",
    group_roles: [],
    accepts_idp_initiated: false,
    is_required: false,
    last_used_at: null,
    created_at: "2026-11-21T08:00:00.000Z",
    updated_at: "2026-11-21T08:00:00.000Z",
  };
  expect([made.status, made.body]).toEqual([200, shown]);
  expect((await owner.get(path)).body).toEqual(shown);
  const stored = await findSsoConfiguration({ db: openCommitted(w.store), organizationId: organization.id });
  expect(JSON.stringify(stored)).not.toContain("s3cret");
  const place = toSsoClientSealContext(organization.id);
  expect(w.deps.secrets.unseal(stored?.sealedClientSecret ?? "", place)).toBe("s3cret");

  const saml = await owner.request("PUT", path, { body: SAML });
  expect(saml.body).toMatchObject({ ...SAML, client_id: null, has_client_secret: false });
  expect((await owner.delete(path)).body).toEqual({ deleted: true });
  expect((await owner.delete(path)).status).toBe(404);
});

test("keeps a stored secret that is omitted, but never for another issuer", async () => {
  // Attack: an owner who cannot read the secret points the configuration at their own server.
  await using w = await world();
  const { owner, organization } = await w.acme();
  const put = (body: object) => owner.request("PUT", `${organization.path}/sso`, { body });
  const { client_secret: _, ...rest } = OIDC;
  await put(OIDC);
  expect((await put(rest)).body).toMatchObject({ has_client_secret: true });
  expect((await put({ ...rest, issuer: "https://evil.test" })).body).toMatchObject({ has_client_secret: false });
  await put(OIDC);
  expect((await put({ ...rest, client_secret: null })).body).toMatchObject({ has_client_secret: false });
});

test("names the missing fields of a protocol, and those that belong to the other one", async () => {
  await using w = await world();
  const { owner, organization } = await w.acme();
  const wrong = async (body: object) => {
    const answer = await owner.request("PUT", `${organization.path}/sso`, { body });
    return [answer.status, (answer.body.fields ?? []).map((field: { path: string }) => field.path)];
  };
  expect(await wrong({ protocol: "oidc", issuer: "http://idp.acme.test" })).toEqual([400, ["issuer", "client_id"]]);
  expect(await wrong({ ...OIDC, issuer: "https://idp.acme.test/?tenant=1" })).toEqual([400, ["issuer"]]);
  expect(await wrong({ ...OIDC, sign_in_url: "https://x.test", certificates: [CERTIFICATE] })).toEqual([
    400,
    ["sign_in_url", "certificates"],
  ]);
  expect(await wrong({ protocol: "saml", issuer: "urn:idp:acme", client_id: "x" })).toEqual([
    400,
    ["client_id", "sign_in_url", "certificates"],
  ]);
  expect(await wrong({ ...OIDC, default_role: "owner" })).toEqual([400, ["default_role"]]);
  expect(await wrong({ ...OIDC, scopes: ["email"] })).toEqual([400, ["scopes"]]);
  const twice = [
    { group: "a", role: "viewer" },
    { group: "a", role: "editor" },
  ];
  expect(await wrong({ ...OIDC, group_roles: twice })).toEqual([400, ["group_roles"]]);
});
