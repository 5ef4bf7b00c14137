import { createApiKey } from "../../../tools/auth/create-api-key.ts";
import { deleteApiKey } from "../../../tools/auth/delete-api-key.ts";
import { getMe } from "../../../tools/auth/get-me.ts";
import { listApiKeys } from "../../../tools/auth/list-api-keys.ts";
import { rotateApiKey } from "../../../tools/auth/rotate-api-key.ts";
import { getOrganization } from "../../../tools/organizations/get-organization.ts";
import { listOrganizationWorkspaces } from "../../../tools/workspaces/list-organization-workspaces.ts";
import type { Instant } from "../../../core/shared/time.ts";
import { renderApiKeysPage, renderNewKey, type Reach } from "./api-keys-page.ts";
import { pageWithForms, type FormAction, type Notice } from "../shared/page-with-forms.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import type { Answer } from "../../http/pages/call-endpoint.ts";
import type { WebContext } from "../../http/pages/visit.ts";
import { showOrganizationPage, showPage } from "../shared/show-page.ts";
import type { Route } from "../../http/pages/routes.ts";
import { parseExpiry } from "../../http/pages/form.ts";

const KEYS_PER_PAGE = 100;

const parseApiKeyId = (form: URLSearchParams) => ({ api_key_id: form.get("api_key_id") });

const ROTATE_KEY_ACTION: FormAction = {
  endpoint: rotateApiKey,
  done: "Rotated. The new key was already shown once.",
  showsAnswer: true,
  fields: (form) => ({ ...parseApiKeyId(form), grace_seconds: Number(form.get("grace_seconds")) }),
};
const REVOKE_KEY_ACTION: FormAction = {
  endpoint: deleteApiKey,
  done: "Revoked. Programs that use this key no longer have access.",
  fields: parseApiKeyId,
};

const CREATE_KEY_ACTION: FormAction = {
  endpoint: createApiKey,
  done: "Created. The key was already shown once.",
  showsAnswer: true,
  fields: (form, { deps }) => parseNewKey(form, deps.now()),
};
const API_KEY_FORMS = { create: CREATE_KEY_ACTION, rotate: ROTATE_KEY_ACTION, revoke: REVOKE_KEY_ACTION };

export const apiKeyRoutes: readonly Route[] = [
  ...pageWithForms("/api-keys", showOwnKeys, API_KEY_FORMS),
  ...pageWithForms("/organizations/:organization_id/api-keys", showOrganizationKeys, API_KEY_FORMS),
];

/** The field `reach` is `user`, or a kind and its ids. */
function parseNewKey(form: URLSearchParams, now: Instant): object {
  const [kind = "", organizationId, workspaceId] = (form.get("reach") ?? "user").split(" ");
  return {
    name: form.get("name"),
    kind,
    ...(organizationId === undefined ? {} : { organization_id: organizationId }),
    ...(workspaceId === undefined ? {} : { workspace_id: workspaceId }),
    ...(kind === "user" ? {} : { role: form.get("role") }),
    ...parseExpiry(form, now),
  };
}

async function showOwnKeys(visit: Visit, { status, ...notice }: Notice): Promise<void> {
  const me = await visit.call(getMe, {});
  const owned = me.organizations.filter(({ role }) => role === "owner");
  const reachOptions: Reach[] = [
    { value: "user", name: "Everything I can access", of: null },
    ...owned.map(({ id, name }) => ({ value: `organization ${id}`, name, of: "One organization" as const })),
    ...me.workspaces
      .filter(({ role }) => role === "editor")
      .map((one) => ({
        value: `workspace ${one.organization_id} ${one.id}`,
        name: one.name,
        of: "One workspace" as const,
      })),
  ];
  const { data, next_cursor: nextCursor } = await listActiveKeys(visit, {});
  const nameById = new Map([...me.organizations, ...me.workspaces].map(({ id, name }) => [id, name]));
  const content = renderApiKeysPage({
    ...replaceNoticeByKey(notice, visit.web),
    address: "/api-keys",
    heading: "API keys",
    introduction:
      "For your own server-side programs. A key can do what its access and role allow, and never more than you can.",
    keys: data,
    nextCursor,
    nameById,
    reachOptions,
    ownerId: visit.visitor.userId,
  });
  showPage(visit, { title: "API keys", section: null, status, content });
}

async function showOrganizationKeys(visit: Visit, { status, ...notice }: Notice): Promise<void> {
  const { call } = visit;
  const path = { ...visit.request.params };
  const organization = await call(getOrganization, path);
  const workspaces = await call(listOrganizationWorkspaces, { ...path, limit: 100 });
  const { data, next_cursor: nextCursor } = await listActiveKeys(visit, path);
  const content = renderApiKeysPage({
    ...replaceNoticeByKey(notice, visit.web),
    address: `/organizations/${organization.id}/api-keys`,
    heading: "API keys",
    introduction:
      "Keys limited to this organization or one of its workspaces, from all members. A key can never do more than the person who created it can do now.",
    keys: data,
    nextCursor,
    nameById: new Map([organization, ...workspaces.data].map(({ id, name }) => [id, name])),
    reachOptions: [
      { value: `organization ${organization.id}`, name: organization.name, of: "One organization" },
      ...workspaces.data.map(({ id, name }) => ({
        value: `workspace ${organization.id} ${id}`,
        name,
        of: "One workspace" as const,
      })),
    ],
    ownerId: null,
  });
  showOrganizationPage(visit, {
    title: `API keys of ${organization.name}`,
    part: "/api-keys",
    organization,
    status,
    content,
  });
}

function replaceNoticeByKey({ answer, ...notice }: Notice, { config }: WebContext) {
  if (answer === undefined) return notice;
  // Both forms with `showsAnswer` return a key and its secret.
  return { ...notice, done: undefined, created: renderNewKey(answer as Answer<typeof createApiKey>, config.baseUrl) };
}

async function listActiveKeys({ query, call }: Visit, of: object) {
  const cursor = query.get("cursor");
  return call(listApiKeys, { ...of, status: "active", limit: KEYS_PER_PAGE, ...(cursor !== null && { cursor }) });
}
