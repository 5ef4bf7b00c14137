import type { z } from "zod";
import type { listOrganizationDomainAccounts } from "../../../tools/domains/list-organization-domain-accounts.ts";
import type { OrganizationDomain } from "../../../tools/domains/organization-domain.ts";
import { confirmationForm } from "../../http/pages/confirmation-form.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { inputField } from "../../http/pages/fields.ts";
import { postForm } from "../../http/pages/post-form.ts";
import { alertBox, copyButton, renderInstant } from "../../http/pages/page.ts";
import { formIdField, type Notice } from "../shared/page-with-forms.ts";
import { formatInteger } from "../../../core/shared/format-count.ts";

export type Domain = z.output<typeof OrganizationDomain>;
/** `accounts` are the first ones of a verified domain; undefined before. */
type DomainWithAccounts = Domain & { accounts: z.output<typeof listOrganizationDomainAccounts.output> | undefined };

export function renderDomainsPage(
  view: Notice & { organizationId: string; domains: readonly DomainWithAccounts[]; hasMore: boolean },
): Html {
  const { domains, problem } = view;
  const address = `/organizations/${view.organizationId}/domains`;
  return html` <h1>Domains</h1>
    <p class="lead">
      The part after the @ in your members’ e-mail addresses. Single sign-on accepts only e-mail addresses of domains
      verified here.
    </p>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`} ${alertBox(problem)}
    ${postForm(
      { action: `${address}/add`, className: "line" },
      (fields) =>
        html`${formIdField()}
          ${inputField(fields, {
            name: "domain",
            label: "Domain",
            attributes: html`required maxlength="253" autocapitalize="none" spellcheck="false" placeholder="example.com"
            ${fields.isSent && problem !== undefined && html` aria-invalid="true" aria-describedby="problem"`}`,
          })} <button class="primary">Add domain</button>`,
    )}
    ${
      domains.length === 0
        ? html`<div class="empty"><p>No domains yet. Add the domain of your work e-mail addresses.</p></div>`
        : html`<ul class="cards">
            ${domains.map((domain) => renderDomainCard(domain, address, view.done !== undefined))}
          </ul>`
    }
    ${view.hasMore && html`<p class="hint">Showing the first ${domains.length}. Use the REST API to list all of them.</p>`}`;
}

const DOMAIN_STATUS_BADGES = {
  unverified: html`<span class="badge badge-warn">Not verified</span>`,
  verified: html`<span class="badge badge-good">Verified</span>`,
  failing: html`<span class="badge badge-warn">Record missing</span>`,
  lapsed: html`<span class="badge badge-warn">Lapsed</span>`,
};

function renderDomainCard(domain: DomainWithAccounts, address: string, isOpen: boolean): Html {
  return html`<li class="item">
    <div class="item-head">
      <h2>${domain.domain}</h2>
      ${DOMAIN_STATUS_BADGES[domain.status]}
      ${confirmationForm({
        action: `${address}/remove`,
        verb: "Remove",
        target: domain.domain,
        effect:
          "Single sign-on accepts no new person with this domain. To add it again, you prove it by a new DNS record.",
        hidden: { domain_id: domain.id },
      })}
    </div>
    ${domain.verified && html`<p class="hint">${describeVerification(domain)}</p>`} ${renderDomainWarning(domain)}
    ${domain.status !== "verified" && renderDnsRecord(domain, address)}
    ${domain.accounts && renderDomainAccounts(domain, domain.accounts, isOpen)}
  </li>`;
}

function describeVerification(domain: Domain): Html {
  const since = renderInstant(domain.verified_at, "", "day");
  if (domain.verified_by === "operator") return html`Since ${since}, by the operator of this service`;
  return html`Since ${since}. DNS record last looked up: ${renderInstant(domain.last_looked_up_at, "not yet", "day")}`;
}

export function renderDomainWarning(domain: Domain): Html | undefined {
  if (domain.status === "failing") {
    return html`<p class="caution">
      The DNS record of ${domain.domain} was missing on three days. Publish it again before
      ${renderInstant(domain.lapses_at, "")}. From then on, no new person can sign in with this domain. People who
      already sign in through your provider can go on.
    </p>`;
  }
  if (domain.status !== "lapsed") return undefined;
  return html`<p class="caution">
    The DNS record of ${domain.domain} has been missing since ${renderInstant(domain.warned_at, "", "day")}, so no new
    person can sign in with this domain. People who already sign in through your provider can go on. Publish the record
    again, or remove the domain. Another organization that publishes its own record can verify it.
  </p>`;
}

function renderDnsRecord(domain: Domain, address: string): Html {
  const verb = domain.verified ? "Look up now" : "Verify";
  const [nameId, valueId] = [`name-${domain.id}`, `value-${domain.id}`];
  return html`<p>
      ${domain.verified ? "The TXT record that must be in the DNS of" : "Add this TXT record to the DNS of"}
      ${domain.domain}${domain.verified ? ":" : ", then verify it."}
    </p>
    <dl class="facts record">
      <div>
        <dt>Name</dt>
        <dd><code id="${nameId}">${domain.record_name}</code> ${copyButton(nameId, "the name")}</dd>
      </div>
      <div>
        <dt>Value</dt>
        <dd><code id="${valueId}">${domain.record_value}</code> ${copyButton(valueId, "the value")}</dd>
      </div>
    </dl>
    ${postForm(
      { action: `${address}/verify`, hidden: { domain_id: domain.id } },
      html`<button class="primary own-width" aria-label="${verb} ${domain.domain}">${verb}</button>`,
    )}`;
}

const FIRST_SIGN_IN_LABELS = {
  linked_already: "Linked already",
  kept: "Kept as it is",
  handed_over: "Handed over",
};

function renderDomainAccounts(
  { domain }: Domain,
  { data, total }: NonNullable<DomainWithAccounts["accounts"]>,
  isOpen: boolean,
): Html {
  if (total === 0) return html`<p class="hint">No account has an e-mail address of this domain yet.</p>`;
  return html`<details ${isOpen && html`open`}>
    <summary>Accounts with this domain: ${formatInteger(total)}</summary>
    <table>
      <caption class="unseen">
        Accounts with an e-mail address of ${domain}
      </caption>
      <thead>
        <tr>
          <th scope="col">E-mail</th>
          <th scope="col">Member</th>
          <th scope="col">At the first sign-in through your provider</th>
        </tr>
      </thead>
      <tbody>
        ${data.map(
          (account) =>
            html`<tr>
              <th scope="row">${account.email}</th>
              <td>${account.member ? "Yes" : "No"}</td>
              <td>${FIRST_SIGN_IN_LABELS[account.at_first_sign_in]}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${total > data.length && html`<p class="hint">Showing the first ${data.length}. The REST API lists all of them.</p>`}
    ${
      data.some(({ at_first_sign_in: change }) => change === "handed_over") &&
      html`<p class="hint">
        Handed over: the person gets a fresh account with this e-mail, and keeps the membership of this organization.
        The password, sessions, API keys and assistants of the old account end. Its memberships of other organizations
        stay behind with it. The same happens when your directory provisions the person.
      </p>`
    }
  </details>`;
}
