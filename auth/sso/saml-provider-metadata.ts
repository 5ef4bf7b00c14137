import { Parser } from "htmlparser2";
import { parseCertificate } from "./saml-certificate.ts";

export interface ProviderMetadata {
  issuer: string;
  signInUrl: string;
  /** Certificates in PEM. */
  certificates: string[];
}

const REDIRECT_BINDING = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";

/** Metadata nests seven levels; each open element adds parser time to every later one. */
const MAX_DEPTH = 32;
/** Max keys. A provider has one or two keys, and twice that during a replacement. */
const MAX_KEYS = 32;
const MAX_ELEMENTS = 10_000;
/** Characters per parser call; parsing can stop between two calls. */
const PIECE_LENGTH = 16 * 1024;

/** Reads metadata (SAML Metadata section 2.4); undefined unless it has one identity provider. */
export function parseProviderMetadata(xml: string): ProviderMetadata | undefined {
  const found = { issuers: new Set<string>(), entity: "", signInUrl: "", keys: [] as string[] };
  let inside: "provider" | "signing" | "certificate" | undefined;
  let [depth, elements] = [0, 0];
  const isTooMuch = () =>
    depth > MAX_DEPTH || elements > MAX_ELEMENTS || found.keys.length > MAX_KEYS || found.issuers.size > 1;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        elements += 1;
        const element = toLocalName(name);
        if (element === "EntityDescriptor") found.entity = attributes["entityID"] ?? "";
        if (element === "IDPSSODescriptor") {
          found.issuers.add(found.entity);
          inside = "provider";
        }
        if (inside === undefined) return;
        if (element === "SingleSignOnService" && attributes["Binding"] === REDIRECT_BINDING) {
          found.signInUrl = attributes["Location"] ?? "";
        }
        // A key without a use serves both purposes (Metadata section 2.4.1.1).
        if (element === "KeyDescriptor" && attributes["use"] !== "encryption") inside = "signing";
        if (element === "X509Certificate" && inside === "signing") {
          inside = "certificate";
          found.keys.push("");
        }
      },
      ontext(text) {
        if (inside === "certificate") found.keys.push((found.keys.pop() ?? "") + text);
      },
      onclosetag(name) {
        depth -= 1;
        const element = toLocalName(name);
        if (element === "X509Certificate" && inside === "certificate") inside = "signing";
        if (element === "KeyDescriptor" && inside === "signing") inside = "provider";
        if (element === "IDPSSODescriptor") inside = undefined;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for (let at = 0; at < xml.length; at += PIECE_LENGTH) {
    parser.write(xml.slice(at, at + PIECE_LENGTH));
    if (isTooMuch()) return undefined;
  }
  parser.end();
  const [issuer = "", ...others] = found.issuers;
  const certificates = [...new Set(found.keys)].map(parseCertificate).flatMap((one) => ("pem" in one ? one.pem : []));
  if (issuer === "" || others.length > 0 || found.signInUrl === "" || certificates.length === 0) return undefined;
  return { issuer, signInUrl: found.signInUrl, certificates };
}

function toLocalName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
