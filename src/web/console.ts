import { Router, type Response } from "express";
import { deleteGrant, listGrantsOf } from "../../db/oauth-records.ts";
import type { Visitor } from "../../auth/web-sessions.ts";
import { getMe } from "../../tools/auth/get-me.ts";
import { notFound } from "../core/errors.ts";
import type { z } from "zod";
import { assistantsPage } from "./pages/assistants.ts";
import { consolePage } from "./pages/console.ts";
import { homePage } from "./pages/home.ts";
import { sendPage } from "./page.ts";
import { invokeAs, visited, type Web } from "./visit.ts";

/** The signed-in pages. Whatever is an endpoint is called as one, so that no check is made twice or not at all. */
export function consoleRouter(web: Web): Router {
  const { config, deps } = web;
  const router = Router();

  router.get(
    "/",
    visited(web, async (visitor, _request, response) => {
      const me = (await invokeAs(visitor, { endpoint: getMe, input: {}, response }, deps)) as z.output<
        typeof getMe.output
      >;
      const { mcpUrl, baseUrl } = config;
      const content = homePage({ ...me, mcpUrl, baseUrl });
      sendPage(response, { title: "Overview", body: consolePage("/", visitor, content) });
    }),
  );

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
