import { Router, type Response } from "express";
import { deleteGrant, listGrantsOf } from "../../db/oauth-records.ts";
import type { Visitor } from "../../auth/web-sessions.ts";
import { createApiKey } from "../../tools/auth/create-api-key.ts";
import { deleteApiKey } from "../../tools/auth/delete-api-key.ts";
import { getMe } from "../../tools/auth/get-me.ts";
import { listApiKeys } from "../../tools/auth/list-api-keys.ts";
import { AppError, notFound } from "../core/errors.ts";
import { later } from "../core/time.ts";
import type { z } from "zod";
import { apiKeysPage } from "./pages/api-keys.ts";
import { assistantsPage } from "./pages/assistants.ts";
import { consolePage } from "./pages/console.ts";
import { homePage } from "./pages/home.ts";
import { sendPage } from "./page.ts";
import { invokeAs, visited, type Web } from "./visit.ts";

const DAY_MS = 86_400_000;

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

  const showKeys = async (visitor: Visitor, response: Response, more: Partial<Parameters<typeof apiKeysPage>[0]>) => {
    const input = { limit: 100 };
    const list = (await invokeAs(visitor, { endpoint: listApiKeys, input, response }, deps)) as z.output<
      typeof listApiKeys.output
    >;
    const keys = list.data.filter((key) => key.revoked_at === null);
    const body = consolePage("/api-keys", visitor, apiKeysPage({ keys, baseUrl: config.baseUrl, ...more }));
    sendPage(response, { title: "API keys", body, status: more.problem === undefined ? 200 : 400 });
  };
  router.get(
    "/api-keys",
    visited(web, (visitor, _request, response) => showKeys(visitor, response, {})),
  );
  router.post(
    "/api-keys",
    visited(web, async (visitor, _request, response) => {
      const form = response.locals["form"] as URLSearchParams;
      const name = form.get("name") ?? "";
      const days = Number(form.get("expires"));
      const input = { name, ...(days > 0 ? { expires_at: later(deps.now(), days * DAY_MS) } : {}) };
      try {
        const key = (await invokeAs(visitor, { endpoint: createApiKey, input, response }, deps)) as z.output<
          typeof createApiKey.output
        >;
        await showKeys(
          visitor,
          response,
          key.api_key === null ? {} : { made: { name: key.name, api_key: key.api_key } },
        );
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== "VALIDATION_FAILED") throw error;
        await showKeys(visitor, response, { problem: "Give the key a name, in one line.", name });
      }
    }),
  );
  router.post(
    "/api-keys/:id/revoke",
    visited(web, async (visitor, request, response) => {
      const input = { api_key_id: request.params["id"] };
      await invokeAs(visitor, { endpoint: deleteApiKey, input, response }, deps);
      await showKeys(visitor, response, { done: "Revoked. Programs that use it are refused from now on." });
    }),
  );
  return router;
}
