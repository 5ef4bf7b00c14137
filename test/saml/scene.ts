import { Browser, type Visit } from "../../examples/browser.ts";
import { buildSamlAddresses } from "../../auth/sso/saml.ts";
import { configureSso, verifyDomain } from "../sso/scene.ts";
import { world } from "../support/world.ts";
import type { ResponseSettings } from "./provider-program.ts";
import type { PostedResponse, startSamlProvider } from "./provider.ts";

type Provider = Awaited<ReturnType<typeof startSamlProvider>>;

export const ALICE: ResponseSettings["user"] = {
  subject: "alice-7f3a",
  attributes: { email: "alice@acme.test", name: "Alice", groups: ["analysts"] },
};

/** The service with an organization that signs in through the provider. */
export async function samlScene(idp: Provider, settings: Record<string, unknown> = {}) {
  await idp.tell({ user: ALICE });
  const w = await world();
  const acme = await w.acme();
  const { id } = acme.organization;
  await verifyDomain(w, id, "acme.test");
  const saml = {
    protocol: "saml",
    issuer: idp.issuer,
    sign_in_url: idp.signInUrl,
    certificates: [idp.certificate],
    trusts_email: true,
  };
  const configure = (more: Record<string, unknown>) => configureSso(w, acme, { ...saml, ...more });
  await configure(settings);
  const service = buildSamlAddresses(w.config.baseUrl, id);
  const startUrl = (query = "") => `${w.config.baseUrl}/sso/${id}/start${query}`;
  /** The provider's response to a sign-in that this browser began at the service. */
  async function answerFor(browser: Browser, query = ""): Promise<PostedResponse> {
    const asking = new Browser((url) => url.href.startsWith(idp.signInUrl));
    asking.cookies = browser.cookies;
    const { url } = await asking.get(startUrl(query));
    browser.cookies = asking.cookies;
    return idp.formAt(url.href);
  }
  return {
    ...acme,
    w,
    service,
    startUrl,
    configure,
    answerFor,
    /** The provider's response to a sign-in that began at the provider. */
    launched: (relay = "") => idp.formAt(idp.launchUrl(service, relay)),
    /** Through the provider and back. */
    come: async (browser: Browser, query = "") => post(browser, await answerFor(browser, query)),
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

/**
 * Posts a response like a browser from another site: without SameSite cookies, which follow on the
 * next request.
 */
export async function post(browser: Browser, { action, ...fields }: PostedResponse): Promise<Visit> {
  const crossing = new Browser((url) => url.pathname === "/sso/finish");
  crossing.cookies = browser.cookies;
  const fromElsewhere = { origin: "https://idp.test", "sec-fetch-site": "cross-site", cookie: "" };
  const page = await crossing.post(action, new URLSearchParams(fields), fromElsewhere);
  browser.cookies = crossing.cookies;
  return page.status === 0 ? browser.get(page.url) : page;
}
