import { listAnalyses } from "../../../tools/analyses/list-analyses.ts";
import { createExport } from "../../../tools/exports/create-export.ts";
import { deleteExport } from "../../../tools/exports/delete-export.ts";
import { listExports } from "../../../tools/exports/list-exports.ts";
import { invoke } from "../../call/invoke.ts";
import { renderExportsPage } from "./exports-page.ts";
import { pageWithForms, type FormAction, type Notice } from "../shared/page-with-forms.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { getWorkspaceIds } from "../shared/workspace-ids.ts";
import { showPage } from "../shared/show-page.ts";
import type { Route } from "../../http/pages/routes.ts";

const [EXPORTS_PER_PAGE, MAX_OFFERED_ANALYSES] = [25, 100];

const CREATE_EXPORT_ACTION: FormAction = {
  endpoint: createExport,
  done: "Export started. The file is in the list when it is ready.",
  fields: (form) => {
    const [analysis, source] = [form.get("analysis"), form.get("source")];
    const filters = { ...(analysis ? { analysis_ids: [analysis] } : {}), ...(source ? { sources: [source] } : {}) };
    return { what: form.get("what"), format: form.get("format"), filters };
  },
  run: ({ input, call }, { deps }) => invoke(createExport, input, { ...call, respondAsync: true }, deps),
};
const DELETE_EXPORT_ACTION: FormAction = {
  endpoint: deleteExport,
  done: "Deleted. The link no longer works.",
  fields: (form) => ({ export_id: form.get("export_id") }),
};

export const exportRoutes: readonly Route[] = pageWithForms("/exports/:organization_id/:workspace_id", showExports, {
  create: CREATE_EXPORT_ACTION,
  delete: DELETE_EXPORT_ACTION,
});

async function showExports(visit: Visit, { status, ...notice }: Notice): Promise<void> {
  const { call, query, visitor } = visit;
  const ids = getWorkspaceIds(visit);
  const cursor = query.get("cursor");
  const [exports, analyses] = await Promise.all([
    call(listExports, { ...ids, limit: EXPORTS_PER_PAGE, ...(cursor ? { cursor } : {}) }),
    call(listAnalyses, { ...ids, limit: MAX_OFFERED_ANALYSES }),
  ]);
  const isEditor = visitor.frame.workspace?.role === "editor";
  const canDelete = (one: { created_by: string }) => isEditor || one.created_by === visitor.userId;
  const content = renderExportsPage({ ...notice, ids, query, exports, canDelete, analyses: analyses.data });
  showPage(visit, { title: "Exports", section: "answers", isWide: true, status, content });
}
