import { findOrganization } from "../../../db/identity/organizations.ts";
import { listOrganizationDomains } from "../../../tools/domains/list-organization-domains.ts";
import { getMe } from "../../../tools/auth/get-me.ts";
import { getCredits } from "../../../tools/organizations/get-credits.ts";
import { getOrganization } from "../../../tools/organizations/get-organization.ts";
import { shapeOrganization } from "../../../tools/organizations/organization.ts";
import { removeMember } from "../../../tools/members/remove-member.ts";
import { updateOrganization } from "../../../tools/organizations/update-organization.ts";
import { isFieldChanged } from "../../http/pages/stale-form.ts";
import { toGeneralFields, renderGeneralPage, renderOrganizationsPage } from "./organizations-page.ts";
import { pageWithForms, type FormAction, type Notice } from "../shared/page-with-forms.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { showOrganizationPage, showPage } from "../shared/show-page.ts";
import type { Route } from "../../http/pages/routes.ts";

const parseOptionalNumber = (text: string | null) => (text === null || text.trim() === "" ? null : Number(text));

const SAVE: FormAction = {
  endpoint: updateOrganization,
  done: "Saved.",
  stored: async (_input, { tenant }) => {
    const row = await findOrganization(tenant);
    return row && toGeneralFields(shapeOrganization(row, "owner"));
  },
  fields: (form) => ({
    name: form.get("name"),
    monthly_credit_cap: parseOptionalNumber(form.get("monthly_credit_cap")),
    approval_above_credits: parseOptionalNumber(form.get("approval_above_credits")),
    ...parseChangedRule(form),
  }),
};

/** Omits an unchanged rule, because changing it needs a recent sign-in. */
function parseChangedRule(form: URLSearchParams): { owners_need_second_factor?: boolean } {
  const field = "owners_need_second_factor";
  return isFieldChanged(form, field) ? { [field]: form.has(field) } : {};
}

const LEAVE: FormAction = {
  endpoint: removeMember,
  done: "You left the organization.",
  fields: (form) => ({ organization_id: form.get("organization_id"), user_id: form.get("user_id") }),
};

export const organizationRoutes: readonly Route[] = [
  ...pageWithForms("/organizations", showOrganizations, { leave: LEAVE }),
  ...pageWithForms("/organizations/:organization_id", showGeneral, { save: SAVE }),
];

async function showOrganizations(visit: Visit, notice: Notice): Promise<void> {
  const content = renderOrganizationsPage({ ...notice, ...(await visit.call(getMe, {})) });
  showPage(visit, { title: "Organizations", section: "settings", status: notice.status, content });
}

async function showGeneral(visit: Visit, notice: Notice): Promise<void> {
  const path = { ...visit.request.params };
  const organization = await visit.call(getOrganization, path);
  const credits = await visit.call(getCredits, path);
  const domainsAtRisk = organization.role === "owner" ? await listDomainWarnings(visit) : [];
  const content = renderGeneralPage({ ...notice, organization, credits, domainsAtRisk });
  showOrganizationPage(visit, { title: organization.name, part: "", organization, status: notice.status, content });
}

async function listDomainWarnings({ request, call }: Visit) {
  const lists = (["failing", "lapsed"] as const).map((status) =>
    call(listOrganizationDomains, { ...request.params, status, limit: 5 }),
  );
  return (await Promise.all(lists)).flatMap(({ data }) => data);
}
