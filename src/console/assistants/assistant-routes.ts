import { disconnectAssistant } from "../../../tools/account/disconnect-assistant.ts";
import { listAssistants } from "../../../tools/account/list-assistants.ts";
import { getMe } from "../../../tools/auth/get-me.ts";
import { renderAssistantsPage } from "./assistants-page.ts";
import { pageWithForms, type FormAction, type Notice } from "../shared/page-with-forms.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { showPage } from "../shared/show-page.ts";
import type { Route } from "../../http/pages/routes.ts";

const DISCONNECT_ASSISTANT_ACTION: FormAction = {
  endpoint: disconnectAssistant,
  done: "Disconnected. Its next call will be rejected.",
  fields: (form) => ({ assistant_id: form.get("assistant_id") }),
};

export const assistantRoutes: readonly Route[] = pageWithForms("/assistants", showAssistants, {
  disconnect: DISCONNECT_ASSISTANT_ACTION,
});

async function showAssistants(visit: Visit, { status, done, problem }: Notice): Promise<void> {
  const { data, next_cursor } = await visit.call(listAssistants, { limit: 100 });
  const { workspaces } = await visit.call(getMe, {});
  const workspaceNameById = new Map(workspaces.map(({ id, name }) => [id, name]));
  const { mcpUrl } = visit.web.config;
  const content = renderAssistantsPage({
    assistants: data,
    hasMore: next_cursor !== null,
    workspaceNameById,
    mcpUrl,
    done,
    problem,
  });
  showPage(visit, { title: "Connected assistants", section: null, status, content });
}
