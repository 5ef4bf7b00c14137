import type { z } from "zod";
import type { OrganizationDomain } from "../../../../tools/domains/organization-domain.ts";
import { html, type Html } from "../html.ts";
import { alertBox, copyButton, instantShown } from "../page.ts";
import type { Notice } from "../console/page-with-forms.ts";

type Domain = z.output<typeof OrganizationDomain>;

/** An organization's e-mail domains, and the DNS record that proves each one. */
export function domainsPage(
  view: Notice & { organizationId: string; domains: readonly Domain[]; hasMore: boolean },
): Html {
  const { domains, typed, problem } = view;
  const address = `/organizations/${view.organizationId}/domains`;
  // An error with typed input belongs to the form; any other is about a domain in the list.
  const typedDomain = typed?.get("domain") ?? undefined;
  const invalid =
    problem !== undefined && typedDomain !== undefined && html` aria-invalid="true" aria-describedby="problem"`;
  return html` <h1>Domains</h1>
    <p class="lead">
      The part after the @ in your members’ e-mail addresses. Single sign-on accepts only e-mail addresses of domains
      verified here.
    </p>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`} ${alertBox(problem)}
    <form method="post" action="${address}/add" class="line">
      <label class="field"
        >Domain
        <input
          name="domain"
          required
          maxlength="253"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          placeholder="example.com"
          value="${typedDomain ?? ""}"
          ${invalid}
      /></label>
      <button class="primary">Add domain</button>
    </form>
    ${
      domains.length === 0
        ? html`<div class="empty"><p>No domains yet. Add the domain of your work e-mail addresses.</p></div>`
        : html`<ul class="cards">
            ${domains.map((domain) => domainCard(domain, address))}
          </ul>`
    }
    ${view.hasMore && html`<p class="hint">Showing the first ${domains.length}. Use the REST API to list all of them.</p>`}`;
}

function domainCard(domain: Domain, address: string): Html {
  const state = domain.verified
    ? html`<span class="badge badge-good">Verified</span>`
    : html`<span class="badge badge-warn">Not verified</span>`;
  return html`<li class="item">
    <div class="item-head">
      <h2>${domain.domain}</h2>
      ${state}
      <form method="post" action="${address}/remove">
        <input type="hidden" name="domain_id" value="${domain.id}" />
        <button class="secondary danger" aria-label="Remove ${domain.domain}">Remove</button>
      </form>
    </div>
    ${
      domain.verified
        ? html`<p class="hint">Since ${instantShown(domain.verified_at, "", "day")}</p>`
        : recordBox(domain, address)
    }
  </li>`;
}

function recordBox(domain: Domain, address: string): Html {
  const [nameId, valueId] = [`name-${domain.id}`, `value-${domain.id}`];
  return html`<p>Add this TXT record to the DNS of ${domain.domain}, then verify it.</p>
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
    <form method="post" action="${address}/verify">
      <input type="hidden" name="domain_id" value="${domain.id}" />
      <button class="primary own-width" aria-label="Verify ${domain.domain}">Verify</button>
    </form>`;
}
