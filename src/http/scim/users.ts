import { hash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import {
  deactivateMember,
  removeProvisionedMember,
  provisionMember,
  reactivateMember,
  renameAccount,
} from "../../../auth/sso/provisioning.ts";
import { listUserGroups } from "../../../db/identity/provisioning/scim-groups.ts";
import { applyGroupRoles } from "../../../db/identity/provisioning/scim-roles.ts";
import {
  countScimUsers,
  deleteScimUser,
  findScimUser,
  findScimUserByUserId,
  insertScimUser,
  listScimUsers,
  updateScimUser,
  type ScimUserRow,
} from "../../../db/identity/provisioning/scim-users.ts";
import { notFound } from "../../../core/shared/errors.ts";
import { USER_SCHEMA, type ScimUser, type ScimUserInput } from "../../../core/identity/scim.ts";
import { USER_RESOURCE } from "./attributes.ts";
import { getBatchSize, readFilter, type ScimFilter } from "./filter.ts";
import { listResponse, type PageWindow } from "./messages.ts";
import { applyPatch, readPatch } from "./patch.ts";
import { notUnique, scimError } from "./scim-errors.ts";
import { groupRows, requireVersion, type Query, type ScimContext } from "./scim.ts";
import { readResource, parseUser } from "./read-resource.ts";

/** Max people scanned for a filter that the database cannot evaluate. */
const MAX_SCANNED = 20_000;

export async function listUsers(scim: ScimContext, { filter: text, pageWindow }: Query) {
  if (text !== undefined) return filterUsers(scim, readFilter(text, USER_RESOURCE), pageWindow);
  const { startIndex, count: limit } = pageWindow;
  const total = await countScimUsers(scim.tenant);
  const rows = limit === 0 ? [] : await listScimUsers(scim.tenant, {}, { limit, offset: startIndex - 1 });
  return listResponse(total, pageWindow, await toScimUsers(scim, rows));
}

async function filterUsers(scim: ScimContext, filter: ScimFilter, window: PageWindow) {
  const { equals } = filter;
  const keys = {
    id: equals.get("id"),
    externalId: equals.get("externalid"),
    userNameKey: equals.get("username")?.toLowerCase(),
  };
  const users: ScimUser[] = [];
  let total = 0;
  let afterId: string | undefined;
  const limit = getBatchSize(filter);
  for (let seen = 0; ;) {
    // Reads in batches, because the set can be too large for memory.
    const rows = await listScimUsers(scim.tenant, keys, { limit, afterId });
    for (const user of await toScimUsers(scim, rows)) {
      if (!filter.isMatch(user)) continue;
      total += 1;
      if (total >= window.startIndex && users.length < window.count) users.push(user);
    }
    if (rows.length < limit) return listResponse(total, window, users);
    seen += rows.length;
    if (seen >= MAX_SCANNED)
      throw scimError("tooMany", "Too many users for this filter. Filter by userName, externalId or id.");
    afterId = rows.at(-1)?.id;
    await nextTurn();
  }
}

export async function getUser(scim: ScimContext, id: string): Promise<ScimUser> {
  return toScimUser(scim, await requireUser(scim, id));
}

export async function createUser(scim: ScimContext, body: unknown): Promise<ScimUser> {
  const { tenant, now, newId } = scim;
  const input = parseUser(readResource(body, USER_RESOURCE));
  await requireFreeName(scim, input.userName);
  const person = toPerson(input);
  const { userId, role } = await provisionMember(tenant, person, { now, newId });
  if (await findScimUserByUserId(tenant, userId))
    throw notUnique("This account is already provisioned under another userName.");
  const id = newId();
  await insertScimUser(tenant, {
    id,
    userId,
    ...toColumns(input),
    baseRole: role,
    givenRole: role,
    createdAt: now,
    updatedAt: now,
  });
  await renameAccount(tenant, userId, person, now);
  await setActive(scim, userId, input.active ?? true);
  return getUser(scim, id);
}

export async function replaceUser(scim: ScimContext, id: string, body: unknown): Promise<ScimUser> {
  const row = await requireUser(scim, id);
  await requireVersion(scim, () => toScimUser(scim, row));
  return storeUser(scim, row, parseUser(readResource(body, USER_RESOURCE)));
}

export async function patchUser(scim: ScimContext, id: string, body: unknown): Promise<ScimUser> {
  const operations = readPatch(body, USER_RESOURCE);
  const row = await requireUser(scim, id);
  await requireVersion(scim, () => toScimUser(scim, row));
  return storeUser(scim, row, parseUser(applyPatch(toInput(row), operations)));
}

export async function isActiveUser({ tenant }: ScimContext, id: string): Promise<boolean> {
  const row = await findScimUser(tenant, { id });
  return row !== undefined && isActive(row);
}

/** Deletes membership, access and provisioned attributes. Returns the user name. */
export async function deleteUser(scim: ScimContext, id: string): Promise<string> {
  const { tenant, now } = scim;
  const row = await requireUser(scim, id);
  await requireVersion(scim, () => toScimUser(scim, row));
  await removeProvisionedMember(tenant, row.userId, now);
  await deleteScimUser(tenant, row.id);
  return row.userName;
}

async function storeUser(scim: ScimContext, row: ScimUserRow, input: ScimUserInput): Promise<ScimUser> {
  const { tenant, now } = scim;
  if (input.userName.toLowerCase() !== row.userName.toLowerCase()) await requireFreeName(scim, input.userName);
  await renameAccount(tenant, row.userId, toPerson(input), now);
  await updateScimUser(tenant, row.id, { ...toColumns(input), updatedAt: now });
  if (input.active !== undefined && input.active !== isActive(row)) {
    await setActive(scim, row.userId, input.active);
    await applyGroupRoles(tenant, [row.id], now);
  }
  return getUser(scim, row.id);
}

async function setActive({ tenant, now }: ScimContext, userId: string, active: boolean): Promise<void> {
  return active ? reactivateMember(tenant, userId, now) : deactivateMember(tenant, userId, now);
}

async function requireFreeName({ tenant }: ScimContext, userName: string): Promise<void> {
  if (await findScimUser(tenant, { userNameKey: userName.toLowerCase() })) {
    throw notUnique("Another user of the organization already has this userName.");
  }
}

async function requireUser({ tenant }: ScimContext, id: string): Promise<ScimUserRow> {
  const row = await findScimUser(tenant, { id });
  if (!row) throw notFound("user");
  return row;
}

function toColumns({ userName, externalId, active: _active, ...details }: ScimUserInput) {
  return { userName, userNameKey: userName.toLowerCase(), externalId: externalId ?? null, details };
}

function toInput(row: ScimUserRow): ScimUserInput {
  const { userName, externalId, details } = row;
  return { ...details, userName, ...(externalId !== null && { externalId }), active: isActive(row) };
}

function isActive({ role, suspendedAt, disabledAt }: ScimUserRow): boolean {
  return role !== null && suspendedAt === null && disabledAt === null;
}

const EmailAddressSchema = z.string().toLowerCase().max(320).pipe(z.email());

/** The e-mail is the primary one, else work, else the first, else the user name. */
function toPerson({ userName, displayName, name, emails = [] }: ScimUserInput): { email: string; name: string } {
  const chosen = emails.find(({ primary }) => primary) ?? emails.find(({ type }) => type === "work") ?? emails[0];
  const email = [chosen?.value, userName]
    .map((text) => EmailAddressSchema.safeParse(text))
    .find(({ success }) => success)?.data;
  if (email === undefined) throw scimError("invalidValue", "A user needs an e-mail address, in emails or as userName.");
  const parts = [name?.givenName, name?.familyName].filter(Boolean).join(" ");
  return { email, name: [displayName, name?.formatted, parts].find(Boolean) ?? userName };
}

async function toScimUser(scim: ScimContext, row: ScimUserRow): Promise<ScimUser> {
  const [user] = await toScimUsers(scim, [row]);
  if (!user) throw new Error("A user has no SCIM representation.");
  return user;
}

async function toScimUsers({ tenant, baseUrl }: ScimContext, rows: readonly ScimUserRow[]): Promise<ScimUser[]> {
  const memberships = await listUserGroups(
    tenant,
    rows.map(({ id }) => id),
  );
  const groupsOf = groupRows(memberships, ({ scimUserId }) => scimUserId);
  return rows.map((row) => {
    const groups = (groupsOf.get(row.id) ?? []).map(({ groupId, displayName }) => ({
      value: groupId,
      $ref: `${baseUrl}/Groups/${groupId}`,
      display: displayName,
    }));
    const user = { schemas: [USER_SCHEMA], id: row.id, ...toInput(row), ...(groups.length > 0 && { groups }) };
    const version = `W/"${hash("sha256", JSON.stringify(user), "base64url").slice(0, 16)}"`;
    const meta = {
      resourceType: "User",
      created: row.createdAt,
      lastModified: row.updatedAt,
      location: `${baseUrl}/Users/${row.id}`,
      version,
    };
    return { ...user, meta };
  });
}
