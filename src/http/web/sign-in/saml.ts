import { Router, type Request, type Response } from "express";
import { readSamlResponse, samlMetadata, type SamlAnswer } from "../../../../auth/sso/saml.ts";
import { SamlRefusal, type SamlFault } from "../../../../auth/sso/saml-text.ts";
import { findOrganization } from "../../../../db/identity/organizations.ts";
import { claimAssertion } from "../../../../db/identity/saml.ts";
import type { SsoConfiguration, SsoLogin } from "../../../../db/identity/sso.ts";
import { AppError, notFound } from "../../../../core/errors.ts";
import { relayPathOf } from "../../../../core/identity/sso.ts";
import { endLogin } from "./sso-login.ts";
import { completeSso, providerInPath } from "./sso.ts";
import type { Web } from "../visit.ts";

/** Where identity providers post their answers: the one address to which a form may come from another site. */
export const SAML_ANSWERS = /^\/sso\/[0-9a-f-]{36}\/saml\/acs$/;

/** SAML 2.0: what providers are fed with, and where they answer. */
export function samlRouter(web: Web): Router {
  const router = Router();
  router.get("/sso/:organization_id/saml/metadata", (request, response) => showMetadata(request, response, web));
  router.post("/sso/:organization_id/saml/acs", (request, response) => takeAnswer(request, response, web));
  return router;
}

async function showMetadata(request: Request, response: Response, { config, deps }: Web): Promise<void> {
  const organizationId = String(request.params["organization_id"]);
  const organization = await deps.store.read((db) => findOrganization({ db, organizationId }));
  if (!organization) throw notFound("organization");
  response
    .set({ "cache-control": "no-store", "content-security-policy": "default-src 'none'" })
    .type("application/samlmetadata+xml")
    .send(samlMetadata(config.baseUrl, organization.id));
}

async function takeAnswer(request: Request, response: Response, web: Web): Promise<void> {
  const configuration = await providerInPath(request, web);
  if (configuration.protocol !== "saml") throw notFound("single sign-on by SAML");
  const form = response.locals["form"] as URLSearchParams;
  const relayState = form.get("RelayState");
  try {
    const answer = await readOnce(configuration, form.get("SAMLResponse") ?? "", web);
    const login = await loginOf(answer, relayState ?? "", configuration, web);
    await completeSso(
      response,
      {
        configuration,
        identity: answer.identity,
        login,
        initiatedBy: login?.initiatedBy ?? "idp",
        relayPath: login?.relayPath ?? relayPathOf(relayState),
      },
      web,
    );
  } catch (error) {
    if (!(error instanceof SamlRefusal)) throw error;
    const { organizationId } = configuration;
    web.log.info({ organizationId, fault: error.fault }, "answer of an identity provider refused");
    throw new AppError("FORBIDDEN", REMEDIES[error.fault], { cause: error });
  }
}

/** The answer, taken out of everybody else's hands before anything follows from it. */
async function readOnce(configuration: SsoConfiguration, field: string, { config, deps }: Web): Promise<SamlAnswer> {
  const answer = await readSamlResponse(configuration, config.baseUrl, { field, now: deps.now() });
  const { organizationId } = configuration;
  const isFirst = await deps.store.write((db) => claimAssertion({ db, organizationId }, answer));
  if (!isFirst) throw new SamlRefusal("replayed");
  return answer;
}

/** The sign-in that the answer ends; null where the provider began and the organization allows that. */
async function loginOf(
  { requestId }: SamlAnswer,
  state: string,
  { organizationId, acceptsIdpInitiated }: SsoConfiguration,
  web: Web,
): Promise<SsoLogin | null> {
  if (requestId === null) {
    if (!acceptsIdpInitiated) throw new SamlRefusal("unsolicited");
    return null;
  }
  const login = await endLogin(state, organizationId, web);
  // Whether this browser began it is for the next request to say: this one comes from another site, without our cookies.
  if (login.requestId !== requestId) throw new SamlRefusal("request");
  return login;
}

const AGAIN = "Sign in again from here.";
const ADMINISTRATOR = "Ask who administers single sign-on in your organization.";

/** What people are told, and whom to ask; the exact reason is in the log. */
const REMEDIES: Record<SamlFault, string> = {
  malformed: `The answer of your identity provider cannot be read. ${ADMINISTRATOR}`,
  weak_algorithm: `Your identity provider signs with an algorithm that is not safe, such as SHA-1; SHA-256 is needed. ${ADMINISTRATOR}`,
  encrypted: `Your identity provider encrypts its answer, which is not taken here; a signature is enough. ${ADMINISTRATOR}`,
  not_signed_in: `Your identity provider did not sign you in. ${AGAIN}`,
  signature: `The answer is not signed by the organization's identity provider, or its assertion is not. ${ADMINISTRATOR}`,
  issuer: `The answer is another identity provider's than the organization's own. ${ADMINISTRATOR}`,
  audience: `The answer is for another service: the provider's audience must be this service's entity ID. ${ADMINISTRATOR}`,
  recipient: `The answer is for another address: the provider's recipient must be this service's answer address. ${ADMINISTRATOR}`,
  expired: `The answer is too old, or the clocks differ by more than 15 seconds. ${AGAIN}`,
  subject: `Your identity provider gives you another name each time, so nobody can be recognised; a persistent NameID is needed. ${ADMINISTRATOR}`,
  unsolicited: `This organization does not begin sign-ins at its identity provider. ${AGAIN}`,
  request: `This sign-in is over, or was begun in another browser. ${AGAIN}`,
  replayed: `This sign-in was used already. ${AGAIN}`,
};
