import { Router, type Request, type Response } from "express";
import { z } from "zod";
import { acceptInvitation, joinByInvitation, openInvitation } from "../../../../auth/people/invitations.ts";
import { problemOfPassword } from "../../../../auth/people/password-rules.ts";
import { insertAuditRows } from "../../../../db/identity/audit/audit.ts";
import type { InvitationRow } from "../../../../db/identity/invitations.ts";
import type { Db } from "../../../../db/engine/store.ts";
import { AppError } from "../../../../core/errors.ts";
import { name } from "../../../../core/fields.ts";
import { eventRow } from "../../../../db/identity/audit/audit-event.ts";
import { invitationPage } from "../pages/sign-in/invitation.ts";
import { sendPage } from "../page.ts";
import { forVisitor } from "../for-visitor.ts";
import { passwordTry } from "./password-sign-in.ts";
import { hashOrProblem } from "./rate-limit-problem.ts";
import { endOAuthSession, queryOf, startVisit, visitorOf, type Web } from "../visit.ts";

const JoinForm = z.object({
  name: name(),
  password: z.string(),
});

const PROBLEMS: Record<string, string> = {
  name: "Tell us your name, in one line.",
};

/** The pages of an invitation link. Opening the link does not use it up; submitting a form does. */
export function invitationsRouter(web: Web): Router {
  const { deps } = web;
  const router = Router();

  async function show(
    request: Request,
    response: Response,
    notice: { problem?: string; wrong?: string; status?: number },
  ) {
    const values = (response.locals["form"] as URLSearchParams | undefined) ?? queryOf(request.originalUrl);
    const link = values.get("link") ?? "";
    const { invitation, ...names } = await deps.store.read((db) => openInvitation(db, link, deps.now()));
    const visitor = (await visitorOf(request, web))?.email;
    const body = invitationPage({ link, invited: { ...invitation, ...names }, visitor, values, ...notice });
    sendPage(response, {
      title: `Join ${names.organizationName}`,
      body,
      ...(notice.status ? { status: notice.status } : {}),
    });
  }

  /** Accepts, in one transaction with the audit row; false if it was rejected and the page says why. */
  async function accepted(
    request: Request,
    response: Response,
    { userId, accept }: { userId: string; accept: (db: Db) => Promise<InvitationRow> },
  ): Promise<boolean> {
    try {
      await deps.store.write(async (db) => {
        const { organizationId } = await accept(db);
        const requestId = response.locals["requestId"] as string;
        const event = {
          name: "acceptInvitation",
          organizationId,
          userId,
          door: "web",
          outcome: "ok",
          requestId,
        } as const;
        await insertAuditRows(db, [eventRow(event, deps)]);
      });
      return true;
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "NOT_FOUND") throw error;
      await show(request, response, { problem: error.message, status: error.status });
      return false;
    }
  }

  router.get("/invitations/accept", (request, response) => show(request, response, {}));

  router.post(
    "/invitations/accept",
    forVisitor(
      web,
      async ({ userId, email, proof }, request, response) => {
        const link = (response.locals["form"] as URLSearchParams).get("link") ?? "";
        const accept = (db: Db) => acceptInvitation(db, link, { id: userId, email, proof }, deps.now());
        if (await accepted(request, response, { userId, accept })) response.redirect(303, "/");
      },
      (request) => request.path,
    ),
  );

  router.post("/invitations/join", async (request, response) => {
    const form = response.locals["form"] as URLSearchParams;
    const link = form.get("link") ?? "";
    // Checks the link before hashing a password.
    const { invitation } = await deps.store.read((db) => openInvitation(db, link, deps.now()));
    const read = JoinForm.safeParse(Object.fromEntries(form));
    if (!read.success) {
      const wrong = String(read.error.issues[0]?.path[0] ?? "");
      return show(request, response, { problem: PROBLEMS[wrong] ?? "Fill in every field.", wrong, status: 400 });
    }
    const { password, name: chosen } = read.data;
    const problem = await problemOfPassword(password, { email: invitation.email, name: chosen });
    if (problem !== undefined) return show(request, response, { problem, wrong: "password", status: 400 });
    const userId = deps.newId();
    const hashed = await hashOrProblem(password, passwordTry(request, invitation.email, web), response);
    if ("problem" in hashed) return show(request, response, { ...hashed, status: 429 });
    const account = { id: userId, name: chosen, ...hashed };
    const accept = (db: Db) => joinByInvitation(db, link, account, { now: deps.now(), newId: deps.newId });
    if (!(await accepted(request, response, { userId, accept }))) return;
    await endOAuthSession(request, response, web);
    await startVisit(request, response, { userId, proofId: null }, web);
    response.redirect(303, "/");
  });
  return router;
}
