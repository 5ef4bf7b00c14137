import type { z } from "zod";
import type { readSamlMetadata } from "../../../tools/sso/read-saml-metadata.ts";
import type { SsoConfiguration } from "../../../tools/sso/sso-configuration.ts";
import { SSO_ROLES } from "../../../core/identity/sso.ts";
import { confirmationForm } from "../../http/pages/confirmation-form.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { boxField, selectField, inputField, textareaField } from "../../http/pages/fields.ts";
import { details, postForm, type FormFields } from "../../http/pages/post-form.ts";
import { alertBox, copyButton, renderInstant } from "../../http/pages/page.ts";
import type { Notice } from "../shared/page-with-forms.ts";
import { definitionItem } from "../actions/actions-page.ts";
import { buildProtocolFields } from "./sso-fields.ts";

type ShownSsoConfiguration = z.output<typeof SsoConfiguration>;

interface SsoSettingsView extends Pick<Notice, "done" | "problem"> {
  /** Settings from the provider's metadata, for review before saving. */
  metadata: z.output<typeof readSamlMetadata.output> | undefined;
  organizationId: string;
  baseUrl: string;
  protocol: "oidc" | "saml";
  configuration: ShownSsoConfiguration | undefined;
  hasVerifiedDomain: boolean;
  /** Result of a connection test; null if the test passed. */
  testResult: { faultMessage: string | null } | undefined;
}

export function renderSsoSettingsPage(view: SsoSettingsView): Html {
  const { configuration, metadata, protocol, organizationId } = view;
  const address = `/organizations/${organizationId}/sso`;
  const other = protocol === "oidc" ? "saml" : "oidc";
  const shown = buildProtocolFields(configuration, protocol);
  const values = { ...shown, ...(metadata && { ...metadata, certificates: metadata.certificates.join("\n") }) };
  return html` <h1>Single sign-on</h1>
    <p class="lead">People with an e-mail address of your verified domains sign in through your identity provider.</p>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`} ${alertBox(view.problem)}
    ${view.testResult && renderTestResult(view.testResult)}
    ${
      !view.hasVerifiedDomain &&
      html`<p class="caution">
        Single sign-on does not work yet. First
        <a href="/organizations/${organizationId}/domains">verify the domain</a> of your e-mail addresses.
      </p>`
    }
    ${configuration && renderConfigurationState(configuration, address)}
    <section aria-labelledby="there">
      <h2 id="there">At your provider</h2>
      <p>Add this service as an application, with these URLs.</p>
      ${renderProviderUrls(view)}
    </section>
    <section aria-labelledby="here">
      <h2 id="here">Settings</h2>
      <nav class="tabs" aria-label="Protocol">
        <a href="${address}?protocol=oidc" ${protocol === "oidc" && html` aria-current="page"`}>OpenID Connect</a>
        <a href="${address}?protocol=saml" ${protocol === "saml" && html` aria-current="page"`}>SAML 2.0</a>
      </nav>
      ${configuration?.protocol === other && html`<p class="hint">Saving this replaces the ${PROTOCOL_NAMES[other]} settings.</p>`}
      ${protocol === "saml" && renderMetadataForm(address)}
      ${postForm(
        { action: `${address}/save`, className: "stack", hidden: { protocol }, shown, values },
        (fields) =>
          html`<fieldset>
              <legend>Provider</legend>
              ${protocol === "oidc" ? renderOidcFields(fields, configuration) : renderSamlFields(fields)}
            </fieldset>
            ${renderAccountFields(fields)} ${renderAccessFields(fields)}
            <button class="primary own-width">Save</button>`,
      )}
    </section>
    ${
      configuration &&
      html`<section aria-labelledby="remove">
        <h2 id="remove">Remove</h2>
        <p>Accounts and roles stay. People without a password need a set-password link from your administrator.</p>
        ${confirmationForm({
          action: `${address}/remove`,
          verb: "Remove single sign-on",
          effect:
            "These settings and the client secret are deleted. People without a password can then no longer sign in.",
        })}
      </section>`
    }`;
}

const PROTOCOL_NAMES = { oidc: "OpenID Connect", saml: "SAML" };

function renderTestResult({ faultMessage }: { faultMessage: string | null }): Html | undefined {
  if (faultMessage !== null) return alertBox(`The provider cannot be used: ${faultMessage}`);
  return html`<p class="done" role="status">
    The connection works: the provider responds, and its metadata and keys are valid.
  </p>`;
}

function renderConfigurationState(configuration: ShownSsoConfiguration, address: string): Html {
  const start = address.replace(/^\/organizations\/([^/]+)\/sso$/, "/sso/$1/start");
  return html`<dl class="meta">
      ${definitionItem("Protocol", PROTOCOL_NAMES[configuration.protocol])}
      ${definitionItem("Required", configuration.is_required ? "for all but owners" : "no")}
      ${definitionItem("Last sign-in", renderInstant(configuration.last_used_at, "never"))}
    </dl>
    <p class="actions">
      ${configuration.protocol === "oidc" && html`<a class="button secondary" href="${address}?test=1">Test the connection</a>`}
      <a class="button secondary" href="${start}?relay_path=${encodeURIComponent(address)}">Try signing in</a>
    </p>`;
}

function renderProviderUrls({ protocol, baseUrl, organizationId }: SsoSettingsView): Html {
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

const CODE = html`autocapitalize="none" spellcheck="false" maxlength="1000"`;
const REQUIRED_CODE = html`${CODE} required`;

function renderOidcFields(fields: FormFields, configuration: ShownSsoConfiguration | undefined): Html {
  const secretHint = configuration?.has_client_secret
    ? "Leave empty to keep the stored secret."
    : "Leave empty if there is none.";
  return html`${inputField(fields, {
      name: "issuer",
      label: "Issuer",
      hint: "Exactly as in the provider's metadata, without /.well-known/openid-configuration.",
      attributes: html`type="url" ${REQUIRED_CODE}`,
    })}
    ${inputField(fields, { name: "client_id", label: "Client ID", attributes: REQUIRED_CODE })}
    <label class="field"
      >Client secret
      <input name="client_secret" type="password" autocomplete="off" maxlength="1000" />
      <span class="hint">${secretHint}</span></label
    >
    ${inputField(fields, { name: "scopes", label: "Scopes", attributes: html`spellcheck="false" required` })}`;
}

function renderSamlFields(fields: FormFields): Html {
  return html`${inputField(fields, { name: "issuer", label: "Entity ID of the provider", attributes: REQUIRED_CODE })}
  ${inputField(fields, {
    name: "sign_in_url",
    label: "Sign-in address (SSO URL)",
    attributes: html`type="url" ${REQUIRED_CODE}`,
  })}
  ${textareaField(fields, {
    name: "certificates",
    label: "Signing certificates",
    hint: "In PEM format. Add two while you replace one with the other.",
    rows: 6,
    attributes: html`required spellcheck="false" class="code"`,
  })}`;
}

/** Reads the values from a metadata file, because copying them by hand is error-prone. */
function renderMetadataForm(address: string): Html {
  return details(
    { summary: "Fill in from the provider’s metadata" },
    postForm(
      { action: `${address}/metadata?protocol=saml`, className: "stack" },
      (fields) =>
        html`${textareaField(fields, {
            name: "metadata",
            label: "Metadata",
            hint: "The full text of the metadata file (XML).",
            rows: 6,
            attributes: html`required maxlength="500000" spellcheck="false" class="code"`,
          })} <button class="secondary own-width">Read metadata</button>`,
    ),
  );
}

function renderAccountFields(fields: FormFields): Html {
  return html`<fieldset>
      <legend>Accounts</legend>
      ${boxField(fields, { name: "makes_accounts", label: "Create an account on first sign-in" })}
      ${selectField(fields, {
        name: "default_role",
        label: "Role of new members",
        options: SSO_ROLES.map((role) => [role, role]),
      })}
      ${textareaField(fields, {
        name: "group_roles",
        label: "Roles by group",
        hint: "One per line, such as Marketing = editor. Applied on each sign-in; the strongest role wins. Owners keep their role.",
        rows: 3,
        attributes: html`spellcheck="false"`,
      })}
    </fieldset>
    <details>
      <summary>Claim names</summary>
      <div class="stack">
        ${inputField(fields, { name: "email_claim", label: "E-mail", attributes: CODE })}
        ${inputField(fields, { name: "name_claim", label: "Name", attributes: CODE })}
        ${inputField(fields, { name: "groups_claim", label: "Groups", attributes: CODE })}
      </div>
    </details>`;
}

function renderAccessFields(fields: FormFields): Html {
  return html`<fieldset>
    <legend>Access</legend>
    ${textareaField(fields, {
      name: "allowed_domains",
      label: "Allowed domains",
      hint: "One verified domain per line. Leave empty to allow all verified domains.",
      rows: 2,
      attributes: html`spellcheck="false"`,
    })}
    ${boxField(fields, {
      name: "trusts_email",
      label: "Trust e-mail addresses that the provider does not mark as verified",
      hint: "Only if people cannot enter someone else’s address at the provider.",
    })}
    ${boxField(fields, {
      name: "accepts_idp_initiated",
      label: "Allow sign-ins started at the provider",
      hint: "For example from its application portal.",
    })}
    ${boxField(fields, {
      name: "is_required",
      label: "Require single sign-on",
      hint: "Takes effect at once: members can no longer reach the organization any other way. Owners can still use their passwords, so that you are not locked out.",
    })}
  </fieldset>`;
}
