import { Router } from "express";
import { createApiKey } from "../../../../tools/auth/create-api-key.ts";
import { deleteApiKey } from "../../../../tools/auth/delete-api-key.ts";
import { getMe } from "../../../../tools/auth/get-me.ts";
import { listApiKeys } from "../../../../tools/auth/list-api-keys.ts";
import { rotateApiKey } from "../../../../tools/auth/rotate-api-key.ts";
import { getOrganization } from "../../../../tools/organizations/get-organization.ts";
import { listOrganizationWorkspaces } from "../../../../tools/workspaces/list-organization-workspaces.ts";
import type { Instant } from "../../../../core/time.ts";
import { apiKeysPage, newKeyBox, type Reach } from "../pages/api-keys.ts";
import { consolePage } from "../pages/console.ts";
import { organizationPage } from "../pages/organization.ts";
import { pageWithForms, type Answer, type FormAction, type Notice, type Visit } from "./page-with-forms.ts";
import { expiryIn } from "../form.ts";
import { sendPage } from "../page.ts";
import { invokeAs, queryOf, type Web } from "../visit.ts";

/** Keys per page, newest first. */
const MOST_SHOWN = 100;

const named = (form: URLSearchParams) => ({ api_key_id: form.get("api_key_id") });

const ROTATE: FormAction = {
  endpoint: rotateApiKey,
  done: "Rotated. The new key was already shown once.",
  showsAnswer: true,
  fields: (form) => ({ ...named(form), grace_seconds: Number(form.get("grace_seconds")) }),
};
const REVOKE: FormAction = {
  endpoint: deleteApiKey,
  done: "Revoked. Programs that use this key no longer have access.",
  fields: named,
};

/** A person's own keys, and, for owners, all keys of an organization. */
export function apiKeysRouter(web: Web): Router {
  const create: FormAction = {
    endpoint: createApiKey,
    done: "Created. The key was already shown once.",
    showsAnswer: true,
    fields: (form) => wantedKey(form, web.deps.now()),
  };
  const forms = { create, rotate: ROTATE, revoke: REVOKE };
  const ofOne = "/organizations/:organization_id/api-keys";
  return Router().use(
    pageWithForms(web, "/api-keys", (visit, notice) => showOwn(visit, web, notice), forms),
    pageWithForms(web, ofOne, (visit, notice) => showOrganizations(visit, web, notice), forms),
  );
}

/** The input in a form. Its reach is one field: `user`, or a kind and its ids. */
function wantedKey(form: URLSearchParams, now: Instant): object {
  const [kind = "", organizationId, workspaceId] = (form.get("reach") ?? "user").split(" ");
  return {
    name: form.get("name"),
    kind,
    ...(organizationId === undefined ? {} : { organization_id: organizationId }),
    ...(workspaceId === undefined ? {} : { workspace_id: workspaceId }),
    ...(kind === "user" ? {} : { role: form.get("role") }),
    ...expiryIn(form, now),
  };
}

async function showOwn(visit: Visit, web: Web, { status, ...notice }: Notice): Promise<void> {
  const { visitor, response } = visit;
  const me = (await invokeAs(visitor, { endpoint: getMe, input: {}, response }, web.deps)) as Answer<typeof getMe>;
  const owned = me.organizations.filter(({ role }) => role === "owner");
  const reaches: Reach[] = [
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
  const { data, next_cursor: more } = await keysShown(visit, web, {});
  const names = new Map([...me.organizations, ...me.workspaces].map(({ id, name }) => [id, name]));
  const content = apiKeysPage({
    ...withNewKey(notice, web),
    address: "/api-keys",
    heading: "API keys",
    lead: "For your own server-side programs. A key can do what its access and role allow, and never more than you can.",
    keys: data,
    more,
    names,
    reaches,
    shownTo: visitor.userId,
  });
  const body = consolePage(null, visitor, content);
  sendPage(response, { title: "API keys", body, ...(status ? { status } : {}) });
}

async function showOrganizations(visit: Visit, web: Web, { status, ...notice }: Notice): Promise<void> {
  const { visitor, request, response } = visit;
  const path = { ...request.params };
  const ask = (endpoint: FormAction["endpoint"], input: object) =>
    invokeAs(visitor, { endpoint, input: { ...path, ...input }, response }, web.deps);
  const organization = (await ask(getOrganization, {})) as Answer<typeof getOrganization>;
  const workspaces = (await ask(listOrganizationWorkspaces, { limit: 100 })) as Answer<
    typeof listOrganizationWorkspaces
  >;
  const { data, next_cursor: more } = await keysShown(visit, web, path);
  const content = apiKeysPage({
    ...withNewKey(notice, web),
    address: `/organizations/${organization.id}/api-keys`,
    heading: "API keys",
    lead: "Keys limited to this organization or one of its workspaces, from all members. A key can never do more than the person who created it can do now.",
    keys: data,
    more,
    names: new Map([organization, ...workspaces.data].map(({ id, name }) => [id, name])),
    reaches: [
      { value: `organization ${organization.id}`, name: organization.name, of: "One organization" },
      ...workspaces.data.map(({ id, name }) => ({
        value: `workspace ${organization.id} ${id}`,
        name,
        of: "One workspace" as const,
      })),
    ],
    shownTo: null,
  });
  const body = organizationPage("/api-keys", organization, visitor, content);
  sendPage(response, { title: `API keys of ${organization.name}`, body, ...(status ? { status } : {}) });
}

/** Replaces the notice of a created or rotated key with the key itself. */
function withNewKey({ answer, ...notice }: Notice, { config }: Web) {
  if (answer === undefined) return notice;
  // Both forms with `showsAnswer` return a key and its secret.
  return { ...notice, done: undefined, made: newKeyBox(answer as Answer<typeof createApiKey>, config.baseUrl) };
}

/** One page of active keys. */
async function keysShown({ visitor, request, response }: Visit, { deps }: Web, of: object) {
  const cursor = queryOf(request.originalUrl).get("cursor");
  const input = { ...of, status: "active", limit: MOST_SHOWN, ...(cursor === null ? {} : { cursor }) };
  return (await invokeAs(visitor, { endpoint: listApiKeys, input, response }, deps)) as Answer<typeof listApiKeys>;
}
