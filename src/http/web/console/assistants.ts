import type { Router } from "express";
import { disconnectAssistant } from "../../../../tools/account/disconnect-assistant.ts";
import { listAssistants } from "../../../../tools/account/list-assistants.ts";
import { assistantsPage } from "../pages/assistants.ts";
import { consolePage } from "../pages/console.ts";
import { pageWithForms, type Answer, type FormAction, type Notice, type Visit } from "./page-with-forms.ts";
import { sendPage } from "../page.ts";
import { invokeAs, type Web } from "../visit.ts";

const DISCONNECT: FormAction = {
  endpoint: disconnectAssistant,
  done: "Disconnected. Its next call will be rejected.",
  fields: (form) => ({ assistant_id: form.get("assistant_id") }),
};

/** The page where a person sees and disconnects the assistants that act for them. */
export function assistantsRouter(web: Web): Router {
  return pageWithForms(web, "/assistants", (visit, notice) => show(visit, web, notice), { disconnect: DISCONNECT });
}

async function show({ visitor, response }: Visit, { config, deps }: Web, notice: Notice): Promise<void> {
  const { data, next_cursor } = (await invokeAs(
    visitor,
    { endpoint: listAssistants, input: { limit: 100 }, response },
    deps,
  )) as Answer<typeof listAssistants>;
  const { done, problem } = notice;
  const view = { assistants: data, more: next_cursor !== null, mcpUrl: config.mcpUrl, done, problem };
  const body = consolePage(null, visitor, assistantsPage(view));
  sendPage(response, { title: "Connected assistants", body, ...(notice.status ? { status: notice.status } : {}) });
}
