import type { Router } from "express";
import { addOrganizationDomain } from "../../../../tools/domains/add-organization-domain.ts";
import { deleteOrganizationDomain } from "../../../../tools/domains/delete-organization-domain.ts";
import { listOrganizationDomains } from "../../../../tools/domains/list-organization-domains.ts";
import { listOrganizationDomainAccounts } from "../../../../tools/domains/list-organization-domain-accounts.ts";
import { verifyOrganizationDomain } from "../../../../tools/domains/verify-organization-domain.ts";
import { getOrganization } from "../../../../tools/organizations/get-organization.ts";
import { domainsPage } from "../pages/domains.ts";
import { organizationPage } from "../pages/organization.ts";
import { pageWithForms, type Answer, type FormAction, type Notice, type Visit } from "./page-with-forms.ts";
import { sendPage } from "../page.ts";
import { invokeAs, type Web } from "../visit.ts";

const named = (form: URLSearchParams) => ({ domain_id: form.get("domain_id") });

const ADD: FormAction = {
  endpoint: addOrganizationDomain,
  done: "Added. Publish its DNS record, then verify it.",
  fields: (form) => ({ domain: form.get("domain") }),
};
const VERIFY: FormAction = {
  endpoint: verifyOrganizationDomain,
  done: "Verified. People with this e-mail domain can sign in through your identity provider. Below is what happens to their accounts.",
  fields: named,
};
const REMOVE: FormAction = { endpoint: deleteOrganizationDomain, done: "Removed.", fields: named };

/** The page where owners prove which e-mail domains are their organization's. */
export function domainsRouter(web: Web): Router {
  const path = "/organizations/:organization_id/domains";
  const forms = { add: ADD, verify: VERIFY, remove: REMOVE };
  return pageWithForms(web, path, (visit, notice) => showDomains(visit, web, notice), forms);
}

async function showDomains({ visitor, request, response }: Visit, { deps }: Web, notice: Notice): Promise<void> {
  const path = { ...request.params };
  const organization = (await invokeAs(visitor, { endpoint: getOrganization, input: path, response }, deps)) as Answer<
    typeof getOrganization
  >;
  const call = { endpoint: listOrganizationDomains, input: { ...path, limit: 100 }, response };
  const { data, next_cursor: more } = (await invokeAs(visitor, call, deps)) as Answer<typeof listOrganizationDomains>;
  const domains = await Promise.all(
    data.map(async (domain) => {
      if (!domain.verified) return { ...domain, accounts: undefined };
      const input = { ...path, domain_id: domain.id, limit: 20 };
      const accounts = await invokeAs(visitor, { endpoint: listOrganizationDomainAccounts, input, response }, deps);
      return { ...domain, accounts: accounts as Answer<typeof listOrganizationDomainAccounts> };
    }),
  );
  const content = domainsPage({ ...notice, organizationId: organization.id, domains, hasMore: more !== null });
  const body = organizationPage("/domains", organization, visitor, content);
  sendPage(response, { title: "Domains", body, ...(notice.status ? { status: notice.status } : {}) });
}
