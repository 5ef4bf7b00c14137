import { AppError, type ErrorCode } from "../../../core/shared/errors.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { sendPage } from "../../http/pages/page.ts";
import { auditAddress } from "../audits/labels.ts";
import { renderNoMetricsPage } from "./collect-progress.ts";
import { consolePage } from "./console-page.ts";
import { renderInvalidFiltersNotice, type MetricsView, type ShownAnalysis } from "./filters.ts";
import { chooseAnalysis, type ChosenAnalysis } from "./chosen-analysis.ts";
import { hasOwnBrand } from "./own-brand.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";

export type MeasuredAnalysis = Omit<ChosenAnalysis, keyof MetricsView> & MetricsView;

const ADDRESS_ERROR_CODES: ReadonlySet<ErrorCode> = new Set(["VALIDATION_FAILED", "NOT_FOUND"]);

/** Without metrics, shows progress or the first steps instead. */
export async function showMetricsPage(
  visit: Visit,
  { title, section, prefers }: { title: string; section: string; prefers?: ShownAnalysis["type"] },
  read: (measured: MeasuredAnalysis) => Promise<Html>,
): Promise<void> {
  const { visitor, request, response } = visit;
  const chosen = await chooseAnalysis(visit, prefers);
  const { audit, analysis, filters } = chosen;
  if (audit) return response.redirect(303, auditAddress({ ...audit, analysis_id: audit.id }));
  const [latest, ...earlier] = chosen.measured;
  const isEditor = visitor.frame.workspace?.role === "editor";
  if (analysis && filters && latest) {
    const { content, status } = await read({ ...chosen, analysis, filters, measured: [latest, ...earlier] }).then(
      (page) => ({ content: page, status: 200 }),
      (error: unknown) => {
        if (!(error instanceof AppError) || !ADDRESS_ERROR_CODES.has(error.code)) throw error;
        const errorContent = html`<h1>${title}</h1>
          ${renderInvalidFiltersNotice(error, request.path, analysis)}`;
        return { content: errorContent, status: error.status };
      },
    );
    return sendPage(response, { title, status, body: consolePage(section, visitor, content, { wide: true }) });
  }
  const content = renderNoMetricsPage({
    ...chosen,
    title,
    path: request.path,
    isEditor,
    hasBrand: await hasOwnBrand(chosen.call, chosen.ids),
    mcpUrl: visit.web.config.mcpUrl,
  });
  sendPage(response, { title, body: consolePage(section, visitor, content, { wide: true }) });
}
