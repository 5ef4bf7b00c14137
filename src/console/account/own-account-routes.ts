import { findPasswordProblem } from "../../../auth/people/password-rules.ts";
import { proveByLink } from "../../../auth/people/prove-address.ts";
import { findPersonOfPasswordLink, setPassword } from "../../../auth/people/set-password.ts";
import { listUnreadNotices, markNoticesRead } from "../../../db/identity/notices.ts";
import { findUser } from "../../../db/identity/users.ts";
import { endSession } from "../../../tools/account/end-session.ts";
import { listSessions } from "../../../tools/account/list-sessions.ts";
import { signOutEverywhere } from "../../../tools/account/sign-out-everywhere.ts";
import { updateMe } from "../../../tools/account/update-me.ts";
import { AppError, notFound } from "../../../core/shared/errors.ts";
import { renderOwnAccountPage, type AccountForm } from "./own-account-page.ts";
import { passwordSetPage, renderSetPasswordPage } from "../../http/sign-in/pages/set-password-page.ts";
import { checkPassword, createPasswordTry } from "../../http/sign-in/password-sign-in.ts";
import { hashOrProblem, toRateLimitProblem } from "../../http/sign-in/rate-limit-problem.ts";
import { insertPersonEvent } from "../../http/sign-in/sign-in-events.ts";
import { pageWithForms, type FormAction, type Notice } from "../shared/page-with-forms.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { sendPage } from "../../http/pages/page.ts";
import { parseQuery } from "../../http/body.ts";
import { endWebSession, getCurrentSignIn, startWebSession, type WebContext } from "../../http/pages/visit.ts";
import { showPage } from "../shared/show-page.ts";
import { formRoute, get, post, type Route } from "../../http/pages/routes.ts";
import type { Request, Response } from "express";

const RENAME_ACCOUNT_ACTION: FormAction = {
  endpoint: updateMe,
  done: "Saved.",
  fields: (form) => ({ name: form.get("name") }),
};
const END_SESSION_ACTION: FormAction = {
  endpoint: endSession,
  done: "That browser is signed out.",
  fields: (form) => ({ session_id: form.get("session_id") }),
};
const PASSWORD_CHANGED_MESSAGE =
  "Password changed. Your other browsers are signed out and all assistants are disconnected.";

/** Includes the page of a set-password link. No endpoint accepts a password. */
export const ownAccountRoutes: readonly Route[] = [
  ...pageWithForms("/account", showAccount, { rename: RENAME_ACCOUNT_ACTION, end: END_SESSION_ACTION }),
  formRoute("/account", "password", changePassword),
  formRoute("/account", "sign-out", async ({ web, request, response, call, form: sent }) => {
    await call(signOutEverywhere, { api_keys: sent.get("api_keys") === "1" });
    await endWebSession(request, response, web);
    response.redirect(303, "/signed-out");
  }),
  formRoute("/account", "notices", async ({ web: { deps }, visitor: { userId }, response }) => {
    await deps.store.write((db) => markNoticesRead(db, userId, deps.now()));
    response.redirect(303, "/account");
  }),
  get("/set-password", showPasswordLink),
  post("/set-password", setPasswordByLink),
];

async function showAccount(visit: Visit, { status, ...notice }: Notice): Promise<void> {
  const { visitor, request, query, web } = visit;
  const user = await web.deps.store.read((db) => findUser(db, visitor.userId));
  if (!user) throw notFound("account");
  const { data: sessions, next_cursor } = await visit.call(listSessions, { limit: 100 });
  const message = notice.problem;
  const name = request.path.split("/").at(-1) as AccountForm;
  const changed = query.get("done") === "password";
  const view = {
    name: user.name,
    email: user.email,
    hasPassword: user.passwordHash !== null,
    secondFactorAt: user.secondFactorAt,
    canRename: user.managedByOrganizationId === null,
    sessions,
    notices: await web.deps.store.read((db) => listUnreadNotices(db, visitor.userId)),
    hasMoreSessions: next_cursor !== null,
    sessionId: visitor.sessionId,
    done: notice.done ?? (changed ? PASSWORD_CHANGED_MESSAGE : undefined),
    problem: message === undefined ? undefined : { form: name, message },
  };
  const visitWithoutNotices = { ...visit, visitor: { ...visitor, unreadNoticeCount: 0 } };
  showPage(visitWithoutNotices, { title: "Your account", section: null, status, content: renderOwnAccountPage(view) });
}

/** Shares the attempt limit of sign-in. This browser stays signed in with a new cookie. */
async function changePassword(visit: Visit): Promise<void> {
  const { visitor, request, response, form: sent, web } = visit;
  const password = sent.get("password") ?? "";
  const refuse = (problem: string, status = 400) => showAccount(visit, { problem, status });
  const present = { email: visitor.email, password: sent.get("present") ?? "" };
  const checked = await checkPassword(request, present, web).catch((error: unknown) => ({
    problem: toRateLimitProblem(error, response),
  }));
  if (typeof checked === "object") return refuse(checked.problem, 429);
  if (checked !== visitor.userId) return refuse("The current password is wrong.");
  const problem = await findPasswordProblem(password, visitor);
  if (problem !== undefined) return refuse(problem);
  const hashed = await hashOrProblem(password, createPasswordTry(request, visitor.email, web), response);
  if ("problem" in hashed) return refuse(hashed.problem, 429);
  const { passwordHash } = hashed;
  await web.deps.store.write(async (db) => {
    await setPassword(db, visitor.userId, passwordHash);
    await insertPersonEvent(db, { name: "changePassword", userId: visitor.userId }, response, web.deps);
  });
  await startWebSession(request, response, getCurrentSignIn(visitor), web);
  response.redirect(303, "/account?done=password");
}

async function showPasswordLink(request: Request, response: Response, { deps }: WebContext): Promise<void> {
  const linkToken = parseQuery(request.originalUrl).get("link") ?? "";
  const person = await deps.store.read((db) => findPersonOfPasswordLink(db, linkToken, deps.now()));
  if (!person) throw createExpiredLinkError();
  sendPage(response, { title: "New password", body: renderSetPasswordPage({ linkToken, email: person.email }) });
}

async function setPasswordByLink(request: Request, response: Response, web: WebContext): Promise<void> {
  const { deps } = web;
  const sent = response.locals["form"] as URLSearchParams;
  const [linkToken, password] = [sent.get("link") ?? "", sent.get("password") ?? ""];
  const person = await deps.store.read((db) => findPersonOfPasswordLink(db, linkToken, deps.now()));
  if (!person) throw createExpiredLinkError();
  const refuse = (problemText: string, status: number) => {
    const body = renderSetPasswordPage({ linkToken, email: person.email, problem: problemText });
    sendPage(response, { title: "New password", body, status });
  };
  const problem = await findPasswordProblem(password, person);
  if (problem !== undefined) return refuse(problem, 400);
  const hashed = await hashOrProblem(password, createPasswordTry(request, person.email, web), response);
  if ("problem" in hashed) return refuse(hashed.problem, 429);
  const { passwordHash } = hashed;
  await deps.store.write(async (db) => {
    // Checks again: the second of two concurrent requests finds the link used.
    if (!(await findPersonOfPasswordLink(db, linkToken, deps.now()))) throw createExpiredLinkError();
    await setPassword(db, person.id, passwordHash);
    // Proves the address for the operator, who issued the link.
    await proveByLink(
      db,
      { userId: person.id, email: person.email, organizationId: null },
      { now: deps.now(), newId: deps.newId },
    );
    await insertPersonEvent(db, { name: "setPassword", userId: person.id }, response, deps);
  });
  await endWebSession(request, response, web);
  sendPage(response, { title: "Password set", body: passwordSetPage });
}

function createExpiredLinkError(): AppError {
  return new AppError(
    "NOT_FOUND",
    "This link was used, replaced or is more than an hour old. Ask your administrator for a new one.",
  );
}
