import { Router } from "express";
import { findOrganization } from "../../../../db/identity/organizations.ts";
import { listOrganizationDomains } from "../../../../tools/domains/list-organization-domains.ts";
import { getMe } from "../../../../tools/auth/get-me.ts";
import { getCredits } from "../../../../tools/organizations/get-credits.ts";
import { getOrganization } from "../../../../tools/organizations/get-organization.ts";
import { shapeOrganization } from "../../../../tools/organizations/organization.ts";
import { removeMember } from "../../../../tools/members/remove-member.ts";
import { updateOrganization } from "../../../../tools/organizations/update-organization.ts";
import { isChanged } from "../as-shown.ts";
import { consolePage } from "../pages/console.ts";
import { organizationPage } from "../pages/organization.ts";
import { generalFields, generalPage, organizationsPage } from "../pages/organizations.ts";
import { pageWithForms, type Answer, type FormAction, type Notice, type Visit } from "./page-with-forms.ts";
import { sendPage } from "../page.ts";
import { invokeAs, type Web } from "../visit.ts";

const numberOrNone = (text: string | null) => (text === null || text.trim() === "" ? null : Number(text));

const SAVE: FormAction = {
  endpoint: updateOrganization,
  done: "Saved.",
  stored: async (_input, { tenant }) => {
    const row = await findOrganization(tenant);
    return row && generalFields(shapeOrganization(row, "owner"));
  },
  fields: (form) => ({
    name: form.get("name"),
    monthly_credit_cap: numberOrNone(form.get("monthly_credit_cap")),
    approval_above_credits: numberOrNone(form.get("approval_above_credits")),
    ...changedRule(form),
  }),
};

/** The rule of owners, only where the person changed it: that needs a recent sign-in, and the other settings none. */
function changedRule(form: URLSearchParams): { owners_need_second_factor?: boolean } {
  const field = "owners_need_second_factor";
  return isChanged(form, field) ? { [field]: form.has(field) } : {};
}

const LEAVE: FormAction = {
  endpoint: removeMember,
  done: "You left the organization.",
  fields: (form) => ({ organization_id: form.get("organization_id"), user_id: form.get("user_id") }),
};

/** A person's organizations, and the settings of each for its owners. */
export function organizationsRouter(web: Web): Router {
  const one = "/organizations/:organization_id";
  return Router().use(
    pageWithForms(web, "/organizations", (visit, notice) => showOrganizations(visit, web, notice), { leave: LEAVE }),
    pageWithForms(web, one, (visit, notice) => showGeneral(visit, web, notice), { save: SAVE }),
  );
}

async function showOrganizations({ visitor, response }: Visit, { deps }: Web, notice: Notice): Promise<void> {
  const me = (await invokeAs(visitor, { endpoint: getMe, input: {}, response }, deps)) as Answer<typeof getMe>;
  const body = consolePage("settings", visitor, organizationsPage({ ...notice, ...me }));
  sendPage(response, { title: "Organizations", body, ...(notice.status ? { status: notice.status } : {}) });
}

async function showGeneral({ visitor, request, response }: Visit, { deps }: Web, notice: Notice): Promise<void> {
  const call = { input: { ...request.params }, response };
  const organization = (await invokeAs(visitor, { ...call, endpoint: getOrganization }, deps)) as Answer<
    typeof getOrganization
  >;
  const credits = (await invokeAs(visitor, { ...call, endpoint: getCredits }, deps)) as Answer<typeof getCredits>;
  const warnings = organization.role === "owner" ? await missingRecords(visitor, call, deps) : [];
  const content = generalPage({ ...notice, organization, credits, warnings });
  const body = organizationPage("", organization, visitor, content);
  sendPage(response, { title: organization.name, body, ...(notice.status ? { status: notice.status } : {}) });
}

/** Domains of which the owners are warned, a few of each kind. */
async function missingRecords(
  visitor: Visit["visitor"],
  { input, response }: { input: object; response: Visit["response"] },
  deps: Web["deps"],
) {
  const endpoint = listOrganizationDomains;
  const lists = (["failing", "lapsed"] as const).map((status) =>
    invokeAs(visitor, { endpoint, input: { ...input, status, limit: 5 }, response }, deps),
  );
  return (await Promise.all(lists)).flatMap((list) => (list as Answer<typeof endpoint>).data);
}
