import { Router, type Request, type Response } from "express";
import type { SigningKeys } from "../../auth/keys/signing-keys.ts";

/** Well below the day between publishing a new key and signing with it. */
const MAX_AGE_SECONDS = 300;

/** Serves RFC 7517 keys, also at the URL in the authorization server's metadata. */
export function createJwksRouter(keys: SigningKeys): Router {
  const router = Router();
  router.get(["/.well-known/jwks.json", "/oauth/jwks"], async (_request: Request, response: Response) => {
    const { publicJwks } = await keys.getKeySet();
    response
      .set({ "cache-control": `public, max-age=${MAX_AGE_SECONDS}`, "access-control-allow-origin": "*" })
      .type("application/jwk-set+json")
      .send(JSON.stringify(publicJwks));
  });
  return router;
}
