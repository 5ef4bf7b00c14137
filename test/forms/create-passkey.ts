import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import type { Visit } from "../../examples/browser.ts";

/** Answers the passkey request of a page as an authenticator without attestation does (WebAuthn level 3). */
export function createPasskey({ text, url }: Visit): string {
  const escaped = /data-passkey="([^"]*)"/.exec(text)?.[1] ?? "";
  const asked = JSON.parse(
    escaped.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code))),
  ) as { challenge: string; rp: { id: string } };
  const id = randomBytes(16);
  const clientData = { type: "webauthn.create", challenge: asked.challenge, origin: url.origin };
  const response = {
    clientDataJSON: Buffer.from(JSON.stringify(clientData)).toString("base64url"),
    attestationObject: attestationOf(asked.rp.id, id).toString("base64url"),
  };
  const credentialId = id.toString("base64url");
  return JSON.stringify({
    id: credentialId,
    rawId: credentialId,
    type: "public-key",
    clientExtensionResults: {},
    response,
  });
}

/** CBOR of `{ fmt: "none", attStmt: {}, authData }`. */
function attestationOf(site: string, id: Buffer): Buffer {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  // Key type EC2, algorithm ES256, curve P-256.
  const key = [hex("a50102032620012158 20"), Buffer.from(x, "base64url"), hex("225820"), Buffer.from(y, "base64url")];
  const siteHash = createHash("sha256").update(site).digest();
  // User present, with a credential; the counter; no authenticator model.
  const head = [siteHash, hex("41"), Buffer.alloc(4), Buffer.alloc(16), Buffer.from([0, id.length]), id];
  const authData = Buffer.concat([...head, ...key]);
  const map = [hex("a3"), cborText("fmt"), cborText("none"), cborText("attStmt"), hex("a0"), cborText("authData")];
  return Buffer.concat([...map, Buffer.from([0x58, authData.length]), authData]);
}

function cborText(text: string): Buffer {
  return Buffer.from([0x60 + text.length, ...Buffer.from(text)]);
}

function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll(" ", ""), "hex");
}
