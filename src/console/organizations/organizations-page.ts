import type { z } from "zod";
import type { OrganizationWithUse } from "../../../tools/organizations/organization.ts";
import type { getCredits } from "../../../tools/organizations/get-credits.ts";
import type { getMe } from "../../../tools/auth/get-me.ts";
import { QUOTAS, formatQuotaAmount, formatQuotaName } from "../../../core/credits/quotas.ts";
import type { StoredValues } from "../../http/pages/stale-form.ts";
import { confirmationForm } from "../../http/pages/confirmation-form.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { boxField, inputField } from "../../http/pages/fields.ts";
import { postForm } from "../../http/pages/post-form.ts";
import { alertBox } from "../../http/pages/page.ts";
import type { Notice } from "../shared/page-with-forms.ts";
import { definitionItem } from "../actions/actions-page.ts";
import { LEAVING_CONSEQUENCE } from "../members/members-page.ts";
import { renderDomainWarning, type Domain } from "../domains/domains-page.ts";
import { formatInteger } from "../../../core/shared/format-count.ts";

export function renderOrganizationsPage(
  view: Notice & Pick<z.output<typeof getMe.output>, "id" | "organizations">,
): Html {
  const { id: userId, organizations } = view;
  return html` <h1>Organizations</h1>
    <p class="lead">Manage spending, members and sign-in for each organization.</p>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`} ${alertBox(view.problem)}
    ${
      organizations.length === 0
        ? html`<div class="empty"><p>You are not a member of any organization. Ask an owner to invite you.</p></div>`
        : html`<ul class="cards">
            ${organizations.map(
              ({ id, name, role }) =>
                html`<li class="item">
                  <div class="item-head">
                    <h2>${role === "guest" ? name : html`<a href="/organizations/${id}">${name}</a>`}</h2>
                    <span class="badge">${role}</span>
                    ${confirmationForm({
                      action: "/organizations/leave",
                      verb: "Leave",
                      target: name,
                      effect: LEAVING_CONSEQUENCE,
                      hidden: { organization_id: id, user_id: userId },
                    })}
                  </div>
                </li>`,
            )}
          </ul>`
    }`;
}

type ShownOrganization = z.output<typeof OrganizationWithUse>;

export function toGeneralFields(organization: Omit<ShownOrganization, "used">): StoredValues {
  return {
    name: organization.name,
    monthly_credit_cap: String(organization.monthly_credit_cap ?? ""),
    approval_above_credits: String(organization.approval_above_credits ?? ""),
    owners_need_second_factor: organization.owners_need_second_factor ? "1" : "",
  };
}

const CREDITS = html`type="number" min="0" max="1000000000"`;

export function renderGeneralPage(
  view: Notice & {
    organization: ShownOrganization;
    credits: z.output<typeof getCredits.output>;
    domainsAtRisk: readonly Domain[];
  },
): Html {
  const { organization, credits, domainsAtRisk } = view;
  return html` <h1>${organization.name}</h1>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`} ${alertBox(view.problem)}
    ${domainsAtRisk.map(renderDomainWarning)}
    ${domainsAtRisk.length > 0 && html`<p><a href="/organizations/${organization.id}/domains">See the domains</a></p>`}
    <dl class="meta">
      ${definitionItem("Plan", organization.plan)}
      ${definitionItem("Credits available", formatInteger(credits.available))}
      ${definitionItem("Reserved", formatInteger(credits.reserved))}
      ${definitionItem("Spent this month", formatInteger(credits.spent_this_month))}
    </dl>
    ${
      organization.role === "owner" &&
      postForm(
        {
          action: `/organizations/${organization.id}/save`,
          className: "stack",
          shown: toGeneralFields(organization),
        },
        (fields) =>
          html`${inputField(fields, { name: "name", label: "Name", attributes: html`required maxlength="200"` })}
            ${inputField(fields, {
              name: "monthly_credit_cap",
              label: "Monthly credit cap",
              hint: "Leave empty for no cap.",
              attributes: CREDITS,
            })}
            ${inputField(fields, {
              name: "approval_above_credits",
              label: "Require approval in the browser above this many credits",
              hint: "Above this cost, a person must approve what an assistant creates. Leave empty to never require it.",
              attributes: CREDITS,
            })}
            ${boxField(fields, {
              name: "owners_need_second_factor",
              label: "Owners need a second factor",
              hint: "Owners who sign in with a password have no access until they set one up on their account page.",
            })} <button class="primary own-width">Save</button>`,
      )
    }
    <section aria-labelledby="quotas">
      <h2 id="quotas">Quotas</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Quota</th>
            <th scope="col" class="number">Used</th>
            <th scope="col" class="number">Limit</th>
          </tr>
        </thead>
        <tbody>
          ${QUOTAS.map(
            (quota) =>
              html`<tr>
                <th scope="row">${formatQuotaName(quota)}</th>
                <td class="number">${formatQuotaAmount(quota, organization.used[quota])}</td>
                <td class="number">${formatQuotaAmount(quota, organization.quotas[quota])}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>`;
}
