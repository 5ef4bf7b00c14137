import type { FramedVisitor } from "../../http/pages/frame.ts";
import { isRecent } from "../../../auth/recent-sign-in.ts";
import { findSsoConfiguration } from "../../../db/identity/sso.ts";
import { findUser } from "../../../db/identity/users.ts";
import { holdForm, removeHeldForm } from "../../http/pages/held-forms.ts";
import { renderSignInAgainPage } from "../../http/sign-in/pages/sign-in-again-page.ts";
import { sendPage } from "../../http/pages/page.ts";
import { parseLocalPath, type WebContext } from "../../http/pages/visit.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { pageRoute, type Route } from "../../http/pages/routes.ts";

const PATH = "/sign-in/again";

/** Uses a separate page, so that Back does not resubmit the form. */
export async function askToSignInAgain({ visitor, request, response, web }: Visit, page: string): Promise<void> {
  const next = await holdForm(request, response, { page, userId: visitor.userId }, web);
  response.redirect(303, `${PATH}?${new URLSearchParams({ next }).toString()}`);
}

export const signInAgainRoutes: readonly Route[] = [
  pageRoute(PATH, async ({ web, visitor, response, query }) => {
    const nextPath = parseLocalPath(query.get("next")) ?? "/";
    if (isRecent(visitor.authenticatedAt, web.deps.now())) return response.redirect(303, removeHeldForm(nextPath));
    const body = renderSignInAgainPage({ email: visitor.email, nextPath, ...(await findSignInMethods(visitor, web)) });
    sendPage(response, { title: "Sign in again", body, status: 403 });
  }),
];

async function findSignInMethods({ userId, proof }: FramedVisitor, { deps }: WebContext) {
  return deps.store.read(async (db) => {
    const organizationId = proof.way === "provider" ? proof.organizationId : null;
    const provider = organizationId === null ? undefined : await findSsoConfiguration({ db, organizationId });
    const user = await findUser(db, userId);
    return { through: provider?.organizationId, hasPassword: (user?.passwordHash ?? null) !== null };
  });
}
