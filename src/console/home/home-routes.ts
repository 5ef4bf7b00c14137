import { findWorkspacesInUse } from "../../../db/catalog/workspaces.ts";
import { listAnalyses } from "../../../tools/analyses/list-analyses.ts";
import { listAssetEvaluations } from "../../../tools/asset-evaluations/list-asset-evaluations.ts";
import type { AnyEndpoint } from "../../../tools/endpoint.ts";
import { addFavourite } from "../../../tools/favourites/add-favourite.ts";
import { listFavourites } from "../../../tools/favourites/list-favourites.ts";
import { removeFavourite } from "../../../tools/favourites/remove-favourite.ts";
import { renderHomePage } from "./home-page.ts";
import { visibilityAddress } from "../shared/page-addresses.ts";
import { renderSettingsPage } from "./settings-page.ts";
import { hasOwnBrand } from "../shared/own-brand.ts";
import { showPage } from "../shared/show-page.ts";
import { inBar, pageRoute, post, type Route } from "../../http/pages/routes.ts";
import type { Section } from "../../http/pages/section.ts";
import { requireVisitor, type Visit } from "../../http/pages/require-visitor.ts";

const createFavouriteRoute = (path: string, endpoint: AnyEndpoint) =>
  post(
    path,
    requireVisitor(
      async ({ call, form, response }) => {
        await call(endpoint, { favourite_id: form.get("favourite_id") });
        const workspace = form.get("workspace") ?? "";
        response.redirect(303, `/settings?${new URLSearchParams({ workspace }).toString()}`);
      },
      () => "/settings",
    ),
  );

const SETTINGS_SECTION: Section = {
  name: "Settings",
  icon: "M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M8.5 5a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0zM4.5 11a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0z",
  isForAnyone: true,
};

export const homeRoutes: readonly Route[] = [
  pageRoute("/", showHome),
  ...inBar(SETTINGS_SECTION, [pageRoute("/settings", showSettings)]),
  createFavouriteRoute("/favourites/mark", addFavourite),
  createFavouriteRoute("/favourites/unmark", removeFavourite),
];

async function showHome(visit: Visit): Promise<void> {
  const { visitor, response } = visit;
  const { config, deps } = visit.web;
  const { workspace } = visitor.frame;
  const used = await deps.store.read((db) => findWorkspacesInUse(db, workspace ? [workspace.id] : []));
  if (workspace && used.has(workspace.id)) {
    return response.redirect(303, visibilityAddress({ ...workspace, workspace_id: workspace.id }));
  }
  const { mcpUrl, baseUrl } = config;
  const ids = workspace && { organization_id: workspace.organization_id, workspace_id: workspace.id };
  const hasBrand = ids !== undefined && (await hasOwnBrand(visit.call, ids));
  const isEditor = workspace?.role === "editor";
  const content = renderHomePage({ name: visitor.name, mcpUrl, baseUrl, ids, isEditor, hasBrand });
  showPage(visit, { title: "Start", section: null, content });
}

async function showSettings(visit: Visit): Promise<void> {
  const { call, visitor } = visit;
  const { organizations, workspaces, workspace: chosen } = visitor.frame;
  const input = chosen && { organization_id: chosen.organization_id, workspace_id: chosen.id, limit: 100 };
  const [favourites, analyses, evaluations] = await Promise.all([
    call(listFavourites, { limit: 100 }),
    input && call(listAnalyses, input),
    input && call(listAssetEvaluations, input),
  ]);
  const content = renderSettingsPage({
    organizations,
    workspaces,
    favourites: favourites.data,
    chosen,
    analyses: analyses?.data ?? [],
    evaluations: evaluations?.data ?? [],
  });
  showPage(visit, { title: "Settings", section: "settings", content });
}
