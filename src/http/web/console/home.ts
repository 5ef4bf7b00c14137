import { Router } from "express";
import { listAnalyses } from "../../../../tools/analyses/list-analyses.ts";
import { getMe } from "../../../../tools/auth/get-me.ts";
import { listAssetEvaluations } from "../../../../tools/asset-evaluations/list-asset-evaluations.ts";
import type { AnyEndpoint } from "../../../../tools/endpoint.ts";
import { addFavourite } from "../../../../tools/favourites/add-favourite.ts";
import { listFavourites } from "../../../../tools/favourites/list-favourites.ts";
import { removeFavourite } from "../../../../tools/favourites/remove-favourite.ts";
import { consolePage } from "../pages/console.ts";
import { homePage } from "../pages/home.ts";
import { openingWorkspace } from "./opening-workspace.ts";
import type { Answer, Visit } from "./page-with-forms.ts";
import { sendPage } from "../page.ts";
import { forVisitor } from "../for-visitor.ts";
import { invokeAs, queryOf, type Web } from "../visit.ts";

/** The start page of the console, and its favourite buttons. */
export function homeRouter(web: Web): Router {
  const router = Router();
  router.get(
    "/",
    forVisitor(web, (visitor, request, response) => showHome({ visitor, request, response }, web)),
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
          response.redirect(303, workspace === "" ? "/" : `/?${new URLSearchParams({ workspace }).toString()}`);
        },
        () => "/",
      ),
    );
  star("/favourites/mark", addFavourite);
  star("/favourites/unmark", removeFavourite);
  return router;
}

async function showHome({ visitor, request, response }: Visit, { config, deps }: Web): Promise<void> {
  const me = (await invokeAs(visitor, { endpoint: getMe, input: {}, response }, deps)) as Answer<typeof getMe>;
  const { data: favourites } = (await invokeAs(
    visitor,
    { endpoint: listFavourites, input: { limit: 100 }, response },
    deps,
  )) as Answer<typeof listFavourites>;
  const wanted = queryOf(request.originalUrl).get("workspace") ?? favourites[0]?.workspace_id;
  const chosen = me.workspaces.find(({ id }) => id === wanted) ?? (await openingWorkspace(deps.store, me.workspaces));
  const input = chosen && { organization_id: chosen.organization_id, workspace_id: chosen.id, limit: 100 };
  const analyses = input
    ? ((await invokeAs(visitor, { endpoint: listAnalyses, input, response }, deps)) as Answer<typeof listAnalyses>).data
    : [];
  const evaluations = input
    ? (
        (await invokeAs(visitor, { endpoint: listAssetEvaluations, input, response }, deps)) as Answer<
          typeof listAssetEvaluations
        >
      ).data
    : [];
  const { mcpUrl, baseUrl } = config;
  const content = homePage({ ...me, mcpUrl, baseUrl, favourites, chosen, analyses, evaluations });
  sendPage(response, { title: "Overview", body: consolePage("/", visitor, content) });
}
