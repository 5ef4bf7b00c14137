import { inflateRawSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  readSamlResponse,
  buildSamlAddresses,
  generateSamlMetadata,
  buildSamlRequestUrl,
  type SamlProvider,
} from "../../auth/sso/saml.ts";
import { addMs } from "../../core/shared/time.ts";
import { createCertificate } from "./certificate.ts";
import { startSamlProvider } from "./provider.ts";
import type { ResponseSettings } from "./provider-program.ts";

// Accepted and rejected responses of a provider in a separate process.

const BASE_URL = "https://visibility.test";
const ORGANIZATION = "01930000-0000-7000-8000-000000000001";
const SERVICE = buildSamlAddresses(BASE_URL, ORGANIZATION);
const ALICE: ResponseSettings["user"] = {
  subject: "alice-7f3a",
  attributes: { email: "alice@acme.test", name: "Alice", groups: ["analysts", "staff"] },
};

let idp: Awaited<ReturnType<typeof startSamlProvider>>;
let provider: SamlProvider;
beforeAll(async () => {
  idp = await startSamlProvider();
  provider = {
    organizationId: ORGANIZATION,
    issuer: idp.issuer,
    signInUrl: idp.signInUrl,
    certificates: [idp.certificate],
    emailClaim: "email",
    nameClaim: "name",
    groupsClaim: "groups",
    trustsEmail: true,
  };
});
afterAll(() => idp[Symbol.asyncDispose]());
beforeEach(() => idp.tell({ user: ALICE }));

const now = () => new Date().toISOString();

/** The XML of the provider's answer to a request of ours. */
async function answer(told: Partial<ResponseSettings> = {}, requestId = "_request"): Promise<string> {
  await idp.tell({ user: ALICE, ...told });
  const url = await buildSamlRequestUrl(provider, BASE_URL, { requestId, state: "some-state" });
  const posted = await idp.formAt(url);
  expect([posted.action, posted.RelayState]).toEqual([SERVICE.acsUrl, "some-state"]);
  return Buffer.from(posted.SAMLResponse, "base64").toString("utf8");
}

const read = (xml: string, at = now(), from = provider) =>
  readSamlResponse(from, BASE_URL, { field: Buffer.from(xml).toString("base64"), now: at });

/** The fault of a rejected response; undefined if it is accepted. */
async function faultOf(xml: string, at = now(), from = provider): Promise<string | undefined> {
  return read(xml, at, from).then(
    () => undefined,
    (error: unknown) => (error as { fault?: string }).fault ?? `no refusal: ${String(error)}`,
  );
}

test("names the service, its address and an ID in the request, and no optional constraint", async () => {
  const url = new URL(await buildSamlRequestUrl(provider, BASE_URL, { requestId: "_r1", state: "state-1" }));
  expect([url.origin + url.pathname, [...url.searchParams.keys()]]).toEqual([
    idp.signInUrl,
    ["SAMLRequest", "RelayState"],
  ]);
  const request = inflateRawSync(Buffer.from(url.searchParams.get("SAMLRequest") ?? "", "base64")).toString();
  expect(request).toContain('ID="_r1"');
  expect(request).toContain(`AssertionConsumerServiceURL="${SERVICE.acsUrl}"`);
  expect(request).toContain(`>${SERVICE.entityId}<`);
  expect(request).not.toMatch(/RequestedAuthnContext|Format=|ForceAuthn/);
  const again = new URL(await buildSamlRequestUrl(provider, BASE_URL, { requestId: "_r2", state: "s", again: true }));
  const forced = inflateRawSync(Buffer.from(again.searchParams.get("SAMLRequest") ?? "", "base64")).toString();
  expect(forced).toContain('ForceAuthn="true"');
});

test("publishes the same metadata each time, and requires signed assertions in it", async () => {
  const metadata = await generateSamlMetadata(BASE_URL, ORGANIZATION);
  expect(await generateSamlMetadata(BASE_URL, ORGANIZATION)).toBe(metadata);
  expect(metadata).toContain(`entityID="${SERVICE.entityId}"`);
  expect(metadata).toContain('WantAssertionsSigned="true"');
  expect(metadata).toMatch(new RegExp(`HTTP-POST" Location="${SERVICE.acsUrl}"`));
});

test("identifies the person by a signed response to the service's request", async () => {
  const { assertionHash, expiresAt, ...proven } = await read(await answer());
  expect(Math.abs(Date.parse(proven.identity.authenticatedAt ?? "") - Date.now())).toBeLessThan(20_000);
  expect(proven).toEqual({
    identity: {
      issuer: idp.issuer,
      subject: "alice-7f3a",
      email: "alice@acme.test",
      emailVerified: true,
      name: "Alice",
      groups: ["analysts", "staff"],
      authenticatedAt: proven.identity.authenticatedAt,
    },
    requestId: "_request",
  });
  expect(assertionHash).toMatch(/^[\w-]{43}$/);
  expect(Math.abs(Date.parse(expiresAt) - Date.now() - 330_000)).toBeLessThan(20_000);
  // The whole answer may be signed as well, and while keys change there are two certificates.
  const rolled = { ...provider, certificates: [(await createCertificate()).certificate, idp.certificate] };
  expect(await faultOf(await answer({ signResponse: true }), now(), rolled)).toBe(undefined);
});

test("finds attributes by their configured names, or by the usual names by default", async () => {
  const usual = {
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress": "a@acme.test",
    "urn:oid:2.16.840.1.113730.3.1.241": "Al",
    "http://schemas.microsoft.com/ws/2008/06/identity/claims/groups": "one",
  };
  const { identity } = await read(await answer({ user: { subject: "a", attributes: usual } }));
  expect([identity.email, identity.name, identity.groups]).toEqual(["a@acme.test", "Al", ["one"]]);
  const own = { ...provider, emailClaim: "workMail", nameClaim: "fullName", groupsClaim: "teams", trustsEmail: false };
  const attributes = { ...usual, workMail: "w@acme.test", fullName: "Al B", teams: ["x", "y"] };
  const named = (await read(await answer({ user: { subject: "a", attributes } }), now(), own)).identity;
  expect([named.email, named.name, named.groups, named.emailVerified]).toEqual([
    "w@acme.test",
    "Al B",
    ["x", "y"],
    false,
  ]);
  const format = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";
  const bare = (await read(await answer({ user: { subject: "n@acme.test", format, attributes: {} } }))).identity;
  expect([bare.email, bare.name, bare.groups]).toEqual(["n@acme.test", null, []]);
});

test("rejects a response that is unsigned, or signed only around the assertion", async () => {
  // Attack: forge a response.
  expect(await faultOf(await answer({ signAssertion: false }))).toBe("signature");
  expect(await faultOf(await answer({ signAssertion: false, signResponse: true }))).toBe("signature");
  const signed = await answer();
  expect(await faultOf(signed.replace(/<Signature[\s\S]*<\/Signature>/, ""))).toBe("signature");
  expect(await faultOf(signed.replace("alice-7f3a", "owner-0001"))).toBe("signature");
});

test("rejects a signature of another key, even with that key's certificate in the response", async () => {
  // Attack: sign with another key and put its certificate into KeyInfo.
  const xml = await answer({ otherKey: true });
  expect(xml).toContain("X509Certificate");
  expect(await faultOf(xml)).toBe("signature");
});

test("rejects SHA-1 in the signature and in the digest, however the algorithm is written", async () => {
  // Attack: a second document with the same SHA-1.
  expect(await faultOf(await answer({ signatureAlgorithm: "rsa-sha1" }))).toBe("weak_algorithm");
  expect(await faultOf(await answer({ digestAlgorithm: "sha1" }))).toBe("weak_algorithm");
  const signed = await answer();
  const hmac = signed.replace("2001/04/xmldsig-more#rsa-sha256", "2000/09/xmldsig#hmac-sha1");
  expect(await faultOf(hmac)).toBe("weak_algorithm");
  const escaped = (await answer({ signatureAlgorithm: "rsa-sha1" })).replace("rsa-sha1", "rsa-&#115;ha1");
  expect(await faultOf(escaped)).toBe("weak_algorithm");
  const unquoted = signed.replace(/Algorithm="([^"]*rsa-sha256)"/, "Algorithm=$1");
  expect(await faultOf(unquoted)).toBe("malformed");
});

function into(outer: string, inner: string): string {
  return outer.replace("</saml:Assertion>", `${inner}</saml:Assertion>`);
}

/**
 * The signed assertion of an answer, and a forged copy of it under another identifier and without a
 * signature.
 */
function parts(xml: string) {
  const [signed = ""] = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml) ?? [];
  const [signature = ""] = /<Signature[\s\S]*<\/Signature>/.exec(signed) ?? [];
  const forged = signed
    .replace(signature, "")
    .replaceAll("alice", "mallory")
    .replace(/ ID="[^"]*"/, ' ID="_forged"');
  expect([signed !== "", signature !== "", forged.includes("mallory-7f3a")]).toEqual([true, true, true]);
  return { signed, signature, forged };
}

test("rejects signature wrapping", async () => {
  // Attack: move the signed assertion to where it still verifies, with a forged one where it is
  // read (XSW 1 to 8).
  const xml = await answer();
  const { signed, signature, forged } = parts(xml);
  const id = / ID="([^"]*)"/.exec(signed)?.[1] ?? "";
  const wrap = (inner: string) => xml.replace(signed, inner);
  const unsigned = signed.replace(signature, "");
  const object = (inner: string) => signature.replace("</Signature>", `<Object>${inner}</Object></Signature>`);
  const wrapped: Record<string, string> = {
    "forged beside, before": wrap(forged + signed),
    "forged beside, after": wrap(signed + forged),
    "signed inside the forged": wrap(into(forged, signed)),
    "forged inside the signed": wrap(into(signed, forged)),
    "signed in extensions, forged in its place": wrap(`<samlp:Extensions>${signed}</samlp:Extensions>${forged}`),
    "signature moved to the forged, its object inside": wrap(into(forged, object(unsigned))),
    "signature of the forged holds the signed": wrap(
      forged.replace("<saml:Subject>", `${object(unsigned)}<saml:Subject>`),
    ),
    "one identifier for both": wrap(forged.replace("_forged", id) + signed),
    "the signed before the answer's own": xml
      .replace("<samlp:Status>", `${signed}<samlp:Status>`)
      .replace(new RegExp(`(<samlp:Status>[\\s\\S]*)${escapeRegExp(signed)}`), (_, before: string) => before + forged),
    "a second root": xml + forged,
    "an answer within an answer": xml.replace(signed, forged + xml),
    "signature twice": wrap(signed.replace(signature, signature + signature)),
  };
  for (const [how, text] of Object.entries(wrapped)) {
    const taken = await read(text).then(
      ({ identity }) => identity.subject,
      () => "refused",
    );
    expect([how, taken]).toEqual([how, "refused"]);
  }
});

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

test("rejects entities, document types, comments, CDATA and processing instructions before parsing", async () => {
  // Attack: reading files of this host (XXE), swelling the answer, and cutting a name in two with a
  // comment.
  const xml = await answer();
  const root = /<samlp:Response/;
  const hostile = [
    xml
      .replace(root, '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><samlp:Response')
      .replace("alice-7f3a", "&x;"),
    xml.replace(root, '<!DOCTYPE r SYSTEM "http://127.0.0.1:9/x.dtd"><samlp:Response'),
    xml.replace(root, '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><samlp:Response'),
    xml.replace("alice-7f3a", "ali<!-- -->ce-7f3a"),
    xml.replace("alice-7f3a", "ali<![CDATA[]]>ce-7f3a"),
    xml.replace("alice-7f3a", "ali<?x?>ce-7f3a"),
    xml.replace(root, '<?xml-stylesheet href="x"?><samlp:Response'),
    xml.replace("alice-7f3a", "alice\u0000-7f3a"),
  ];
  for (const text of hostile)
    expect([text.slice(0, 80), await faultOf(text)]).toEqual([text.slice(0, 80), "malformed"]);
  const declared = `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`;
  expect(await faultOf(declared)).toBe(undefined);
});

function times(count: number, text: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => text(at)).join("");
}

test("rejects an expensive response before parsing", async () => {
  // Attack: occupy the process with canonicalisation of deep, wide or namespace-heavy XML.
  const xml = await answer();
  const inside = (text: string) => xml.replace("</samlp:Response>", `${text}</samlp:Response>`);
  const heavy = [
    inside("<a>".repeat(20_000) + "</a>".repeat(20_000)),
    inside("<a/>".repeat(20_000)),
    inside(`<a ${times(5000, (at) => `xmlns:n${at}="u${at}" `)}/>`),
    inside(times(500, () => `<a ${times(15, (at) => `xmlns:n${at}="u" `)}/>`)),
    xml.replace("<SignedInfo>", `<SignedInfo>${'<Reference URI="#a"/>'.repeat(1000)}`),
    xml.replace("</samlp:Response>", `<a PrefixList="${"x ".repeat(50_000)}"/></samlp:Response>`),
    inside("x".repeat(400_000)),
  ];
  for (const text of heavy) expect([text.length, await faultOf(text)]).toEqual([text.length, "malformed"]);
  const groups = Array.from({ length: 1000 }, (_, at) => `group-${at}`);
  const { identity } = await read(await answer({ user: { ...ALICE, attributes: { groups } } }));
  expect(identity.groups).toEqual(groups);
});

test("keeps a name whole although the provider signed a comment inside it", async () => {
  // Attack: register as alice@acme.test<!---->.rival.test at the provider. Entities stay escaped.
  const subject = "alice@acme.test<!---->.rival.test";
  const { identity } = await read(await answer({ user: { subject, attributes: { email: subject } } }));
  expect([identity.subject, identity.email]).toEqual([subject, subject]);
});

test("rejects a response for another audience, recipient or issuer", async () => {
  // Attack: an answer that a person gave to another service, brought here.
  expect(await faultOf(await answer({ audience: "https://rival.test/metadata" }))).toBe("audience");
  expect(await faultOf(await answer({ recipient: "https://rival.test/acs" }))).toBe("recipient");
  const sister = buildSamlAddresses(BASE_URL, ORGANIZATION.replace(/1$/, "2"));
  expect(await faultOf(await answer({ recipient: sister.acsUrl }))).toBe("recipient");
  expect(await faultOf(await answer({ issuer: "https://rival.test/metadata" }))).toBe("issuer");
});

test("accepts a response only within its validity, with fifteen seconds for clock skew", async () => {
  // Attack: an answer found later, in a history or a log.
  const xml = await answer({ lifetimeInSeconds: 10 });
  const made = Date.parse(/IssueInstant="([^"]*)"/.exec(xml)?.[1] ?? "");
  const at = (seconds: number) => addMs(new Date(made).toISOString(), seconds * 1000);
  expect(await faultOf(xml, at(24))).toBe(undefined);
  expect(await faultOf(xml, at(26))).toBe("expired");
  expect(await faultOf(xml, at(-14))).toBe(undefined);
  expect(await faultOf(xml, at(-17))).toBe("expired");
  expect(await faultOf(await answer({ lifetimeInSeconds: -60 }))).toBe("expired");
});

test("takes the request ID only from the signed assertion", async () => {
  // Attack: name a victim's request around an assertion without a request, or with another one.
  const xml = await answer({ inResponseTo: null });
  expect((await read(xml)).requestId).toBe(null);
  const claimed = xml.replace("<samlp:Response ", '<samlp:Response InResponseTo="_victim" ');
  expect((await read(claimed)).requestId).toBe(null);
  expect(
    (await read((await answer({}, "_mine")).replace(/InResponseTo="_mine"/, 'InResponseTo="_victim"'))).requestId,
  ).toBe("_mine");
});

test("an assertion that names no person signs in no person", async () => {
  // Attack: an empty subject, which everybody without a name at the provider would share.
  for (const subject of [" ", "\u00A0\u2003"]) {
    expect(await faultOf(await answer({ user: { ...ALICE, subject } }))).toMatch(/^(?:subject|malformed)$/);
  }
});

const code = (value: string, inner = "") => `<samlp:StatusCode Value="${value}">${inner}</samlp:StatusCode>`;
const status = (...codes: string[]) => `<samlp:Status>${codes.join("")}</samlp:Status>`;

test("rejects a response whose status is not Success, whatever assertion it carries", async () => {
  // Attack: put a valid assertion into a response in which the provider denied sign-in.
  const xml = await answer();
  const success = "urn:oasis:names:tc:SAML:2.0:status:Success";
  expect(xml).toContain(success);
  const says = (said: string) => xml.replace(/<samlp:Status>[\s\S]*?<\/samlp:Status>/, said);
  const failed = success.replace("Success", "Responder");
  expect(await faultOf(says(status(code(success))))).toBe(undefined);
  const refused = {
    failed: status(code(failed)),
    "failed, with success within": status(code(failed, code(success))),
    "failed, and success": status(code(failed), code(success)),
    "success, and failed": status(code(success), code(failed)),
    "two statuses": status(code(success)) + status(code(failed)),
    "success elsewhere": `<samlp:Extensions>${status(code(success))}</samlp:Extensions>${status(code(failed))}`,
    "no code": status(),
    "no status": "",
  };
  for (const [how, said] of Object.entries(refused)) {
    expect([how, await faultOf(says(said))]).toEqual([how, "not_signed_in"]);
  }
});

test("rejects transient name IDs, failed sign-ins and responses without a subject", async () => {
  const format = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";
  expect(await faultOf(await answer({ user: { ...ALICE, format } }))).toBe("subject");
  const refused = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_1" Version="2.0" IssueInstant="2026-11-21T12:00:00Z"><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:AuthnFailed"/></samlp:Status></samlp:Response>`;
  expect(await faultOf(refused)).toBe("not_signed_in");
  const encrypted = (await answer()).replace("<saml:Assertion", "<saml:EncryptedAssertion/><saml:Assertion");
  expect(await faultOf(encrypted)).toBe("encrypted");
  for (const text of ["<a/>", "x", "<a>", "", `${"<a>".repeat(20_000)}${"</a>".repeat(20_000)}`]) {
    expect(["malformed", "signature"]).toContain(await faultOf(text));
  }
});
