import { getOrganization } from "../../../tools/organizations/get-organization.ts";
import { listSources } from "../../../tools/sources/list-sources.ts";
import { renderSourcesPage } from "./sources-page.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { showOrganizationPage } from "../shared/show-page.ts";
import { pageRoute, type Route } from "../../http/pages/routes.ts";

export const sourceRoutes: readonly Route[] = [pageRoute("/organizations/:organization_id/sources", showSources)];

async function showSources(visit: Visit): Promise<void> {
  const path = { ...visit.request.params };
  const { data } = await visit.call(listSources, path);
  const organization = await visit.call(getOrganization, path);
  const content = renderSourcesPage(data);
  showOrganizationPage(visit, { title: "Source providers", part: "/sources", organization, content });
}
