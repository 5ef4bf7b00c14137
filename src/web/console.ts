import { Router, type Response } from "express";
import { deleteGrant, listGrantsOf } from "../../db/oauth-records.ts";
import type { Visitor } from "../../auth/web-sessions.ts";
import { notFound } from "../core/errors.ts";
import { assistantsPage } from "./pages/assistants.ts";
import { consolePage } from "./pages/console.ts";
import { sendPage } from "./page.ts";
import { visited, type Web } from "./visit.ts";

/** The page of connected assistants, and the way to end one. */
export function consoleRouter(web: Web): Router {
  const { deps } = web;
  const router = Router();

  const showAssistants = async (visitor: Visitor, response: Response, done?: string) => {
    const grants = await listGrantsOf(deps.store.read, visitor.userId, deps.now());
    const body = consolePage("/assistants", visitor, assistantsPage(grants, done));
    sendPage(response, { title: "Connected assistants", body });
  };
  router.get(
    "/assistants",
    visited(web, (visitor, _request, response) => showAssistants(visitor, response)),
  );
  router.post(
    "/assistants/:id/disconnect",
    visited(web, async (visitor, request, response) => {
      const id = String(request.params["id"]);
      const ended = await deps.store.write((db) => deleteGrant(db, visitor.userId, id));
      if (!ended) throw notFound("connected assistant");
      web.log.info({ userId: visitor.userId, grantId: id }, "assistant disconnected");
      await showAssistants(visitor, response, "Disconnected. Its next call will be refused.");
    }),
  );
  return router;
}
