import { generateKeyPairSync } from "node:crypto";
import { generate } from "selfsigned";
import { expect, test } from "vitest";
import { parseCertificate } from "../../auth/sso/saml-certificate.ts";
import { parseProviderMetadata } from "../../auth/sso/saml-provider-metadata.ts";
import { createCertificate } from "./certificate.ts";
import { startSamlProvider } from "./provider.ts";

test("reads everything that sign-in needs from a provider's own metadata", async () => {
  await using idp = await startSamlProvider();
  const { pem } = parseCertificate(idp.certificate) as { pem: string };
  expect(parseProviderMetadata(idp.metadata)).toEqual({
    issuer: idp.issuer,
    signInUrl: idp.signInUrl,
    certificates: [pem],
  });
});

const service = (binding: string, location: string) =>
  `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${location}"/>`;
const entity = (inner: string) => `<md:EntityDescriptor entityID="urn:idp">${inner}</md:EntityDescriptor>`;
const role = (inner: string) => `<md:IDPSSODescriptor>${inner}</md:IDPSSODescriptor>`;

/** A certificate, and how metadata carries it for this use. */
async function certified() {
  const { certificate: cert } = await createCertificate();
  const base64 = cert.replaceAll(/-----[^-]+-----|\s/g, "");
  const key = (use: string) =>
    `<md:KeyDescriptor ${use}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>\n ${base64} </ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
  return { cert, key };
}

test("reads metadata with prefixes, keys without a use, other bindings and other roles", async () => {
  const { cert, key } = await certified();
  const own = role(
    `${key('use="encryption"')}${key("")}${service("HTTP-POST", "https://idp.test/post")}${service("HTTP-Redirect", "https://idp.test/go?a=1&amp;b=2")}`,
  );
  const { pem } = parseCertificate(cert) as { pem: string };
  const known = { issuer: "urn:idp", signInUrl: "https://idp.test/go?a=1&b=2", certificates: [pem] };
  const other = `<md:SPSSODescriptor>${key('use="signing"')}</md:SPSSODescriptor>`;
  expect(parseProviderMetadata(`<?xml version="1.0"?>${entity(other + own)}`)).toEqual(known);
  const signed = `<md:EntitiesDescriptor>${entity(own)}<md:EntityDescriptor entityID="urn:sp">${other}</md:EntityDescriptor></md:EntitiesDescriptor>`;
  expect(parseProviderMetadata(signed)).toEqual(known);
});

test("reads nothing from a text that is not one provider's metadata with a key and an address", async () => {
  const { key } = await certified();
  const [signing, redirect] = [key('use="signing"'), service("HTTP-Redirect", "https://idp.test/go")];
  const whole = entity(role(signing + redirect));
  for (const xml of [
    "",
    "nonsense",
    "<a/>",
    entity(role(signing)),
    entity(role(redirect)),
    entity(role(key('use="encryption"') + redirect)),
    entity(signing + redirect),
    entity(role(signing.replace(/MII/, "AAA") + redirect)),
    whole + whole.replace("urn:idp", "urn:other"),
  ]) {
    expect([xml.slice(0, 60), parseProviderMetadata(xml)]).toEqual([xml.slice(0, 60), undefined]);
  }
});

test("accepts one certificate at a time, with an RSA key of sufficient length", async () => {
  const { cert } = await certified();
  const { certificate: small } = await createCertificate(1024);
  const curve = await generate([{ name: "commonName", value: "curve" }], { keyType: "ec" });
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = publicKey.export({ type: "spki", format: "pem" }).toString();
  expect(parseCertificate(cert.replaceAll("\n", "\r\n"))).toEqual(parseCertificate(cert));
  expect(parseCertificate(cert.replaceAll("\n", "\n \n"))).toEqual(parseCertificate(cert));
  for (const text of [small, curve.cert, key, cert + cert, "nonsense", ""]) {
    expect([text.slice(0, 40), parseCertificate(text)]).toEqual([
      text.slice(0, 40),
      { fault: expect.any(String) as unknown },
    ]);
  }
});

test("reads or rejects metadata of any shape within milliseconds", () => {
  // Attack: 500 kB of open elements, which took 2.5 seconds, or of certificates.
  const certificates = `<KeyDescriptor><X509Certificate>a</X509Certificate></KeyDescriptor>`.repeat(7000);
  const shapes = {
    nested: "<a>".repeat(166_000),
    flat: "<a/>".repeat(125_000),
    awkward: `a"\\<&'>`.repeat(71_000),
    certificates: entity(role(certificates)),
    attributes: `<a ${"b='c' ".repeat(80_000)}>`,
  };
  const cpuMs = Object.entries(shapes).map(([name, xml]): [string, number] => {
    const before = process.cpuUsage();
    expect(parseProviderMetadata(xml)).toBeUndefined();
    return [name, process.cpuUsage(before).user / 1000];
  });
  expect(cpuMs.filter(([, ms]) => ms > 250)).toEqual([]);
});
