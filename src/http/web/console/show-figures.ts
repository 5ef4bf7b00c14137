import type { Html } from "../html.ts";
import { sendPage } from "../page.ts";
import { auditAddress } from "../pages/audits/words.ts";
import { notMeasured } from "../pages/collect-state.ts";
import { consolePage, type Section } from "../pages/console.ts";
import type { FiguresView, ShownAnalysis } from "../pages/filters.ts";
import type { Web } from "../visit.ts";
import { chooseAnalysis, type ChosenAnalysis } from "./chosen-analysis.ts";
import { hasOwnBrand } from "./own-brand.ts";
import type { Visit } from "./page-with-forms.ts";

/** What a page of figures reads from and shows. */
export type Measured = Omit<ChosenAnalysis, keyof FiguresView> & FiguresView;

/** Sends a page of figures; in a workspace that has none, what is under way or the steps to the first ones. */
export async function showFigures(
  visit: Visit,
  web: Web,
  { title, section, prefers }: { title: string; section: Section; prefers?: ShownAnalysis["type"] },
  read: (measured: Measured) => Promise<Html>,
): Promise<void> {
  const { visitor, request, response } = visit;
  const chosen = await chooseAnalysis(visit, web, prefers);
  const { audit, analysis, filters } = chosen;
  if (audit) return response.redirect(303, auditAddress({ ...audit, analysis_id: audit.id }));
  const [latest, ...earlier] = chosen.measured;
  const isEditor = visitor.frame.workspace?.role === "editor";
  const content =
    analysis && filters && latest
      ? await read({ ...chosen, analysis, filters, measured: [latest, ...earlier] })
      : notMeasured({
          ...chosen,
          title,
          path: request.path,
          isEditor,
          hasBrand: await hasOwnBrand(chosen.ask, chosen.place),
          mcpUrl: web.config.mcpUrl,
        });
  sendPage(response, { title, body: consolePage(section, visitor, content, { wide: true }) });
}
