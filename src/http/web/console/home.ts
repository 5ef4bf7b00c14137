import { Router } from "express";
import { findWorkspacesInUse } from "../../../../db/catalog/workspaces.ts";
import { listAnalyses } from "../../../../tools/analyses/list-analyses.ts";
import { listAssetEvaluations } from "../../../../tools/asset-evaluations/list-asset-evaluations.ts";
import type { AnyEndpoint } from "../../../../tools/endpoint.ts";
import { addFavourite } from "../../../../tools/favourites/add-favourite.ts";
import { listFavourites } from "../../../../tools/favourites/list-favourites.ts";
import { removeFavourite } from "../../../../tools/favourites/remove-favourite.ts";
import { consolePage } from "../pages/console.ts";
import { homePage } from "../pages/home.ts";
import { visibilityAddress } from "../pages/places.ts";
import { settingsPage } from "../pages/settings.ts";
import { askAs } from "./ask.ts";
import { hasOwnBrand } from "./own-brand.ts";
import type { Visit } from "./page-with-forms.ts";
import { sendPage } from "../page.ts";
import { forVisitor } from "../for-visitor.ts";
import { invokeAs, type Web } from "../visit.ts";

/** The start page of the console, and that of the settings with its favourite buttons. */
export function homeRouter(web: Web): Router {
  const router = Router();
  router.get(
    "/",
    forVisitor(web, async (visitor, _request, response) => showHome({ visitor, response }, web)),
  );
  router.get(
    "/settings",
    forVisitor(web, (visitor, request, response) => showSettings({ visitor, request, response }, web)),
  );
  const star = (path: string, endpoint: AnyEndpoint) =>
    router.post(
      path,
      forVisitor(
        web,
        async (visitor, _request, response) => {
          const form = response.locals["form"] as URLSearchParams;
          await invokeAs(visitor, { endpoint, input: { favourite_id: form.get("favourite_id") }, response }, web.deps);
          const workspace = form.get("workspace") ?? "";
          response.redirect(303, `/settings?${new URLSearchParams({ workspace }).toString()}`);
        },
        () => "/settings",
      ),
    );
  star("/favourites/mark", addFavourite);
  star("/favourites/unmark", removeFavourite);
  return router;
}

/** The figures of the workspace that the console opens on; where it has no analysis, the steps to one. */
async function showHome({ visitor, response }: Omit<Visit, "request">, web: Web): Promise<void> {
  const { config, deps } = web;
  const { workspace } = visitor.frame;
  const used = await deps.store.read((db) => findWorkspacesInUse(db, workspace ? [workspace.id] : []));
  if (workspace && used.has(workspace.id)) {
    return response.redirect(303, visibilityAddress({ ...workspace, workspace_id: workspace.id }));
  }
  const { mcpUrl, baseUrl } = config;
  const place = workspace && { organization_id: workspace.organization_id, workspace_id: workspace.id };
  const hasBrand = place !== undefined && (await hasOwnBrand(askAs({ visitor, response }, web), place));
  const isEditor = workspace?.role === "editor";
  const content = homePage({ name: visitor.name, mcpUrl, baseUrl, place, isEditor, hasBrand });
  sendPage(response, { title: "Start", body: consolePage(null, visitor, content) });
}

async function showSettings(visit: Visit, web: Web): Promise<void> {
  const { visitor, response } = visit;
  const ask = askAs(visit, web);
  const { organizations, workspaces, workspace: chosen } = visitor.frame;
  const input = chosen && { organization_id: chosen.organization_id, workspace_id: chosen.id, limit: 100 };
  const [favourites, analyses, evaluations] = await Promise.all([
    ask(listFavourites, { limit: 100 }),
    input && ask(listAnalyses, input),
    input && ask(listAssetEvaluations, input),
  ]);
  const content = settingsPage({
    organizations,
    workspaces,
    favourites: favourites.data,
    chosen,
    analyses: analyses?.data ?? [],
    evaluations: evaluations?.data ?? [],
  });
  sendPage(response, { title: "Settings", body: consolePage("settings", visitor, content) });
}
