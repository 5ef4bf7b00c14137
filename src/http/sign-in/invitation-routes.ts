import { z } from "zod";
import { acceptInvitation, joinByInvitation, openInvitation } from "../../../auth/people/invitations.ts";
import { findPasswordProblem } from "../../../auth/people/password-rules.ts";
import { insertAuditRows } from "../../../db/audit-log/audit.ts";
import type { InvitationRow } from "../../../db/identity/invitations.ts";
import type { Db } from "../../../db/engine/store.ts";
import { AppError } from "../../../core/shared/errors.ts";
import { nameSchema } from "../../../core/shared/fields.ts";
import { toAuditRow } from "../../../db/audit-log/audit-event.ts";
import { parseQuery } from "../body.ts";
import { renderInvitationPage } from "./pages/invitation-page.ts";
import { sendPage } from "../pages/page.ts";
import { requireVisitor, type Visit } from "../pages/require-visitor.ts";
import { get, post, type Route } from "../pages/routes.ts";
import { createPasswordTry } from "./password-sign-in.ts";
import { hashOrProblem } from "./rate-limit-problem.ts";
import { endOAuthSession, startWebSession, findVisitor } from "../pages/visit.ts";

const JoinFormSchema = z.object({
  name: nameSchema(),
  password: z.string(),
});

const INVITATION_PROBLEMS: Record<string, string> = {
  name: "Tell us your name, in one line.",
};

/** Opening an invitation link does not consume it; submitting a form does. */
export const invitationRoutes: readonly Route[] = [
  get("/invitations/accept", (request, response, web) => show({ request, response, web }, {})),
  post("/invitations/accept", requireVisitor(acceptAsVisitor)),
  post("/invitations/join", (request, response, web) => join({ request, response, web })),
];

type OpenedInvitation = Pick<Visit, "request" | "response" | "web">;

async function show(
  { request, response, web }: OpenedInvitation,
  { status, ...notice }: { problem?: string; invalidField?: string; status?: number },
): Promise<void> {
  const { deps } = web;
  const formValues = (response.locals["form"] as URLSearchParams | undefined) ?? parseQuery(request.originalUrl);
  const linkToken = formValues.get("link") ?? "";
  const { invitation, ...names } = await deps.store.read((db) => openInvitation(db, linkToken, deps.now()));
  const visitorEmail = (await findVisitor(request, web))?.email;
  const body = renderInvitationPage({
    linkToken,
    invitation: { ...invitation, ...names },
    visitorEmail,
    formValues,
    ...notice,
  });
  sendPage(response, { title: `Join ${names.organizationName}`, body, status });
}

/** Writes membership and audit row in one transaction; returns false if rejected. */
async function tryAccept(
  opened: OpenedInvitation,
  { userId, accept }: { userId: string; accept: (db: Db) => Promise<InvitationRow> },
): Promise<boolean> {
  const { deps } = opened.web;
  try {
    await deps.store.write(async (db) => {
      const { organizationId } = await accept(db);
      const requestId = opened.response.locals["requestId"] as string;
      const event = {
        name: "acceptInvitation",
        organizationId,
        userId,
        door: "web",
        outcome: "ok",
        requestId,
      } as const;
      await insertAuditRows(db, [toAuditRow(event, deps)]);
    });
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "NOT_FOUND") throw error;
    await show(opened, { problem: error.message, status: error.status });
    return false;
  }
}

async function acceptAsVisitor(visit: Visit): Promise<void> {
  const { userId, email, proof } = visit.visitor;
  const link = visit.form.get("link") ?? "";
  const accept = (db: Db) => acceptInvitation(db, link, { id: userId, email, proof }, visit.web.deps.now());
  if (await tryAccept(visit, { userId, accept })) visit.response.redirect(303, "/");
}

async function join(opened: OpenedInvitation): Promise<void> {
  const { request, response, web } = opened;
  const { deps } = web;
  const form = response.locals["form"] as URLSearchParams;
  const link = form.get("link") ?? "";
  // Checks the link before hashing a password.
  const { invitation } = await deps.store.read((db) => openInvitation(db, link, deps.now()));
  const read = JoinFormSchema.safeParse(Object.fromEntries(form));
  if (!read.success) {
    const invalidField = String(read.error.issues[0]?.path[0] ?? "");
    return show(opened, {
      problem: INVITATION_PROBLEMS[invalidField] ?? "Fill in every field.",
      invalidField,
      status: 400,
    });
  }
  const { password, name: chosen } = read.data;
  const problem = await findPasswordProblem(password, { email: invitation.email, name: chosen });
  if (problem !== undefined) return show(opened, { problem, invalidField: "password", status: 400 });
  const userId = deps.newId();
  const hashed = await hashOrProblem(password, createPasswordTry(request, invitation.email, web), response);
  if ("problem" in hashed) return show(opened, { ...hashed, status: 429 });
  const account = { id: userId, name: chosen, ...hashed };
  const accept = (db: Db) => joinByInvitation(db, link, account, { now: deps.now(), newId: deps.newId });
  if (!(await tryAccept(opened, { userId, accept }))) return;
  await endOAuthSession(request, response, web);
  await startWebSession(request, response, { userId, proofId: null }, web);
  response.redirect(303, "/");
}
