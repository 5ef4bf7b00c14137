import type { Request, Response } from "express";
import { z } from "zod";
import { findPasswordProblem } from "../../../auth/people/password-rules.ts";
import { hasAnyUser } from "../../../db/identity/users.ts";
import { AppError } from "../../../core/shared/errors.ts";
import { nameSchema } from "../../../core/shared/fields.ts";
import { parseQuery } from "../body.ts";
import { removeHeldForm } from "../pages/held-forms.ts";
import { notSetUpPage, signedOutPage } from "../pages/message.ts";
import { renderSetupPage } from "./pages/setup-page.ts";
import { signInPage } from "./pages/sign-in-page.ts";
import { sendPage } from "../pages/page.ts";
import { get, post, type Route } from "../pages/routes.ts";
import { signInByPassword } from "./password-sign-in.ts";
import { toRateLimitProblem } from "./rate-limit-problem.ts";
import { findRejectedSignIn, rejectSignIn } from "./rejected-sign-in.ts";
import { recordFailedSignIn } from "./sign-in-events.ts";
import {
  endOAuthSession,
  endWebSession,
  parseLocalPath,
  startWebSession,
  findVisitor,
  type WebContext,
} from "../pages/visit.ts";

export const accountRoutes: readonly Route[] = [
  get("/sign-in", showSignIn),
  post("/sign-in", signIn),
  post("/sign-out", async (request, response, web) => {
    await endWebSession(request, response, web);
    response.redirect(303, "/signed-out");
  }),
  get("/signed-out", (_request, response) => sendPage(response, { title: "Signed out", body: signedOutPage })),
  get("/setup", showSetup),
  post("/setup", submitFirstRunSetup),
];

async function showSignIn(request: Request, response: Response, web: WebContext): Promise<void> {
  const nextPath = parseLocalPath(parseQuery(request.originalUrl).get("next"));
  const refused = findRejectedSignIn(request, web);
  if (!refused && (await findVisitor(request, web))) return response.redirect(303, removeHeldForm(nextPath ?? "/"));
  if (!(await web.deps.store.read(hasAnyUser))) {
    return sendPage(response, { title: "Not set up yet", body: notSetUpPage });
  }
  const body = signInPage({ action: "/sign-in", ...(nextPath ? { nextPath } : {}), ...refused });
  sendPage(response, { title: "Sign in", body, status: refused && 401 });
}

async function signIn(request: Request, response: Response, web: WebContext): Promise<void> {
  const form = response.locals["form"] as URLSearchParams;
  const email = form.get("email") ?? "";
  const nextPath = parseLocalPath(form.get("next"));
  const password = form.get("password") ?? "";
  const refusal = await signInByPassword(request, response, { email, password, nextPath: nextPath ?? "/" }, web);
  if (!refusal) return;
  const { status, problem } = refusal;
  if (status === 429) {
    const body = signInPage({ action: "/sign-in", ...(nextPath ? { nextPath } : {}), email, problem });
    return sendPage(response, { title: "Sign in", body, status });
  }
  await recordFailedSignIn({ email }, response, web.deps);
  rejectSignIn(response, { problemCode: "password", email, nextPath }, web);
}

async function showSetup(request: Request, response: Response, web: WebContext): Promise<void> {
  const linkToken = parseQuery(request.originalUrl).get("link") ?? "";
  if (!(await web.firstRun.isLinkValid(linkToken))) throw linkExpired();
  sendPage(response, {
    title: "Set up",
    body: renderSetupPage({
      linkToken,
      formValues: new URLSearchParams("approval=on&approval_above_credits=100&demo=1"),
      offersDemo: web.config.DEMO,
    }),
  });
}

async function submitFirstRunSetup(request: Request, response: Response, web: WebContext): Promise<void> {
  const formValues = response.locals["form"] as URLSearchParams;
  const linkToken = formValues.get("link") ?? "";
  if (!(await web.firstRun.isLinkValid(linkToken))) throw linkExpired();
  const refuse = (
    invalidField: string,
    problem = ACCOUNT_PROBLEMS[invalidField] ?? "Fill in every field.",
    status = 400,
  ) => {
    const body = renderSetupPage({ linkToken, formValues, offersDemo: web.config.DEMO, problem, invalidField });
    sendPage(response, { title: "Set up", body, status });
  };
  const approvalAbove = formValues.has("approval") ? formValues.get("approval_above_credits") : null;
  const read = SetupFormSchema.safeParse({
    ...Object.fromEntries(formValues),
    approval_above_credits: approvalAbove,
  });
  if (!read.success) return refuse(String(read.error.issues[0]?.path[0] ?? ""));
  const problem = await findPasswordProblem(read.data.password, read.data);
  if (problem !== undefined) return refuse("password", problem);
  const { organization: organizationName, workspace: workspaceName, demo, ...rest } = read.data;
  const { approval_above_credits: approvalAboveCredits, ...person } = rest;
  const owner = { ...person, organizationName, workspaceName, approvalAboveCredits, demo: demo === "1" };
  const address = web.deps.limits.addressOf(request);
  const done = await web.firstRun
    .complete(linkToken, owner, address)
    .then((userId) => ({ userId }))
    .catch((error: unknown) => toRateLimitProblem(error, response));
  if (typeof done === "string") return refuse("", done, 429);
  // Wakes the worker, because the demo organization may have queued jobs.
  web.deps.wakeWorker();
  await endOAuthSession(request, response, web);
  await startWebSession(request, response, { userId: done.userId, proofId: null }, web);
  response.redirect(303, "/");
}

const SetupFormSchema = z.object({
  name: nameSchema(),
  email: z.string().trim().max(320).pipe(z.email()),
  password: z.string(),
  organization: nameSchema(),
  workspace: nameSchema(),
  approval_above_credits: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .nullable(),
  demo: z.literal("1").optional(),
});

const ACCOUNT_PROBLEMS: Record<string, string> = {
  name: "Enter your name, on one line.",
  email: "Enter a complete e-mail address.",
  organization: "Enter a name for the organization, on one line.",
  workspace: "Enter a name for the workspace, on one line.",
  approval_above_credits: "Enter a whole number of credits, at most 999999999.",
};

function linkExpired(): AppError {
  return new AppError(
    "NOT_FOUND",
    "This set-up link was used, replaced or is more than a day old. Restart the service to print a new one.",
  );
}
