import { Router, type Request, type Response } from "express";
import type { SigningKeys } from "../../auth/keys/signing-keys.ts";
import type { Door } from "./app.ts";

/** Far less than the day for which a new key is published before it signs. */
const MAX_AGE_SECONDS = 300;

/**
 * The public keys that access tokens are signed with, REST's and the tools' alike (RFC 7517): at the address that programs
 * look at, and at the one that the authorization server's metadata names.
 */
export function jwksDoor(keys: SigningKeys): Door {
  const router = Router();
  router.get(["/.well-known/jwks.json", "/oauth/jwks"], async (_request: Request, response: Response) => {
    const { publicJwks } = await keys.current();
    response
      .set({ "cache-control": `public, max-age=${MAX_AGE_SECONDS}`, "access-control-allow-origin": "*" })
      .type("application/jwk-set+json")
      .send(JSON.stringify(publicJwks));
  });
  return (app) => void app.use(router);
}
