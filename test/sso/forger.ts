import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

/** Defects of an ID token that the forger creates. */
export interface Forgery {
  claims?: Record<string, unknown>;
  /** `none` omits the signature; `HS256` signs with the provider's public key as the secret. */
  algorithm?: "none" | "HS256";
  /** Signs with a key that the provider does not publish. */
  withOtherKey?: boolean;
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/**
 * A provider on loopback that lets everybody in as Ann, with a token as wrong as a test wants it.
 */
export async function startForger() {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const other = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "k1", alg: "ES256", use: "sig" };
  let forgery: Forgery = {};
  let nonce = "";
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    const json = (body: unknown) => response.setHeader("content-type", "application/json").end(JSON.stringify(body));
    if (url.pathname === "/jwks") return json({ keys: [jwk] });
    if (url.pathname === "/token") {
      return void idToken().then((id_token) => json({ access_token: "x", token_type: "bearer", id_token }));
    }
    if (url.pathname === "/authorize") {
      nonce = url.searchParams.get("nonce") ?? "";
      const to = new URL(url.searchParams.get("redirect_uri") ?? "");
      to.search = new URLSearchParams({ code: "c", state: url.searchParams.get("state") ?? "" }).toString();
      return response.writeHead(303, { location: to.href }).end();
    }
    return json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["ES256", "HS256", "none"],
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function idToken(): Promise<string> {
    const iat = Math.floor(Date.now() / 1000);
    const person = { sub: "ann", email: "ann@acme.test", email_verified: true, name: "Ann" };
    const claims = { iss: issuer, aud: "visibility", iat, exp: iat + 300, nonce, ...person, ...forgery.claims };
    if (forgery.algorithm === "none") {
      return `${part({ alg: "none" })}.${part(claims)}.`;
    }
    const header = { alg: forgery.algorithm ?? "ES256", kid: "k1" };
    const key = forgery.algorithm === "HS256" ? Buffer.from(JSON.stringify(jwk)) : privateKey;
    return new SignJWT(claims).setProtectedHeader(header).sign(forgery.withOtherKey ? other.privateKey : key);
  }

  return {
    settings: { protocol: "oidc", issuer, client_id: "visibility", client_secret: "s3cret" },
    forge: (next: Forgery) => void (forgery = next),
    /** The nonce of the newest sign-in. */
    nonce: () => nonce,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
