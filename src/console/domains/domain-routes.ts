import { addOrganizationDomain } from "../../../tools/domains/add-organization-domain.ts";
import { deleteOrganizationDomain } from "../../../tools/domains/delete-organization-domain.ts";
import { listOrganizationDomains } from "../../../tools/domains/list-organization-domains.ts";
import { listOrganizationDomainAccounts } from "../../../tools/domains/list-organization-domain-accounts.ts";
import { verifyOrganizationDomain } from "../../../tools/domains/verify-organization-domain.ts";
import { getOrganization } from "../../../tools/organizations/get-organization.ts";
import { renderDomainsPage } from "./domains-page.ts";
import { pageWithForms, type FormAction, type Notice } from "../shared/page-with-forms.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { showOrganizationPage } from "../shared/show-page.ts";
import type { Route } from "../../http/pages/routes.ts";

const parseDomainId = (form: URLSearchParams) => ({ domain_id: form.get("domain_id") });

const ADD_DOMAIN_ACTION: FormAction = {
  endpoint: addOrganizationDomain,
  done: "Added. Publish its DNS record, then verify it.",
  fields: (form) => ({ domain: form.get("domain") }),
};
const VERIFY_DOMAIN_ACTION: FormAction = {
  endpoint: verifyOrganizationDomain,
  done: "Verified. People with this e-mail domain can sign in through your identity provider. Below is what happens to their accounts.",
  fields: parseDomainId,
};
const REMOVE_DOMAIN_ACTION: FormAction = {
  endpoint: deleteOrganizationDomain,
  done: "Removed.",
  fields: parseDomainId,
};

export const domainRoutes: readonly Route[] = pageWithForms("/organizations/:organization_id/domains", showDomains, {
  add: ADD_DOMAIN_ACTION,
  verify: VERIFY_DOMAIN_ACTION,
  remove: REMOVE_DOMAIN_ACTION,
});

async function showDomains(visit: Visit, notice: Notice): Promise<void> {
  const { call } = visit;
  const path = { ...visit.request.params };
  const organization = await call(getOrganization, path);
  const { data, next_cursor: more } = await call(listOrganizationDomains, { ...path, limit: 100 });
  const domains = await Promise.all(
    data.map(async (domain) => {
      if (!domain.verified) return { ...domain, accounts: undefined };
      const of = { ...path, domain_id: domain.id, limit: 20 };
      return { ...domain, accounts: await call(listOrganizationDomainAccounts, of) };
    }),
  );
  const content = renderDomainsPage({ ...notice, organizationId: organization.id, domains, hasMore: more !== null });
  showOrganizationPage(visit, { title: "Domains", part: "/domains", organization, status: notice.status, content });
}
