import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { PasskeyRow } from "../../db/identity/second-factors/second-factors.ts";
import { parseJson } from "../../core/shared/json.ts";

/** Loaded when first needed: 30 MB, for what few installations have. */
const library = () => import("@simplewebauthn/server");

/** The site that passkeys are for (WebAuthn relying party). */
export interface PasskeySite {
  id: string;
  origin: string;
}

/** The site for passkeys; undefined where browsers offer none: they want TLS, or the machine itself. */
export function passkeySite(baseUrl: string): PasskeySite | undefined {
  const { protocol, hostname, origin } = new URL(baseUrl);
  return protocol === "https:" || hostname === "localhost" ? { id: hostname, origin } : undefined;
}

/** What the browser is asked for to make a passkey, as JSON for `navigator.credentials.create`. */
export async function askForNewPasskey(
  site: PasskeySite,
  person: { userId: string; email: string; name: string },
  { challenge, known }: { challenge: string; known: readonly PasskeyRow[] },
) {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: "Brand Visibility",
    rpID: site.id,
    userName: person.email,
    userDisplayName: person.name,
    userID: new Uint8Array(Buffer.from(person.userId)),
    challenge: bytesOf(challenge),
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    // The password comes first, so that a key without a PIN or a finger will do.
    authenticatorSelection: { residentKey: "discouraged", userVerification: "discouraged" },
  });
}

/** What is kept of a passkey that a browser made; undefined if the answer is not one to this challenge and site. */
export async function verifyNewPasskey(site: PasskeySite, challenge: string, answer: string) {
  const { verifyRegistrationResponse } = await library();
  try {
    const response = parseJson(answer) as RegistrationResponseJSON;
    if (await vouchesForMaker(response)) return undefined;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: false,
    });
    if (!verified) return undefined;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return {
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString("base64url"),
      counter,
      transports: [...transports],
      isBackedUp: registrationInfo.credentialBackedUp,
    };
  } catch {
    // The library throws for every flaw of an answer, which comes from the browser.
    return undefined;
  }
}

/**
 * True for an answer with certificates of the authenticator's maker. None are asked for, and the library would fetch the
 * address in one of them from wherever it says.
 */
async function vouchesForMaker({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import("@simplewebauthn/server/helpers");
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = attestation.get("fmt");
  return (format !== "none" && format !== "packed") || attestation.get("attStmt").get("x5c") !== undefined;
}

/** What the browser is asked for to use one of these passkeys, as JSON for `navigator.credentials.get`. */
export async function askForPasskey(site: PasskeySite, challenge: string, known: readonly PasskeyRow[]) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: site.id,
    challenge: bytesOf(challenge),
    allowCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    userVerification: "discouraged",
  });
}

/**
 * The passkey that answered, with its new counter; undefined if the answer is not one of these to this challenge and site,
 * or if its counter did not grow, which a copy of the key would show.
 */
export async function verifyPasskey(
  site: PasskeySite,
  challenge: string,
  { answer, known }: { answer: string; known: readonly PasskeyRow[] },
): Promise<{ passkey: PasskeyRow; counter: number } | undefined> {
  const { verifyAuthenticationResponse } = await library();
  try {
    const response = parseJson(answer) as AuthenticationResponseJSON;
    const passkey = known.find(({ credentialId }) => credentialId === response.id);
    if (!passkey) return undefined;
    const { credentialId: id, publicKey, counter, transports } = passkey;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")), counter, transports },
      requireUserVerification: false,
    });
    return verified ? { passkey, counter: authenticationInfo.newCounter } : undefined;
  } catch {
    // The library throws for every flaw of an answer, which comes from the browser.
    return undefined;
  }
}

function bytesOf(challenge: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(challenge, "base64url"));
}
