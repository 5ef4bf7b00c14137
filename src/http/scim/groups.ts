import { setImmediate as nextTurn } from "node:timers/promises";
import {
  countScimGroups,
  deleteScimGroup,
  deleteScimGroupMembers,
  findScimGroup,
  insertScimGroup,
  insertScimGroupMembers,
  listGroupMembers,
  listScimGroups,
  updateScimGroup,
  type GroupMemberRow,
  type ScimGroupRow,
} from "../../../db/identity/provisioning/scim-groups.ts";
import { applyGroupRoles } from "../../../db/identity/provisioning/scim-roles.ts";
import { listKnownScimUserIds } from "../../../db/identity/provisioning/scim-users.ts";
import { notFound } from "../../../core/shared/errors.ts";
import { MAX_COMPARISONS } from "../../../core/shared/request-bounds.ts";
import { GROUP_SCHEMA, MAX_GROUP_MEMBERS, type ScimGroup, type ScimGroupInput } from "../../../core/identity/scim.ts";
import { GROUP_RESOURCE } from "./attributes.ts";
import { getBatchSize, readFilter, type ScimFilter, type ValueFilter } from "./filter.ts";
import { isWanted, listResponse, type PageWindow } from "./messages.ts";
import { applyPatch, readPatch, type Operation } from "./patch.ts";
import { scimError } from "./scim-errors.ts";
import { groupRows, requireVersion, type Query, type ScimContext } from "./scim.ts";
import { parseGroup, readResource } from "./read-resource.ts";

const MAX_SCANNED = 20_000;
/** Max members of all groups in one response. */
const MAX_MEMBERS = 50_000;

export async function listGroups(scim: ScimContext, { filter: text, pageWindow, projection }: Query) {
  const includesMembers = isWanted("members", GROUP_RESOURCE, projection);
  if (text !== undefined) return filterGroups(scim, readFilter(text, GROUP_RESOURCE), { pageWindow, includesMembers });
  const { startIndex, count: limit } = pageWindow;
  const total = await countScimGroups(scim.tenant);
  const rows = limit === 0 ? [] : await listScimGroups(scim.tenant, {}, { limit, offset: startIndex - 1 });
  return listResponse(total, pageWindow, await toScimGroups(scim, rows, includesMembers));
}

async function filterGroups(
  scim: ScimContext,
  filter: ScimFilter,
  wanted: { pageWindow: PageWindow; includesMembers: boolean },
) {
  const { pageWindow, includesMembers } = wanted;
  const { equals } = filter;
  const keys = {
    id: equals.get("id"),
    externalId: equals.get("externalid"),
    displayNameKey: equals.get("displayname")?.toLowerCase(),
  };
  const found: ScimGroupRow[] = [];
  let total = 0;
  let afterId: string | undefined;
  const limit = getBatchSize(filter);
  for (let listedAt = 0; ;) {
    // Reads in batches, because the set can be too large for memory.
    const rows = await listScimGroups(scim.tenant, keys, { limit, afterId });
    const groups = await toScimGroups(scim, rows, filter.mentions("members"));
    const members = groups.reduce((sum, group) => sum + (group.members?.length ?? 0), 0);
    if (members * filter.termCount > MAX_COMPARISONS) {
      throw scimError("tooMany", "The filter compares too many members. Filter by displayName, externalId or id.");
    }
    for (const [at, row] of rows.entries()) {
      if (!filter.isMatch(groups[at] ?? {})) continue;
      total += 1;
      if (total >= pageWindow.startIndex && found.length < pageWindow.count) found.push(row);
    }
    if (rows.length < limit) return listResponse(total, pageWindow, await toScimGroups(scim, found, includesMembers));
    listedAt += rows.length;
    if (listedAt >= MAX_SCANNED)
      throw scimError("tooMany", "Too many groups for this filter. Filter by displayName, externalId or id.");
    afterId = rows.at(-1)?.id;
    await nextTurn();
  }
}

export async function getGroup(scim: ScimContext, id: string, withMembers: boolean): Promise<ScimGroup> {
  return toScimGroup(scim, await requireGroup(scim, id), withMembers);
}

export async function createGroup(scim: ScimContext, body: unknown): Promise<ScimGroup> {
  const { tenant, now, newId } = scim;
  const input = parseGroup(readResource(body, GROUP_RESOURCE));
  const id = newId();
  await insertScimGroup(tenant, {
    id,
    ...toColumns(input),
    organizationRole: null,
    workspaceId: null,
    workspaceRole: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  });
  await storeMembers(scim, id, { before: new Set(), after: getMemberIds(input) });
  return getGroup(scim, id, true);
}

export async function replaceGroup(scim: ScimContext, id: string, body: unknown): Promise<ScimGroup> {
  const input = parseGroup(readResource(body, GROUP_RESOURCE));
  const row = await requireGroup(scim, id);
  await requireVersion(scim, () => toScimGroup(scim, row, false));
  const before = new Set((await loadMembers(scim, [id])).map(({ scimUserId }) => scimUserId));
  return storeGroup(scim, row, { input, before, after: getMemberIds(input) });
}

export async function patchGroup(scim: ScimContext, id: string, body: unknown): Promise<ScimGroup> {
  const operations = readPatch(body, GROUP_RESOURCE);
  const row = await requireGroup(scim, id);
  await requireVersion(scim, () => toScimGroup(scim, row, false));
  const { displayName, externalId } = row;
  const others = operations.filter((one) => !changesMembers(one));
  const input = parseGroup(applyPatch({ displayName, ...(externalId !== null && { externalId }) }, others));
  const members = await loadMembers(scim, [id]);
  const before = new Set(members.map(({ scimUserId }) => scimUserId));
  const after = new Set(before);
  limitComparisons(operations, members.length);
  for (const operation of operations.filter(changesMembers)) changeMembers(after, operation, { scim, members });
  return storeGroup(scim, row, { input, before, after });
}

/** Also revokes the roles that the group granted. Returns its name. */
export async function deleteGroup(scim: ScimContext, id: string): Promise<string> {
  const { tenant, now } = scim;
  const row = await requireGroup(scim, id);
  await requireVersion(scim, () => toScimGroup(scim, row, false));
  const members = await loadMembers(scim, [id]);
  await deleteScimGroup(tenant, id);
  await applyGroupRoles(
    tenant,
    members.map(({ scimUserId }) => scimUserId),
    now,
  );
  return row.displayName;
}

function changesMembers({ attribute }: Operation): boolean {
  return attribute.name === "members";
}

/** Compares by id, because comparing all pairs of a large group is too slow. */
function changeMembers(
  ids: Set<string>,
  { op, sub, where, value }: Operation,
  { scim, members }: { scim: ScimContext; members: readonly GroupMemberRow[] },
): void {
  if (sub) throw scimError("mutability", "A member can only be added or removed, not changed.");
  const groupIds =
    value === undefined ? new Set<string>() : getMemberIds(parseGroup({ displayName: "-", members: value }));
  if (where) {
    if (op !== "remove") throw scimError("mutability", "A member can only be added or removed, not changed.");
    const id = findMemberId(where);
    if (id !== undefined) {
      ids.delete(id);
      return;
    }
    for (const member of members) if (where.isMatch(toScimMember(scim, member))) ids.delete(member.scimUserId);
  } else if (op === "remove") {
    if (value === undefined) ids.clear();
    for (const id of groupIds) ids.delete(id);
  } else {
    if (op === "replace") ids.clear();
    for (const id of groupIds) ids.add(id);
  }
}

/** Recognises `members[value eq "…"]`, which needs no comparison; undefined for other filters. */
function findMemberId({ tree }: ValueFilter): string | undefined {
  const isId = tree.op === "eq" && tree.attrPath.toLowerCase() === "value";
  return isId && typeof tree.compValue === "string" ? tree.compValue : undefined;
}

function limitComparisons(operations: readonly Operation[], members: number): void {
  const filters = operations.flatMap(({ where }) => (where && findMemberId(where) === undefined ? [where] : []));
  const terms = filters.reduce((sum, filter) => sum + filter.termCount, 0);
  if (terms * members > MAX_COMPARISONS) {
    throw scimError("tooMany", "The filters compare too many members. Select each member by its value.");
  }
}

async function storeGroup(
  scim: ScimContext,
  row: ScimGroupRow,
  change: { input: ScimGroupInput; before: ReadonlySet<string>; after: ReadonlySet<string> },
): Promise<ScimGroup> {
  const columns = toColumns(change.input);
  const isRenamed = columns.displayName !== row.displayName || columns.externalId !== row.externalId;
  const membersChanged = await storeMembers(scim, row.id, change);
  if (isRenamed || membersChanged) await updateScimGroup(scim.tenant, row.id, { ...columns, updatedAt: scim.now });
  return getGroup(scim, row.id, true);
}

/** Stores joined and left members and updates their roles; returns false without changes. */
async function storeMembers(
  { tenant, now }: ScimContext,
  groupId: string,
  { before, after }: { before: ReadonlySet<string>; after: ReadonlySet<string> },
): Promise<boolean> {
  if (after.size > MAX_GROUP_MEMBERS)
    throw scimError("tooMany", `A group can have at most ${MAX_GROUP_MEMBERS} members.`);
  const joined = [...after].filter((id) => !before.has(id));
  const left = [...before].filter((id) => !after.has(id));
  const memberIds = await listKnownScimUserIds(tenant, joined);
  if (memberIds.size < joined.length) {
    throw scimError(
      "invalidValue",
      "Members must be ids of users of this organization. Nested groups are not supported.",
    );
  }
  await insertScimGroupMembers(tenant, groupId, joined);
  await deleteScimGroupMembers(tenant, groupId, left);
  await applyGroupRoles(tenant, [...joined, ...left], now);
  return joined.length + left.length > 0;
}

async function requireGroup({ tenant }: ScimContext, id: string): Promise<ScimGroupRow> {
  const row = await findScimGroup(tenant, id);
  if (!row) throw notFound("group");
  return row;
}

async function loadMembers({ tenant }: ScimContext, groupIds: readonly string[]): Promise<GroupMemberRow[]> {
  const rows = await listGroupMembers(tenant, groupIds, MAX_MEMBERS + 1);
  if (rows.length > MAX_MEMBERS) {
    throw scimError("tooMany", "These groups have too many members for one response. Send excludedAttributes=members.");
  }
  return rows;
}

function getMemberIds({ members = [] }: ScimGroupInput): Set<string> {
  return new Set(members.map(({ value }) => value));
}

function toColumns({ displayName, externalId }: ScimGroupInput) {
  return { displayName, displayNameKey: displayName.toLowerCase(), externalId: externalId ?? null };
}

function toScimMember({ baseUrl }: ScimContext, { scimUserId, userName }: GroupMemberRow) {
  return { value: scimUserId, $ref: `${baseUrl}/Users/${scimUserId}`, display: userName, type: "User" };
}

async function toScimGroup(scim: ScimContext, row: ScimGroupRow, withMembers: boolean): Promise<ScimGroup> {
  const [group] = await toScimGroups(scim, [row], withMembers);
  if (!group) throw new Error("A group has no SCIM representation.");
  return group;
}

async function toScimGroups(scim: ScimContext, rows: readonly ScimGroupRow[], withMembers: boolean) {
  const members = withMembers
    ? await loadMembers(
        scim,
        rows.map(({ id }) => id),
      )
    : [];
  const membersOfGroup = groupRows(members, ({ groupId }) => groupId);
  return rows.map((row) => {
    const own = membersOfGroup.get(row.id);
    return {
      schemas: [GROUP_SCHEMA],
      id: row.id,
      ...(row.externalId !== null && { externalId: row.externalId }),
      displayName: row.displayName,
      ...(own && { members: own.map((member) => toScimMember(scim, member)) }),
      meta: {
        resourceType: "Group",
        created: row.createdAt,
        lastModified: row.updatedAt,
        location: `${scim.baseUrl}/Groups/${row.id}`,
        version: `W/"${row.version}"`,
      },
    };
  });
}
