import type { AuditedEventName } from "../../../core/identity/audited-events.ts";
import { notFound } from "../../../core/shared/errors.ts";
import { GROUP_RESOURCE, USER_RESOURCE } from "./attributes.ts";
import { createGroup, deleteGroup, getGroup, listGroups, patchGroup, replaceGroup } from "./groups.ts";
import { isWanted, project } from "./messages.ts";
import type { Query, ScimContext } from "./scim.ts";
import { createUser, deleteUser, getUser, isActiveUser, listUsers, patchUser, replaceUser } from "./users.ts";

export interface ScimRequest {
  id: string;
  query: Query;
  body: unknown;
}

export interface Reply {
  status: 200 | 201 | 204;
  body?: object;
  resource?: { meta: { version: string; location: string } };
  done?: AuditedChange;
}

/** `what` is such as `Removed` or `Added group`. */
export interface AuditedChange {
  action: string;
  name: string;
}

/** Operation of the SCIM API (RFC 7644 section 3.2). */
export interface ScimOperation {
  name: AuditedEventName;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  isSearch?: true;
  /** Runs in one transaction unless it is read-only. */
  run(scim: ScimContext, request: ScimRequest): Promise<Reply>;
}

export function isReadOnly({ method, isSearch }: ScimOperation): boolean {
  return method === "GET" || isSearch === true;
}

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function parseId({ id }: ScimRequest, what: string): string {
  const wanted = id.toLowerCase();
  if (!UUID_PATTERN.test(wanted)) throw notFound(what);
  return wanted;
}

type ShownResource = NonNullable<Reply["resource"]>;

function buildUserReply(status: 200 | 201, user: ShownResource, { query }: ScimRequest): Reply {
  return { status, resource: user, body: project(user, USER_RESOURCE, query.projection) };
}

function buildGroupReply(status: 200 | 201, group: ShownResource, { query }: ScimRequest): Reply {
  return { status, resource: group, body: project(group, GROUP_RESOURCE, query.projection) };
}

async function changeUser(change: typeof patchUser, scim: ScimContext, request: ScimRequest): Promise<Reply> {
  const id = parseId(request, "user");
  const wasActive = await isActiveUser(scim, id);
  const user = await change(scim, id, request.body);
  const isActive = user.active ?? wasActive;
  const turned = isActive ? "Reactivated" : "Deactivated";
  return {
    ...buildUserReply(200, user, request),
    done: { action: isActive === wasActive ? "Changed" : turned, name: user.userName },
  };
}

async function changeGroup(change: typeof patchGroup, scim: ScimContext, request: ScimRequest): Promise<Reply> {
  const group = await change(scim, parseId(request, "group"), request.body);
  return { ...buildGroupReply(200, group, request), done: { action: "Changed group", name: group.displayName } };
}

async function searchUsers(scim: ScimContext, { query }: ScimRequest): Promise<Reply> {
  const list = await listUsers(scim, query);
  const Resources = list.Resources.map((user) => project(user, USER_RESOURCE, query.projection));
  return { status: 200, body: { ...list, Resources } };
}

async function searchGroups(scim: ScimContext, { query }: ScimRequest): Promise<Reply> {
  const list = await listGroups(scim, query);
  const Resources = list.Resources.map((group) => project(group, GROUP_RESOURCE, query.projection));
  return { status: 200, body: { ...list, Resources } };
}

export const SCIM_OPERATIONS: readonly ScimOperation[] = [
  { name: "scimListUsers", method: "GET", path: "/Users", run: searchUsers },
  { name: "scimSearchUsers", method: "POST", path: "/Users/.search", isSearch: true, run: searchUsers },
  {
    name: "scimCreateUser",
    method: "POST",
    path: "/Users",
    run: async (scim, request) => {
      const user = await createUser(scim, request.body);
      return { ...buildUserReply(201, user, request), done: { action: "Added", name: user.userName } };
    },
  },
  {
    name: "scimGetUser",
    method: "GET",
    path: "/Users/:id",
    run: async (scim, request) => buildUserReply(200, await getUser(scim, parseId(request, "user")), request),
  },
  {
    name: "scimReplaceUser",
    method: "PUT",
    path: "/Users/:id",
    run: (scim, request) => changeUser(replaceUser, scim, request),
  },
  {
    name: "scimPatchUser",
    method: "PATCH",
    path: "/Users/:id",
    run: (scim, request) => changeUser(patchUser, scim, request),
  },
  {
    name: "scimDeleteUser",
    method: "DELETE",
    path: "/Users/:id",
    run: async (scim, request) => ({
      status: 204,
      done: { action: "Removed", name: await deleteUser(scim, parseId(request, "user")) },
    }),
  },
  { name: "scimListGroups", method: "GET", path: "/Groups", run: searchGroups },
  { name: "scimSearchGroups", method: "POST", path: "/Groups/.search", isSearch: true, run: searchGroups },
  {
    name: "scimCreateGroup",
    method: "POST",
    path: "/Groups",
    run: async (scim, request) => {
      const group = await createGroup(scim, request.body);
      return { ...buildGroupReply(201, group, request), done: { action: "Added group", name: group.displayName } };
    },
  },
  {
    name: "scimGetGroup",
    method: "GET",
    path: "/Groups/:id",
    run: async (scim, request) => {
      const withMembers = isWanted("members", GROUP_RESOURCE, request.query.projection);
      return buildGroupReply(200, await getGroup(scim, parseId(request, "group"), withMembers), request);
    },
  },
  {
    name: "scimReplaceGroup",
    method: "PUT",
    path: "/Groups/:id",
    run: (scim, request) => changeGroup(replaceGroup, scim, request),
  },
  {
    name: "scimPatchGroup",
    method: "PATCH",
    path: "/Groups/:id",
    run: (scim, request) => changeGroup(patchGroup, scim, request),
  },
  {
    name: "scimDeleteGroup",
    method: "DELETE",
    path: "/Groups/:id",
    run: async (scim, request) => ({
      status: 204,
      done: { action: "Removed group", name: await deleteGroup(scim, parseId(request, "group")) },
    }),
  },
];
