import type { Request, Response } from "express";
import { readSamlResponse, generateSamlMetadata, type SamlResponse } from "../../../auth/sso/saml.ts";
import { SamlRejection, type SamlFault } from "../../../auth/sso/saml-text.ts";
import { findOrganization } from "../../../db/identity/organizations.ts";
import { claimAssertion } from "../../../db/identity/saml.ts";
import type { SsoConfiguration, SsoLogin } from "../../../db/identity/sso.ts";
import { AppError, notFound } from "../../../core/shared/errors.ts";
import { toSafeRelayPath } from "../../../core/identity/sso.ts";
import { takeLogin } from "./sso-login.ts";
import { completeSso, loadProviderFromPath } from "./sso-routes.ts";
import { get, post, type Route } from "../pages/routes.ts";
import type { WebContext } from "../pages/visit.ts";

const SAML_PATH = "/sso/:organization_id/saml";

/** The only path that accepts cross-site forms: identity providers post responses here. */
export const SAML_RESPONSE_PATH_PATTERN = /^\/sso\/[0-9a-f-]{36}\/saml\/acs$/;

export const samlRoutes: readonly Route[] = [
  get(`${SAML_PATH}/metadata`, showMetadata),
  post(`${SAML_PATH}/acs`, handleSamlResponse),
];

async function showMetadata(request: Request, response: Response, { config, deps }: WebContext): Promise<void> {
  const organizationId = String(request.params["organization_id"]);
  const organization = await deps.store.read((db) => findOrganization({ db, organizationId }));
  if (!organization) throw notFound("organization");
  response
    .set("cache-control", "no-store")
    .type("application/samlmetadata+xml")
    .send(await generateSamlMetadata(config.baseUrl, organization.id));
}

async function handleSamlResponse(request: Request, response: Response, web: WebContext): Promise<void> {
  const configuration = await loadProviderFromPath(request, web);
  if (configuration.protocol !== "saml") throw notFound("SAML configuration");
  const form = response.locals["form"] as URLSearchParams;
  const relayState = form.get("RelayState");
  try {
    const answer = await readFreshResponse(configuration, form.get("SAMLResponse") ?? "", web);
    const login = await resolveLogin(answer, relayState ?? "", configuration, web);
    await completeSso(
      response,
      {
        configuration,
        identity: answer.identity,
        login,
        initiatedBy: login?.initiatedBy ?? "idp",
        relayPath: login?.relayPath ?? toSafeRelayPath(relayState),
      },
      web,
    );
  } catch (error) {
    if (!(error instanceof SamlRejection)) throw error;
    const { organizationId } = configuration;
    web.log.info({ organizationId, fault: error.fault }, "SAML response rejected");
    throw new AppError("FORBIDDEN", SAML_REMEDIES[error.fault], { cause: error });
  }
}

/** Marks the response as used before any effect, to prevent replays. */
async function readFreshResponse(configuration: SsoConfiguration, field: string, { config, deps }: WebContext) {
  const answer = await readSamlResponse(configuration, config.baseUrl, { field, now: deps.now() });
  const { organizationId } = configuration;
  const isFirst = await deps.store.write((db) => claimAssertion({ db, organizationId }, answer));
  if (!isFirst) throw new SamlRejection("replayed");
  return answer;
}

/** Null if the provider started the sign-in and the organization allows that. */
async function resolveLogin(
  { requestId }: SamlResponse,
  state: string,
  { organizationId, acceptsIdpInitiated }: SsoConfiguration,
  web: WebContext,
): Promise<SsoLogin | null> {
  if (requestId === null) {
    if (!acceptsIdpInitiated) throw new SamlRejection("unsolicited");
    return null;
  }
  const login = await takeLogin(state, organizationId, web);
  // The next request checks the browser: this one is cross-site, without our cookies.
  if (login.requestId !== requestId) throw new SamlRejection("request");
  return login;
}

const SIGN_IN_AGAIN = "Sign in again from here.";
const ADMINISTRATOR = "Contact your organization's single sign-on administrator.";

/** Messages name the remedy; the log has the exact reason. */
const SAML_REMEDIES: Record<SamlFault, string> = {
  malformed: `The response of your identity provider is not valid SAML. ${ADMINISTRATOR}`,
  weak_algorithm: `Your identity provider signs with an insecure algorithm, such as SHA-1. It must use SHA-256. ${ADMINISTRATOR}`,
  encrypted: `Your identity provider encrypts its response, which is not supported. It must only sign it. ${ADMINISTRATOR}`,
  not_signed_in: `Your identity provider did not sign you in. ${SIGN_IN_AGAIN}`,
  signature: `The response or its assertion is not signed by your organization's identity provider. ${ADMINISTRATOR}`,
  issuer: `The response is from another identity provider than your organization's. ${ADMINISTRATOR}`,
  audience: `The response is for another service. The provider's audience must be this service's entity ID. ${ADMINISTRATOR}`,
  recipient: `The response is for another URL. The provider's recipient must be this service's assertion consumer URL. ${ADMINISTRATOR}`,
  expired: `The response has expired, or the clocks differ by more than 15 seconds. ${SIGN_IN_AGAIN}`,
  subject: `Your identity provider sends a different NameID on each sign-in. It must send a persistent one. ${ADMINISTRATOR}`,
  unsolicited: `This organization does not allow sign-ins started at its identity provider. ${SIGN_IN_AGAIN}`,
  request: `This sign-in has ended, or was started in another browser. ${SIGN_IN_AGAIN}`,
  replayed: `This sign-in was already used. ${SIGN_IN_AGAIN}`,
};
