import { Router } from "express";
import { problemOfPassword } from "../../../../auth/people/password-rules.ts";
import { proveByLink } from "../../../../auth/people/prove-address.ts";
import { findPersonOfPasswordLink, setPassword } from "../../../../auth/people/set-password.ts";
import { listUnreadNotices, readNotices } from "../../../../db/identity/notices.ts";
import { findUser } from "../../../../db/identity/users.ts";
import { endSession } from "../../../../tools/account/end-session.ts";
import { listSessions } from "../../../../tools/account/list-sessions.ts";
import { signOutEverywhere } from "../../../../tools/account/sign-out-everywhere.ts";
import { updateMe } from "../../../../tools/account/update-me.ts";
import { AppError, notFound } from "../../../../core/errors.ts";
import { consolePage } from "../pages/console.ts";
import { ownAccountPage, type AccountForm } from "../pages/account/own-account.ts";
import { passwordSetPage, setPasswordPage } from "../pages/sign-in/set-password.ts";
import { checkPassword, passwordTry } from "../sign-in/password-sign-in.ts";
import { hashOrProblem, rateLimitProblem } from "../sign-in/rate-limit-problem.ts";
import { insertOwnEvent } from "../sign-in/sign-in-events.ts";
import { pageWithForms, type Answer, type FormAction, type Notice, type Visit } from "./page-with-forms.ts";
import { sendPage } from "../page.ts";
import { forVisitor } from "../for-visitor.ts";
import { endVisit, invokeAs, queryOf, sameSignIn, startVisit, type Web } from "../visit.ts";

const RENAME: FormAction = { endpoint: updateMe, done: "Saved.", fields: (form) => ({ name: form.get("name") }) };
const END: FormAction = {
  endpoint: endSession,
  done: "That browser is signed out.",
  fields: (form) => ({ session_id: form.get("session_id") }),
};
const PASSWORD_DONE = "Password changed. Your other browsers are signed out and all assistants are disconnected.";

const ofAccount = () => "/account";

/** A person's own account, and the page of a set-password link. No endpoint accepts a password. */
export function ownAccountRouter(web: Web): Router {
  const router = Router();
  router.use(
    pageWithForms(web, "/account", (visit, notice) => showAccount(visit, web, notice), { rename: RENAME, end: END }),
  );
  router.post(
    "/account/password",
    forVisitor(web, (visitor, request, response) => changePassword({ visitor, request, response }, web), ofAccount),
  );
  router.post(
    "/account/sign-out",
    forVisitor(
      web,
      async (visitor, request, response) => {
        const form = response.locals["form"] as URLSearchParams;
        const input = { api_keys: form.get("api_keys") === "1" };
        await invokeAs(visitor, { endpoint: signOutEverywhere, input, response }, web.deps);
        await endVisit(request, response, web);
        response.redirect(303, "/signed-out");
      },
      ofAccount,
    ),
  );
  router.post(
    "/account/notices",
    forVisitor(
      web,
      async ({ userId }, _request, response) => {
        await web.deps.store.write((db) => readNotices(db, userId, web.deps.now()));
        response.redirect(303, "/account");
      },
      ofAccount,
    ),
  );
  return router.use(setPasswordRouter(web));
}

async function showAccount(visit: Visit, web: Web, { status, ...notice }: Notice): Promise<void> {
  const { visitor, request, response } = visit;
  const user = await web.deps.store.read((db) => findUser(db, visitor.userId));
  if (!user) throw notFound("account");
  const input = { limit: 100 };
  const { data: sessions, next_cursor } = (await invokeAs(
    visitor,
    { endpoint: listSessions, input, response },
    web.deps,
  )) as Answer<typeof listSessions>;
  const message = notice.problem;
  // The last path segment is the form's name.
  const form = request.path.split("/").at(-1) as AccountForm;
  const changed = queryOf(request.originalUrl).get("done") === "password";
  const view = {
    name: notice.typed?.get("name") ?? user.name,
    email: user.email,
    hasPassword: user.passwordHash !== null,
    secondFactorAt: user.secondFactorAt,
    mayRename: user.managedByOrganizationId === null,
    sessions,
    notices: await web.deps.store.read((db) => listUnreadNotices(db, visitor.userId)),
    more: next_cursor !== null,
    sessionId: visitor.sessionId,
    done: notice.done ?? (changed ? PASSWORD_DONE : undefined),
    problem: message === undefined ? undefined : { form, message },
  };
  const body = consolePage(null, { ...visitor, unreadNotices: 0 }, ownAccountPage(view));
  sendPage(response, { title: "Your account", body, ...(status ? { status } : {}) });
}

/** Requires the current password, with the attempt limit of sign-in. This browser stays signed in, under a new cookie. */
async function changePassword(visit: Visit, web: Web): Promise<void> {
  const { visitor, request, response } = visit;
  const form = response.locals["form"] as URLSearchParams;
  const password = form.get("password") ?? "";
  const refuse = (problem: string, status = 400) => showAccount(visit, web, { problem, status });
  const present = { email: visitor.email, password: form.get("present") ?? "" };
  const checked = await checkPassword(request, present, web).catch((error: unknown) => ({
    problem: rateLimitProblem(error, response),
  }));
  if (typeof checked === "object") return refuse(checked.problem, 429);
  if (checked !== visitor.userId) return refuse("The current password is wrong.");
  const problem = await problemOfPassword(password, visitor);
  if (problem !== undefined) return refuse(problem);
  const hashed = await hashOrProblem(password, passwordTry(request, visitor.email, web), response);
  if ("problem" in hashed) return refuse(hashed.problem, 429);
  const { passwordHash } = hashed;
  await web.deps.store.write(async (db) => {
    await setPassword(db, visitor.userId, passwordHash);
    await insertOwnEvent(db, { name: "changePassword", userId: visitor.userId }, response, web.deps);
  });
  await startVisit(request, response, sameSignIn(visitor), web);
  response.redirect(303, "/account?done=password");
}

function setPasswordRouter(web: Web): Router {
  const { deps } = web;
  const router = Router();
  router.get("/set-password", async (request, response) => {
    const link = queryOf(request.originalUrl).get("link") ?? "";
    const person = await deps.store.read((db) => findPersonOfPasswordLink(db, link, deps.now()));
    if (!person) throw linkIsOver();
    sendPage(response, { title: "New password", body: setPasswordPage({ link, email: person.email }) });
  });
  router.post("/set-password", async (request, response) => {
    const form = response.locals["form"] as URLSearchParams;
    const [link, password] = [form.get("link") ?? "", form.get("password") ?? ""];
    const person = await deps.store.read((db) => findPersonOfPasswordLink(db, link, deps.now()));
    if (!person) throw linkIsOver();
    const refuse = (refused: string, status: number) => {
      const body = setPasswordPage({ link, email: person.email, problem: refused });
      sendPage(response, { title: "New password", body, status });
    };
    const problem = await problemOfPassword(password, person);
    if (problem !== undefined) return refuse(problem, 400);
    const hashed = await hashOrProblem(password, passwordTry(request, person.email, web), response);
    if ("problem" in hashed) return refuse(hashed.problem, 429);
    const { passwordHash } = hashed;
    await deps.store.write(async (db) => {
      // Of concurrent uses, only the first counts.
      if (!(await findPersonOfPasswordLink(db, link, deps.now()))) throw linkIsOver();
      await setPassword(db, person.id, passwordHash);
      // The operator gave the link out.
      await proveByLink(
        db,
        { userId: person.id, email: person.email, organizationId: null },
        { now: deps.now(), newId: deps.newId },
      );
      await insertOwnEvent(db, { name: "setPassword", userId: person.id }, response, deps);
    });
    await endVisit(request, response, web);
    sendPage(response, { title: "Password set", body: passwordSetPage });
  });
  return router;
}

function linkIsOver(): AppError {
  return new AppError(
    "NOT_FOUND",
    "This link was used, replaced or is more than an hour old. Ask your administrator for a new one.",
  );
}
