// Checks raw text before any parser, so that differences between parsers cannot be exploited.

export type SamlFault =
  /** The text is no SAML response, too large, or has markup that no provider writes. */
  | "malformed"
  | "weak_algorithm"
  | "encrypted"
  | "not_signed_in"
  | "signature"
  | "issuer"
  | "audience"
  | "recipient"
  | "expired"
  /** The subject does not identify the person permanently. */
  | "subject"
  /** The response answers none of our requests, and the organization does not allow that. */
  | "unsolicited"
  | "request"
  | "replayed";

/** Rejection of a SAML response; contains no text of the response. */
export class SamlRejection extends Error {
  override name = "SamlRejection";
  readonly fault: SamlFault;

  constructor(fault: SamlFault, options?: { cause: unknown }) {
    super(`SAML response rejected: ${fault}`, options);
    this.fault = fault;
  }
}

// Limits of a SAML response, above those of one with a thousand groups.
const MAX_CHARACTERS = 256 * 1024;
const MAX_TAGS = 2500;
const MAX_DEPTH = 16;
const MAX_ATTRIBUTES = 16;
const MAX_VALUE_LENGTH = 1000;

/** RSA with SHA-2, SAML transforms (Core section 5.4.4); no SHA-1 (RFC 9155). */
const ALLOWED_ALGORITHMS = new Set([
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
  "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1",
  "http://www.w3.org/2001/04/xmlenc#sha256",
  "http://www.w3.org/2001/04/xmlenc#sha512",
  "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
  "http://www.w3.org/2001/10/xml-exc-c14n#",
  "http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
]);

export function decodeSamlResponse(field: string): string {
  if (field.length === 0 || field.length > MAX_CHARACTERS * 2) throw new SamlRejection("malformed");
  const base64 = field.replaceAll(/\s/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new SamlRejection("malformed");
  const xml = Buffer.from(base64, "base64").toString("utf8");
  if (xml.length > MAX_CHARACTERS || xml.includes("\u0000")) throw new SamlRejection("malformed");
  const tags = parseTags(xml);
  requireBounded(tags);
  if (tags.some(({ name }) => /(?:^|:)Encrypted(?:Assertion|ID|Attribute)$/.test(name))) {
    throw new SamlRejection("encrypted");
  }
  const algorithms = tags.flatMap(({ attributes }) => attributes.filter(([name]) => /(?:^|:)Algorithm$/.test(name)));
  if (algorithms.some(([, value]) => !ALLOWED_ALGORITHMS.has(value))) throw new SamlRejection("weak_algorithm");
  return xml;
}

const SUCCESS_STATUS_URI = "urn:oasis:names:tc:SAML:2.0:status:Success";

/** True if the response has exactly one top-level status, Success (SAML Core section 3.2.2.2). */
export function hasSuccessStatus(xml: string): boolean {
  const path: string[] = [];
  const codes: (string | undefined)[] = [];
  for (const { kind, name, attributes } of parseTags(xml)) {
    if (kind === "close") path.pop();
    else path.push(name.replace(/^.*:/, ""));
    if (kind !== "close" && path.join("/") === "Response/Status/StatusCode") {
      codes.push(attributes.find(([key]) => key === "Value")?.[1]);
    }
    if (kind === "empty") path.pop();
  }
  return codes.length === 1 && codes[0] === SUCCESS_STATUS_URI;
}

interface XmlTag {
  kind: "open" | "close" | "empty";
  name: string;
  /** Raw values: entities are not decoded. */
  attributes: (readonly [name: string, value: string])[];
}

const XML_NAME_SOURCE = String.raw`[A-Za-z_][\w:.-]*`;
const XML_ATTRIBUTE_SOURCE = String.raw`\s+(${XML_NAME_SOURCE})\s*=\s*(?:"([^"]*)"|'([^']*)')`;
const TAG_PATTERN = new RegExp(String.raw`^(/?)(${XML_NAME_SOURCE})((?:${XML_ATTRIBUTE_SOURCE})*)\s*(/?)>`);
const ATTRIBUTE_PATTERN = new RegExp(XML_ATTRIBUTE_SOURCE, "g");

/** Rejects comments: canonicalisation drops them, so an attacker could add them to signed text. */
function parseTags(xml: string): XmlTag[] {
  const [before = "", ...pieces] = xml.replace(/^\uFEFF?<\?xml\s[^?<>]*\?>/, "").split("<");
  if (before.trim() !== "" || pieces.length > MAX_TAGS) throw new SamlRejection("malformed");
  return pieces.map((piece) => {
    const [, closes, name = "", attributes = "", , , , isEmpty] = TAG_PATTERN.exec(piece) ?? [];
    if (name === "") throw new SamlRejection("malformed");
    return {
      kind: closes === "/" ? "close" : isEmpty === "/" ? "empty" : "open",
      name,
      attributes: [...attributes.matchAll(ATTRIBUTE_PATTERN)].map(
        ([, key = "", double, single]) => [key, double ?? single ?? ""] as const,
      ),
    };
  });
}

/** Bounds signature verification work, because any caller can send a response. */
function requireBounded(tags: readonly XmlTag[]): void {
  let [depth, signing, total] = [0, 0, 0];
  for (const { kind, name, attributes } of tags) {
    depth += kind === "open" ? 1 : kind === "close" ? -1 : 0;
    // At most 4: a Signature and a Reference, for the response and for its assertion.
    if (kind !== "close" && /(?:^|:)(?:Signature|Reference)$/.test(name)) signing++;
    total += attributes.length;
    const isLong = attributes.some(([, value]) => value.length > MAX_VALUE_LENGTH);
    const isMuch = attributes.length > MAX_ATTRIBUTES || total > 2 * MAX_TAGS;
    if (depth > MAX_DEPTH || signing > 4 || isMuch || isLong) throw new SamlRejection("malformed");
  }
}
