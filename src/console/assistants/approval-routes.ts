import { findQuoteTenant } from "../../../db/credits/quotes.ts";
import { approveQuote } from "../../../tools/quotes/approve-quote.ts";
import { getCreation } from "../../../tools/quotes/creations.ts";
import { notFound } from "../../../core/shared/errors.ts";
import { decline, invoke, present } from "../../call/invoke.ts";
import { renderApprovalPage, renderDecisionPage } from "./approve-page.ts";
import { sendPage } from "../../http/pages/page.ts";
import { pageRoute, post, type Route } from "../../http/pages/routes.ts";
import { requireVisitor, type Visit } from "../../http/pages/require-visitor.ts";
import { createVisitorCall } from "../../http/pages/visit.ts";

const APPROVAL_PATH = "/approve/:quote_id";

/** Shows the full quote for approval of a cost above the organization's limit. */
export const approvalRoutes: readonly Route[] = [
  pageRoute(APPROVAL_PATH, showQuote),
  post(APPROVAL_PATH, requireVisitor(decideQuote)),
];

async function findQuote({ request, response, visitor, web: { deps } }: Visit) {
  const quoteId = String(request.params["quote_id"]);
  const found = await deps.store.read((db) => findQuoteTenant(db, quoteId, visitor.userId));
  if (!found) throw notFound("quote");
  const input = { organization_id: found.organizationId, workspace_id: found.workspaceId, quote_id: quoteId };
  const { endpoint: creation, ids } = getCreation(found);
  const call = { ...createVisitorCall(visitor, response), confirmation: "browser" as const };
  return { quoteId, input, creation, created: { ...input, ...ids }, call };
}

async function showQuote(visit: Visit): Promise<void> {
  const { quoteId, creation, created, call } = await findQuote(visit);
  const { message, approvalPath } = await present(creation, created, call, visit.web.deps);
  const mustApprove = approvalPath !== null;
  sendPage(visit.response, {
    title: mustApprove ? "Approve" : "Setup and cost",
    body: renderApprovalPage(quoteId, { message, mustApprove }),
  });
}

async function decideQuote(visit: Visit): Promise<void> {
  const { deps } = visit.web;
  const { input, creation, created, call } = await findQuote(visit);
  const approves = visit.form.get("decision") === "approve";
  if (approves) await invoke(approveQuote, input, call, deps);
  else await decline(creation, created, call, deps);
  const decision = approves ? "approved" : "declined";
  sendPage(visit.response, { title: approves ? "Approved" : "Declined", body: renderDecisionPage(decision) });
}
