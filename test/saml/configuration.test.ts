import { expect, test } from "vitest";
import { world } from "../support/world.ts";
import { createMetadata, createCertificate } from "./certificate.ts";

const PROVIDER = { entityId: "urn:idp:acme", signInUrl: "https://idp.acme.test/sign-in?tenant=1" };

test("configures a provider from its metadata, and stores certificates as PEM", async () => {
  await using w = await world();
  const { owner, organization } = await w.acme();
  const { certificate } = await createCertificate();
  const path = `${organization.path}/sso`;
  const metadata = createMetadata({ ...PROVIDER, certificate });
  const read = await owner.post(`${path}/saml-metadata`, { metadata });
  expect(read.body).toEqual({
    issuer: PROVIDER.entityId,
    sign_in_url: PROVIDER.signInUrl,
    certificates: [expect.stringMatching(/^-----BEGIN CERTIFICATE-----\n[\s\S]*-----END CERTIFICATE-----\n$/)],
  });
  expect((await owner.get(path)).status).toBe(404);
  const made = await owner.request("PUT", path, { body: { protocol: "saml", ...read.body } });
  expect([made.status, made.body]).toMatchObject([200, { protocol: "saml", ...read.body }]);
  const bare = certificate.replaceAll(/-----[^-]+-----/g, "");
  const again = await owner.request("PUT", path, {
    body: { protocol: "saml", ...read.body, certificates: [bare, certificate] },
  });
  const [pem] = read.body.certificates;
  expect(again.body.certificates).toEqual([pem, pem]);
  const editor = await w.signIn("editor@acme.test", { organizationId: organization.id, role: "editor" });
  expect((await editor.post(`${path}/saml-metadata`, { metadata })).status).toBe(403);
});

test("addresses that are not https and certificates that no signature can be checked with are named", async () => {
  await using w = await world();
  const { owner, organization } = await w.acme();
  const { certificate } = await createCertificate();
  const { certificate: weak } = await createCertificate(1024);
  const saml = {
    protocol: "saml",
    issuer: PROVIDER.entityId,
    sign_in_url: PROVIDER.signInUrl,
    certificates: [certificate],
  };
  const wrong = async (body: object) => {
    const answer = await owner.request("PUT", `${organization.path}/sso`, { body: { ...saml, ...body } });
    return [answer.status, (answer.body.fields ?? []).map((field: { path: string }) => field.path)];
  };
  expect(await wrong({})).toEqual([200, []]);
  expect(await wrong({ sign_in_url: "http://idp.acme.test/sso" })).toEqual([400, ["sign_in_url"]]);
  expect(await wrong({ sign_in_url: "https://user:secret@idp.acme.test/sso" })).toEqual([400, ["sign_in_url"]]);
  expect(await wrong({ sign_in_url: "javascript:alert(1)" })).toEqual([400, ["sign_in_url"]]);
  expect(await wrong({ certificates: [certificate, weak, "nonsense"] })).toEqual([
    400,
    ["certificates.1", "certificates.2"],
  ]);
  expect(await owner.post(`${organization.path}/sso/saml-metadata`, { metadata: "<a/>" })).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED", fields: [{ path: "metadata" }] },
  });
});
