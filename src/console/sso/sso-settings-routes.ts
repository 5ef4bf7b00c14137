import { findSsoConfiguration } from "../../../db/identity/sso.ts";
import { listOrganizationDomains } from "../../../tools/domains/list-organization-domains.ts";
import { getOrganization } from "../../../tools/organizations/get-organization.ts";
import { deleteSsoConfiguration } from "../../../tools/sso/delete-sso-configuration.ts";
import { getSsoConfiguration } from "../../../tools/sso/get-sso-configuration.ts";
import { putSsoConfiguration } from "../../../tools/sso/put-sso-configuration.ts";
import { shapeSsoConfiguration } from "../../../tools/sso/sso-configuration.ts";
import { readSamlMetadata } from "../../../tools/sso/read-saml-metadata.ts";
import { AppError } from "../../../core/shared/errors.ts";
import { toSsoFormValues } from "./sso-fields.ts";
import { renderSsoSettingsPage } from "./sso-settings-page.ts";
import { pageWithForms, type FormAction, type Notice } from "../shared/page-with-forms.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import type { Answer } from "../../http/pages/call-endpoint.ts";
import type { WebContext } from "../../http/pages/visit.ts";
import { showOrganizationPage } from "../shared/show-page.ts";
import type { Route } from "../../http/pages/routes.ts";

const SAVE_SETTINGS_ACTION: FormAction = {
  endpoint: putSsoConfiguration,
  done: "Saved.",
  fields: parseSettings,
  stored: async (_input, { tenant }) => {
    const row = await findSsoConfiguration(tenant);
    return row && toSsoFormValues(shapeSsoConfiguration(row));
  },
};
const READ_METADATA_ACTION: FormAction = {
  endpoint: readSamlMetadata,
  done: "Metadata read. Nothing is saved yet: review the settings below, then save.",
  fields: (form) => ({ metadata: form.get("metadata") }),
  showsAnswer: true,
};
const REMOVE_SSO_ACTION: FormAction = {
  endpoint: deleteSsoConfiguration,
  done: "Removed. People now sign in with their passwords.",
  fields: () => ({}),
};

export const ssoSettingsRoutes: readonly Route[] = pageWithForms("/organizations/:organization_id/sso", showSettings, {
  save: SAVE_SETTINGS_ACTION,
  metadata: READ_METADATA_ACTION,
  remove: REMOVE_SSO_ACTION,
});

async function showSettings(visit: Visit, notice: Notice): Promise<void> {
  const { call, query, web } = visit;
  const path = { ...visit.request.params };
  const organization = await call(getOrganization, path);
  const domains = await call(listOrganizationDomains, { ...path, limit: 100 });
  const configuration = await findConfiguration(visit);
  const protocol = notice.typed?.get("protocol") ?? query.get("protocol") ?? configuration?.protocol;
  const content = renderSsoSettingsPage({
    ...notice,
    metadata: notice.answer as Answer<typeof readSamlMetadata> | undefined,
    organizationId: organization.id,
    baseUrl: web.config.baseUrl,
    protocol: protocol === "saml" ? "saml" : "oidc",
    configuration,
    hasVerifiedDomain: domains.data.some(({ verified }) => verified),
    testResult: query.has("test") && configuration ? await checkProvider(organization.id, web) : undefined,
  });
  showOrganizationPage(visit, { title: "Single sign-on", part: "/sso", organization, status: notice.status, content });
}

async function findConfiguration({ request, call }: Visit) {
  try {
    return await call(getSsoConfiguration, { ...request.params });
  } catch (error) {
    // Earlier reads have shown that the visitor may see the organization.
    if (error instanceof AppError && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}

async function checkProvider(organizationId: string, { deps, oidcProviders }: WebContext) {
  const configuration = await deps.store.read((db) => findSsoConfiguration({ db, organizationId }));
  const isOidc = configuration?.protocol === "oidc";
  return { faultMessage: (isOidc ? await oidcProviders.findFault(configuration) : undefined) ?? null };
}

function parseSettings(form: URLSearchParams): object {
  const lines = (field: string) =>
    (form.get(field) ?? "")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  const texts = ["issuer", "client_id", "client_secret", "sign_in_url", "email_claim", "name_claim", "groups_claim"];
  const fields = texts.map((field) => [field, (form.get(field) ?? "").trim()]).filter(([, value]) => value !== "");
  const isSaml = form.get("protocol") === "saml";
  return {
    protocol: form.get("protocol"),
    ...Object.fromEntries(fields),
    ...(isSaml ? { certificates: parseCertificates(form.get("certificates") ?? "") } : { scopes: parseScopes(form) }),
    allowed_domains: lines("allowed_domains"),
    default_role: form.get("default_role"),
    // Group names can contain an equals sign, so the last one separates.
    group_roles: lines("group_roles").map((line) => {
      const at = line.lastIndexOf("=");
      return { group: line.slice(0, Math.max(at, 0)).trim(), role: line.slice(at + 1).trim() };
    }),
    makes_accounts: form.has("makes_accounts"),
    trusts_email: form.has("trusts_email"),
    accepts_idp_initiated: form.has("accepts_idp_initiated"),
    is_required: form.has("is_required"),
  };
}

function parseScopes(form: URLSearchParams): string[] {
  return (form.get("scopes") ?? "").split(/\s+/).filter((scope) => scope !== "");
}

function parseCertificates(text: string): string[] {
  const pemBlocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g);
  return pemBlocks ?? (text.trim() === "" ? [] : [text.trim()]);
}
