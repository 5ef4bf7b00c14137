import { createHash } from "node:crypto";
import type { SAML } from "@node-saml/node-saml";
import { toInstant, addMs, type Instant } from "../../core/shared/time.ts";
import { CLOCK_TOLERANCE_SECONDS } from "../oauth/access-tokens.ts";
import type { ProvenIdentity } from "./proven-identity.ts";
import { AssertionSchema, listAttributeValues, type SignedAssertion } from "./saml-assertion.ts";
import { decodeSamlResponse, SamlRejection, hasSuccessStatus, type SamlFault } from "./saml-text.ts";

/** Loads lazily: half a megabyte of XML and signature code that few installations need. */
const loadLibrary = () => import("@node-saml/node-saml");

export interface SamlProvider {
  organizationId: string;
  issuer: string;
  signInUrl: string | null;
  /** Certificates in PEM. */
  certificates: string[];
  emailClaim: string;
  nameClaim: string;
  groupsClaim: string;
  trustsEmail: boolean;
}

export interface SamlResponse {
  identity: ProvenIdentity;
  /** Unique id of the assertion within the organization, for replay checks. */
  assertionHash: string;
  /** Id of our request in the signed assertion; null if the provider started the sign-in. */
  requestId: string | null;
  /** Replay records can be deleted after this, because the assertion is rejected as expired. */
  expiresAt: Instant;
}

export function buildSamlAddresses(baseUrl: string, organizationId: string): { entityId: string; acsUrl: string } {
  const address = `${baseUrl}/sso/${organizationId}/saml`;
  return { entityId: `${address}/metadata`, acsUrl: `${address}/acs` };
}

/** Metadata for the provider (SAML Metadata section 2.4); identical text on every call. */
export async function generateSamlMetadata(baseUrl: string, organizationId: string): Promise<string> {
  const { generateServiceProviderMetadata } = await loadLibrary();
  const { entityId, acsUrl } = buildSamlAddresses(baseUrl, organizationId);
  return generateServiceProviderMetadata({
    issuer: entityId,
    callbackUrl: acsUrl,
    identifierFormat: null,
    wantAssertionsSigned: true,
    generateUniqueId: () => `_${organizationId}`,
  });
}

/** Sign-in URL with a request (SAML Bindings section 3.4). `again` forces re-authentication. */
export async function buildSamlRequestUrl(
  provider: SamlProvider,
  baseUrl: string,
  { requestId, state, again = false }: { requestId: string; state: string; again?: boolean },
): Promise<string> {
  const saml = await openSaml(provider, baseUrl, requestId, again);
  return saml.getAuthorizeUrlAsync(state, undefined, {});
}

/** Verifies a response without replay checks, which the store does. Throws SamlRejection. */
export async function readSamlResponse(
  provider: SamlProvider,
  baseUrl: string,
  { field, now }: { field: string; now: Instant },
): Promise<SamlResponse> {
  const xml = decodeSamlResponse(field);
  const assertion = await verifyAssertion(provider, baseUrl, xml);
  if (!hasSuccessStatus(xml)) throw new SamlRejection("not_signed_in");
  const { acsUrl } = buildSamlAddresses(baseUrl, provider.organizationId);
  if (assertion.Issuer[0] !== provider.issuer) throw new SamlRejection("issuer");
  requireValidTime(assertion.Conditions[0].$ ?? {}, now);
  const { InResponseTo: requestId, NotOnOrAfter: end } = findConfirmation(assertion, acsUrl, now);
  return {
    identity: toProvenIdentity(assertion, provider),
    assertionHash: createHash("sha256").update(`${provider.issuer}\n${assertion.$.ID}`).digest("base64url"),
    requestId: requestId ?? null,
    expiresAt: addMs(new Date(end).toISOString(), 2 * TOLERANCE_MS),
  };
}

const TOLERANCE_MS = CLOCK_TOLERANCE_SECONDS * 1000;

/** Disables the library's request store: each request is bound to its browser instead. */
const NO_REQUEST_CACHE = { saveAsync: async () => null, getAsync: async () => null, removeAsync: async () => null };

async function openSaml(
  { organizationId, certificates, signInUrl }: SamlProvider,
  baseUrl: string,
  requestId: string,
  again = false,
): Promise<SAML> {
  const { SAML, ValidateInResponseTo } = await loadLibrary();
  const { entityId, acsUrl } = buildSamlAddresses(baseUrl, organizationId);
  return new SAML({
    issuer: entityId,
    callbackUrl: acsUrl,
    audience: entityId,
    idpCert: certificates,
    entryPoint: signInUrl ?? "",
    // Leaves identifier and authentication method to the provider; the assertion is checked here.
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    forceAuthn: again,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: TOLERANCE_MS,
    validateInResponseTo: ValidateInResponseTo.never,
    cacheProvider: NO_REQUEST_CACHE,
    generateUniqueId: () => requestId,
  });
}

/** Returns the assertion exactly as signed. Around it, only the status counts. */
async function verifyAssertion(provider: SamlProvider, baseUrl: string, xml: string): Promise<SignedAssertion> {
  const field = Buffer.from(xml).toString("base64");
  const { SamlStatusError } = await loadLibrary();
  const saml = await openSaml(provider, baseUrl, "");
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: field }).catch((cause: unknown) => {
    throw new SamlRejection(cause instanceof SamlStatusError ? "not_signed_in" : classifyFault(cause), { cause });
  });
  const parsed = AssertionSchema.safeParse(profile?.getAssertion?.());
  if (!parsed.success) throw new SamlRejection("malformed", { cause: parsed.error });
  return parsed.data.Assertion;
}

/** Maps library errors by message; all others concern the signature. */
function classifyFault(error: unknown): SamlFault {
  const message = error instanceof Error ? error.message : "";
  if (/audience/i.test(message)) return "audience";
  return /not yet valid|expired/.test(message) ? "expired" : "signature";
}

/** Finds the bearer confirmation for this URL and time (SAML Profiles section 4.1.4.2). */
function findConfirmation({ Subject: [subject] }: SignedAssertion, acsUrl: string, now: Instant) {
  const bearers = subject.SubjectConfirmation.filter(({ $ }) => $.Method === "urn:oasis:names:tc:SAML:2.0:cm:bearer");
  const ours = bearers.flatMap(({ SubjectConfirmationData: list }) => list?.[0].$ ?? []);
  const [confirmation, ...others] = ours.filter(({ Recipient: recipient }) => recipient === acsUrl);
  if (!confirmation || others.length > 0) throw new SamlRejection("recipient");
  requireValidTime(confirmation, now);
  return confirmation;
}

function requireValidTime(
  { NotBefore: from, NotOnOrAfter: end }: { NotBefore?: string | undefined; NotOnOrAfter?: string | undefined },
  now: Instant,
): void {
  const at = Date.parse(now);
  const early = from !== undefined && at + TOLERANCE_MS < Date.parse(from);
  const late = end !== undefined && at - TOLERANCE_MS >= Date.parse(end);
  if (early || late) throw new SamlRejection("expired");
}

/** A transient NameID changes every time, so it identifies no person (SAML Core section 8.3). */
const TRANSIENT_FORMAT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";
const EMAIL_FORMAT = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";

function toProvenIdentity(assertion: SignedAssertion, provider: SamlProvider): ProvenIdentity {
  const [{ _: text, $: { Format: format } = {} }] = assertion.Subject[0].NameID;
  const subject = text.trim();
  if (subject === "" || subject.length > 1000 || format === TRANSIENT_FORMAT) throw new SamlRejection("subject");
  const [email = format === EMAIL_FORMAT ? subject : null] = listAttributeValues(
    assertion,
    provider.emailClaim,
    "email",
  );
  const [name = null] = listAttributeValues(assertion, provider.nameClaim, "name");
  const groups = listAttributeValues(assertion, provider.groupsClaim, "groups");
  const instants = assertion.AuthnStatement.flatMap(({ $ }) => $?.AuthnInstant ?? []);
  const authenticatedAt = instants.length === 0 ? null : toInstant(Math.max(...instants.map(Date.parse)));
  const { issuer, trustsEmail: emailVerified } = provider;
  return { issuer, subject, email, emailVerified, name, groups, authenticatedAt };
}
