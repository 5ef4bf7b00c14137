import type { Request, Response } from "express";
import { findOrganizationByDomain } from "../../../db/identity/domains/domains.ts";
import { findMembership } from "../../../db/identity/organizations.ts";
import { findSsoConfiguration, type SsoConfiguration } from "../../../db/identity/sso.ts";
import type { Db } from "../../../db/engine/store.ts";
import { redirectPage } from "../pages/message.ts";
import { signInPage } from "./pages/sign-in-page.ts";
import { sendPage } from "../pages/page.ts";
import { post, type Route } from "../pages/routes.ts";
import { parseLocalPath, type WebContext } from "../pages/visit.ts";
import { getProblemText, rejectSignIn } from "./rejected-sign-in.ts";

export const ssoSignInRoutes: readonly Route[] = [post("/sso/sign-in", startOrganizationSignIn)];

/** The response depends on the domain only, so that it does not reveal which accounts exist. */
async function startOrganizationSignIn(_request: Request, response: Response, web: WebContext): Promise<void> {
  const form = response.locals["form"] as URLSearchParams;
  const email = (form.get("email") ?? "").trim();
  const nextPath = parseLocalPath(form.get("next"));
  const provider = await web.deps.store.read((db) => findProviderByEmail(db, email));
  if (provider) {
    const to = startAddress(provider, { email, nextPath: nextPath ?? "/" });
    return sendPage(response, { title: "One moment", body: redirectPage(to), redirectTo: to });
  }
  const problemCode = email === "" ? "no-email" : "no-provider";
  if (!nextPath?.startsWith("/oauth/interaction/"))
    return rejectSignIn(response, { problemCode, email, nextPath }, web);
  const body = signInPage({ action: `${nextPath}/sign-in`, email, problem: getProblemText(problemCode), nextPath });
  sendPage(response, { title: "Sign in", body, status: 400 });
}

/** For use after a correct password. Undefined for owners of the organization. */
export async function findRequiredProvider(
  user: { userId: string; email: string; nextPath: string },
  { deps }: WebContext,
) {
  return deps.store.read(async (db) => {
    const provider = await findProviderByEmail(db, user.email);
    if (!provider?.isRequired) return undefined;
    const membership = await findMembership({ db, organizationId: provider.organizationId }, user.userId);
    return membership?.role === "owner" ? undefined : startAddress(provider, user);
  });
}

async function findProviderByEmail(db: Db, email: string): Promise<SsoConfiguration | undefined> {
  const domain = email
    .slice(email.lastIndexOf("@") + 1)
    .trim()
    .toLowerCase();
  const organizationId = email.includes("@") ? await findOrganizationByDomain(db, domain) : undefined;
  return organizationId === undefined ? undefined : findSsoConfiguration({ db, organizationId });
}

function startAddress(
  { organizationId }: SsoConfiguration,
  { email, nextPath }: { email: string; nextPath: string },
): string {
  const query = new URLSearchParams({ relay_path: nextPath, login_hint: email });
  return `/sso/${organizationId}/start?${query.toString()}`;
}
