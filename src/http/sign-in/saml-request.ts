import { randomBytes } from "node:crypto";
import type { Request, Response } from "express";
import { buildSamlRequestUrl } from "../../../auth/sso/saml.ts";
import type { SsoConfiguration } from "../../../db/identity/sso.ts";
import { beginLogin, type LoginPurpose } from "./sso-login.ts";
import type { WebContext } from "../pages/visit.ts";

export async function startSaml(
  request: Request,
  response: Response,
  { configuration, purpose }: { configuration: SsoConfiguration; purpose: LoginPurpose },
  web: WebContext,
): Promise<void> {
  // An ID starts with a letter or underscore (xs:ID) and has at least 128 random bits (SAML Core
  // section 1.3.4).
  const requestId = `_${randomBytes(20).toString("hex")}`;
  const { state } = await beginLogin(request, response, { ...purpose, requestId }, web);
  response.redirect(
    303,
    await buildSamlRequestUrl(configuration, web.config.baseUrl, { requestId, state, again: purpose.again }),
  );
}
