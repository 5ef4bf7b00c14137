import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { PasskeyRow } from "../../db/identity/second-factors/second-factors.ts";
import { parseJson } from "../../core/shared/json.ts";

/** Loads lazily: 30 MB that few installations need. */
const loadLibrary = () => import("@simplewebauthn/server");

export interface PasskeySite {
  id: string;
  origin: string;
}

/** Undefined where browsers offer no passkeys: they require TLS or the local machine. */
export function toPasskeySite(baseUrl: string): PasskeySite | undefined {
  const { protocol, hostname, origin } = new URL(baseUrl);
  return protocol === "https:" || hostname === "localhost" ? { id: hostname, origin } : undefined;
}

export async function createRegistrationOptions(
  site: PasskeySite,
  person: { userId: string; email: string; name: string },
  { challenge, known }: { challenge: string; known: readonly PasskeyRow[] },
) {
  const { generateRegistrationOptions } = await loadLibrary();
  return generateRegistrationOptions({
    rpName: "Brand Visibility",
    rpID: site.id,
    userName: person.email,
    userDisplayName: person.name,
    userID: new Uint8Array(Buffer.from(person.userId)),
    challenge: decodeChallenge(challenge),
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    // The password comes first, so a key without a PIN or fingerprint suffices.
    authenticatorSelection: { residentKey: "discouraged", userVerification: "discouraged" },
  });
}

export async function verifyNewPasskey(site: PasskeySite, challenge: string, answer: string) {
  const { verifyRegistrationResponse } = await loadLibrary();
  try {
    const response = parseJson(answer) as RegistrationResponseJSON;
    if (await hasAuthenticatorCertificate(response)) return undefined;
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
    return undefined;
  }
}

/** Certificates are not requested: the library would fetch an attacker-chosen URL in them. */
async function hasAuthenticatorCertificate({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import("@simplewebauthn/server/helpers");
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = attestation.get("fmt");
  return (format !== "none" && format !== "packed") || attestation.get("attStmt").get("x5c") !== undefined;
}

export async function createSignInOptions(site: PasskeySite, challenge: string, known: readonly PasskeyRow[]) {
  const { generateAuthenticationOptions } = await loadLibrary();
  return generateAuthenticationOptions({
    rpID: site.id,
    challenge: decodeChallenge(challenge),
    allowCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    userVerification: "discouraged",
  });
}

/** Undefined for a wrong challenge, site or key, or a counter that did not grow: a cloned key. */
export async function verifyPasskey(
  site: PasskeySite,
  challenge: string,
  { answer, known }: { answer: string; known: readonly PasskeyRow[] },
): Promise<{ passkey: PasskeyRow; counter: number } | undefined> {
  const { verifyAuthenticationResponse } = await loadLibrary();
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
    return undefined;
  }
}

function decodeChallenge(challenge: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(challenge, "base64url"));
}
