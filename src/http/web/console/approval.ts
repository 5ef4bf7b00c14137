import { Router, type Request, type Response } from "express";
import { findQuoteTenant } from "../../../../db/catalog/quotes.ts";
import { approveQuote } from "../../../../tools/quotes/approve-quote.ts";
import { creationOf } from "../../../../tools/quotes/creations.ts";
import { notFound } from "../../../../core/errors.ts";
import { decline, invoke, present } from "../../../call/invoke.ts";
import { approvePage, decidedPage } from "../pages/approve.ts";
import { sendPage } from "../page.ts";
import { callOf, visitorOf, type Web } from "../visit.ts";

/** The page that shows a quote whole, where a person approves a cost above their organization's approval limit. */
export function approvalRouter(web: Web): Router {
  const { deps } = web;
  const router = Router();

  /** The visitor and the ids of their own quote; undefined if the browser was redirected to sign in. */
  async function arrive(request: Request, response: Response) {
    const visitor = await visitorOf(request, web);
    if (!visitor) {
      response.redirect(303, `/sign-in?next=${encodeURIComponent(request.originalUrl)}`);
      return undefined;
    }
    const quoteId = String(request.params["quote_id"]);
    const found = await deps.store.read((db) => findQuoteTenant(db, quoteId, visitor.userId));
    if (!found) throw notFound("quote");
    const input = { organization_id: found.organizationId, workspace_id: found.workspaceId, quote_id: quoteId };
    const { endpoint: creation, ids } = creationOf(found);
    return { visitor, quoteId, input, creation, created: { ...input, ...ids } };
  }

  router.get("/approve/:quote_id", async (request, response) => {
    const arrived = await arrive(request, response);
    if (!arrived) return;
    const { visitor, quoteId, creation, created } = arrived;
    const call = { ...callOf(visitor, response), confirmation: "browser" as const };
    const { message, approvalPath } = await present(creation, created, call, deps);
    const mustApprove = approvalPath !== null;
    sendPage(response, {
      title: mustApprove ? "Approve" : "Setup and cost",
      body: approvePage(quoteId, { message, mustApprove }),
    });
  });

  router.post("/approve/:quote_id", async (request, response) => {
    const arrived = await arrive(request, response);
    if (!arrived) return;
    const { visitor, input, creation, created } = arrived;
    const call = { ...callOf(visitor, response), confirmation: "browser" as const };
    const approves = (response.locals["form"] as URLSearchParams).get("decision") === "approve";
    if (approves) await invoke(approveQuote, input, call, deps);
    else await decline(creation, created, call, deps);
    const decision = approves ? "approved" : "declined";
    sendPage(response, { title: approves ? "Approved" : "Declined", body: decidedPage(decision) });
  });
  return router;
}
