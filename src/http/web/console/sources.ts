import { Router } from "express";
import { getOrganization } from "../../../../tools/organizations/get-organization.ts";
import { listSources } from "../../../../tools/sources/list-sources.ts";
import { forVisitor } from "../for-visitor.ts";
import { sendPage } from "../page.ts";
import { organizationPage } from "../pages/organization.ts";
import { sourcesPage } from "../pages/sources.ts";
import { invokeAs, type Web } from "../visit.ts";
import type { Answer, Visit } from "./page-with-forms.ts";

/** The page where owners see who answers each source, and whether that works. */
export function sourcesRouter(web: Web): Router {
  return Router().get(
    "/organizations/:organization_id/sources",
    forVisitor(web, (visitor, request, response) => showSources({ visitor, request, response }, web)),
  );
}

async function showSources({ visitor, request, response }: Visit, { deps }: Web): Promise<void> {
  const call = { input: { ...request.params }, response };
  const { data } = (await invokeAs(visitor, { ...call, endpoint: listSources }, deps)) as Answer<typeof listSources>;
  const organization = (await invokeAs(visitor, { ...call, endpoint: getOrganization }, deps)) as Answer<
    typeof getOrganization
  >;
  sendPage(response, {
    title: "Source providers",
    body: organizationPage("/sources", organization, visitor, sourcesPage(data)),
  });
}
