import type { z } from "zod";
import type { readSamlMetadata } from "../../../tools/sso/read-saml-metadata.ts";
import type { SsoConfiguration } from "../../../tools/sso/sso-configuration.ts";
import { SSO_ROLES } from "../../../core/identity/sso.ts";
import { shownMark, type Shown } from "../../http/pages/as-shown.ts";
import { askFirst } from "../../http/pages/ask-first.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { alertBox, copyButton, instantShown } from "../../http/pages/page.ts";
import type { Notice } from "../shared/page-with-forms.ts";
import { fact } from "../actions/actions-page.ts";
import { fieldsOf } from "./sso-fields.ts";

type Configuration = z.output<typeof SsoConfiguration>;

interface Settings extends Pick<Notice, "done" | "problem"> {
  /** Settings read from a provider's metadata, for review before saving. */
  found: z.output<typeof readSamlMetadata.output> | undefined;
  organizationId: string;
  baseUrl: string;
  protocol: "oidc" | "saml";
  configuration: Configuration | undefined;
  hasVerifiedDomain: boolean;
  /** Result of a connection test; null if the test passed. */
  test: { fault: string | null } | undefined;
}

/** Single sign-on settings of an organization. */
export function ssoSettingsPage(view: Settings): Html {
  const { configuration, found, protocol, organizationId } = view;
  const address = `/organizations/${organizationId}/sso`;
  const other = protocol === "oidc" ? "saml" : "oidc";
  const shown = fieldsOf(configuration, protocol);
  const fields = { ...shown, ...(found && { ...found, certificates: found.certificates.join("\n") }) };
  return html` <h1>Single sign-on</h1>
    <p class="lead">People with an e-mail address of your verified domains sign in through your identity provider.</p>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`} ${alertBox(view.problem)}
    ${view.test && testBox(view.test)}
    ${
      !view.hasVerifiedDomain &&
      html`<p class="caution">
        Single sign-on does not work yet. First
        <a href="/organizations/${organizationId}/domains">verify the domain</a> of your e-mail addresses.
      </p>`
    }
    ${configuration && stateBox(configuration, address)}
    <section aria-labelledby="there">
      <h2 id="there">At your provider</h2>
      <p>Add this service as an application, with these URLs.</p>
      ${addresses(view)}
    </section>
    <section aria-labelledby="here">
      <h2 id="here">Settings</h2>
      <nav class="tabs" aria-label="Protocol">
        <a href="${address}?protocol=oidc" ${protocol === "oidc" && html` aria-current="page"`}>OpenID Connect</a>
        <a href="${address}?protocol=saml" ${protocol === "saml" && html` aria-current="page"`}>SAML 2.0</a>
      </nav>
      ${configuration?.protocol === other && html`<p class="hint">Saving this replaces the ${NAMES[other]} settings.</p>`}
      ${protocol === "saml" && metadataForm(address)}
      <form method="post" action="${address}/save" class="stack">
        ${shownMark(shown)}
        <input type="hidden" name="protocol" value="${protocol}" />
        <fieldset>
          <legend>Provider</legend>
          ${protocol === "oidc" ? oidcFields(fields, configuration) : samlFields(fields)}
        </fieldset>
        ${accountFields(fields)} ${ruleFields(fields)}
        <button class="primary own-width">Save</button>
      </form>
    </section>
    ${
      configuration &&
      html`<section aria-labelledby="remove">
        <h2 id="remove">Remove</h2>
        <p>Accounts and roles stay. People without a password need a set-password link from your administrator.</p>
        ${askFirst({
          action: `${address}/remove`,
          verb: "Remove single sign-on",
          lost: "These settings and the client secret are deleted. People without a password can then no longer sign in.",
        })}
      </section>`
    }`;
}

const NAMES = { oidc: "OpenID Connect", saml: "SAML" };

function testBox({ fault }: { fault: string | null }): Html | undefined {
  if (fault !== null) return alertBox(`The provider cannot be used: ${fault}`);
  return html`<p class="done" role="status">
    The connection works: the provider responds, and its metadata and keys are valid.
  </p>`;
}

function stateBox(configuration: Configuration, address: string): Html {
  const start = address.replace(/^\/organizations\/([^/]+)\/sso$/, "/sso/$1/start");
  return html`<dl class="meta">
      ${fact("Protocol", NAMES[configuration.protocol])}
      ${fact("Required", configuration.is_required ? "for all but owners" : "no")}
      ${fact("Last sign-in", instantShown(configuration.last_used_at, "never"))}
    </dl>
    <p class="actions">
      ${configuration.protocol === "oidc" && html`<a class="button secondary" href="${address}?test=1">Test the connection</a>`}
      <a class="button secondary" href="${start}?relay_path=${encodeURIComponent(address)}">Try signing in</a>
    </p>`;
}

/** The URLs to register at the provider. */
function addresses({ protocol, baseUrl, organizationId }: Settings): Html {
  const own = `${baseUrl}/sso/${organizationId}`;
  const rows =
    protocol === "oidc"
      ? [
          ["Redirect URI", `${own}/callback`],
          ["Initiate login URI", `${own}/initiate`],
        ]
      : [
          ["Metadata and entity ID", `${own}/saml/metadata`],
          ["Assertion consumer service (ACS)", `${own}/saml/acs`],
        ];
  return html`<dl class="facts record">
    ${rows.map(([name = "", value = ""], at) => {
      const id = `address-${at}`;
      return html`<div>
        <dt>${name}</dt>
        <dd><code id="${id}">${value}</code> ${copyButton(id, name)}</dd>
      </div>`;
    })}
  </dl>`;
}

function textField(
  fields: Shown,
  field: { name: string; label: string; hint?: string; required?: boolean; type?: string },
): Html {
  return html`<label class="field"
    >${field.label}
    <input
      name="${field.name}"
      type="${field.type ?? "text"}"
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
      maxlength="1000"
      value="${fields[field.name]}"
      ${field.required === true && html` required`}
    />
    ${field.hint !== undefined && html`<span class="hint">${field.hint}</span>`}</label
  >`;
}

function oidcFields(fields: Shown, configuration: Configuration | undefined): Html {
  const secretHint = configuration?.has_client_secret
    ? "Leave empty to keep the stored secret."
    : "Leave empty if there is none.";
  const issuerHint = "Exactly as in the provider's metadata, without /.well-known/openid-configuration.";
  return html`${textField(fields, { name: "issuer", label: "Issuer", hint: issuerHint, required: true, type: "url" })}
    ${textField(fields, { name: "client_id", label: "Client ID", required: true })}
    <label class="field"
      >Client secret
      <input name="client_secret" type="password" autocomplete="off" maxlength="1000" />
      <span class="hint">${secretHint}</span></label
    >
    <label class="field"
      >Scopes <input name="scopes" autocomplete="off" spellcheck="false" required value="${fields["scopes"]}"
    /></label>`;
}

function samlFields(fields: Shown): Html {
  // The first line break of a field is not part of it.
  const certificates = `\n${fields["certificates"]}`;
  return html`${textField(fields, { name: "issuer", label: "Entity ID of the provider", required: true })}
    ${textField(fields, { name: "sign_in_url", label: "Sign-in address (SSO URL)", required: true, type: "url" })}
    <label class="field"
      >Signing certificates
      <textarea name="certificates" rows="6" required spellcheck="false" class="code">${certificates}</textarea>
      <span class="hint">In PEM format. Add two while you replace one with the other.</span></label
    >`;
}

/** Copying three values by hand is error-prone; the provider's metadata file has them all. */
function metadataForm(address: string): Html {
  return html`<details>
    <summary>Fill in from the provider’s metadata</summary>
    <form method="post" action="${address}/metadata?protocol=saml" class="stack">
      <label class="field"
        >Metadata
        <textarea name="metadata" rows="6" required maxlength="500000" spellcheck="false" class="code"></textarea>
        <span class="hint">The full text of the metadata file (XML).</span></label
      >
      <button class="secondary own-width">Read metadata</button>
    </form>
  </details>`;
}

function accountFields(fields: Shown): Html {
  return html`<fieldset>
      <legend>Accounts</legend>
      ${checkbox(fields, { name: "makes_accounts", label: "Create an account on first sign-in" })}
      <label class="field"
        >Role of new members
        <select name="default_role">
          ${SSO_ROLES.map((one) => html`<option ${one === fields["default_role"] && html` selected`}>${one}</option>`)}
        </select></label
      >
      <label class="field"
        >Roles by group
        <textarea name="group_roles" rows="3" spellcheck="false">${"\n"}${fields["group_roles"]}</textarea>
        <span class="hint"
          >One per line, such as Marketing = editor. Applied on each sign-in; the strongest role wins. Owners keep their
          role.</span
        ></label
      >
    </fieldset>
    <details>
      <summary>Claim names</summary>
      <div class="stack">
        ${textField(fields, { name: "email_claim", label: "E-mail" })}
        ${textField(fields, { name: "name_claim", label: "Name" })}
        ${textField(fields, { name: "groups_claim", label: "Groups" })}
      </div>
    </details>`;
}

function ruleFields(fields: Shown): Html {
  return html`<fieldset>
    <legend>Access</legend>
    <label class="field"
      >Allowed domains
      <textarea name="allowed_domains" rows="2" spellcheck="false">${"\n"}${fields["allowed_domains"]}</textarea>
      <span class="hint">One verified domain per line. Leave empty to allow all verified domains.</span></label
    >
    ${checkbox(fields, {
      name: "trusts_email",
      label: "Trust e-mail addresses that the provider does not mark as verified",
      hint: "Only if people cannot enter someone else’s address at the provider.",
    })}
    ${checkbox(fields, {
      name: "accepts_idp_initiated",
      label: "Allow sign-ins started at the provider",
      hint: "For example from its application portal.",
    })}
    ${checkbox(fields, {
      name: "is_required",
      label: "Require single sign-on",
      hint: "Takes effect at once: members can no longer reach the organization any other way. Owners can still use their passwords, so that you are not locked out.",
    })}
  </fieldset>`;
}

function checkbox(fields: Shown, field: { name: string; label: string; hint?: string }): Html {
  return html`<label class="scope">
    <input type="checkbox" name="${field.name}" value="1" ${fields[field.name] === "1" && html` checked`} />
    <span>${field.label}${field.hint !== undefined && html`<small>${field.hint}</small>`}</span>
  </label>`;
}
