import type { Router } from "express";
import { listAnalyses } from "../../../../tools/analyses/list-analyses.ts";
import { createExport } from "../../../../tools/exports/create-export.ts";
import { deleteExport } from "../../../../tools/exports/delete-export.ts";
import { listExports } from "../../../../tools/exports/list-exports.ts";
import { invoke } from "../../../call/invoke.ts";
import { sendPage } from "../page.ts";
import { consolePage } from "../pages/console.ts";
import { exportsPage } from "../pages/exports.ts";
import { queryOf, type Web } from "../visit.ts";
import { askAs } from "./ask.ts";
import { pageWithForms, type FormAction, type Notice, type Visit } from "./page-with-forms.ts";
import { placeOf } from "./place-of.ts";

/** Files of a page, and analyses that the form offers. */
const [ROWS, OFFERED] = [25, 100];

const CREATE: FormAction = {
  endpoint: createExport,
  done: "Export started. The file is in the list when it is ready.",
  fields: (form) => {
    const [analysis, source] = [form.get("analysis"), form.get("source")];
    const filters = { ...(analysis ? { analysis_ids: [analysis] } : {}), ...(source ? { sources: [source] } : {}) };
    return { what: form.get("what"), format: form.get("format"), filters };
  },
  run: ({ input, call }, { deps }) => invoke(createExport, input, { ...call, respondAsync: true }, deps),
};
const DELETE: FormAction = {
  endpoint: deleteExport,
  done: "Deleted. The link no longer works.",
  fields: (form) => ({ export_id: form.get("export_id") }),
};

/** The page of a workspace's exported files. */
export function exportsRouter(web: Web): Router {
  const forms = { create: CREATE, delete: DELETE };
  return pageWithForms(
    web,
    "/exports/:organization_id/:workspace_id",
    (visit, notice) => show(visit, web, notice),
    forms,
  );
}

async function show(visit: Visit, web: Web, { status, ...notice }: Notice): Promise<void> {
  const { visitor, request, response } = visit;
  const ask = askAs(visit, web);
  const place = placeOf(visit);
  const query = queryOf(request.originalUrl);
  const cursor = query.get("cursor");
  const [exports, analyses] = await Promise.all([
    ask(listExports, { ...place, limit: ROWS, ...(cursor ? { cursor } : {}) }),
    ask(listAnalyses, { ...place, limit: OFFERED }),
  ]);
  const isEditor = visitor.frame.workspace?.role === "editor";
  const canDelete = (one: { created_by: string }) => isEditor || one.created_by === visitor.userId;
  const content = exportsPage({ ...notice, place, query, exports, canDelete, analyses: analyses.data });
  sendPage(response, {
    title: "Exports",
    body: consolePage("answers", visitor, content, { wide: true }),
    ...(status ? { status } : {}),
  });
}
