import type { ScimUserDetails } from "../../../core/identity/scim.ts";
import { ORGANIZATION_ROLES, WORKSPACE_ROLES } from "../../../core/identity/roles.ts";
import * as c from "../../engine/columns.ts";
import { organizations, users, workspaces } from "./identity.ts";

/** Only a keyed hash is stored. */
export const scimTokens = c.table(
  "scim_tokens",
  {
    id: c.id("id").primaryKey(),
    organizationId: c.foreignId("organization_id", () => organizations.id),
    name: c.string("name").notNull(),
    /** HMAC-SHA256 with a dedicated pepper. */
    tokenHash: c.string("token_hash").notNull(),
    hint: c.string("hint").notNull(),
    createdBy: c.foreignId("created_by", () => users.id),
    createdAt: c.instant("created_at").notNull(),
    expiresAt: c.instant("expires_at"),
    lastUsedAt: c.instant("last_used_at"),
    revokedAt: c.instant("revoked_at"),
  },
  (t) => [
    c.uniqueIndex("scim_tokens_hash").on(t.tokenHash),
    c.index("scim_tokens_organization").on(t.organizationId, t.id),
  ],
);

/** The membership holds the active state. */
export const scimUsers = c.table(
  "scim_users",
  {
    id: c.id("id").primaryKey(),
    organizationId: c.foreignId("organization_id", () => organizations.id),
    userId: c.foreignId("user_id", () => users.id),
    externalId: c.string("external_id"),
    userName: c.string("user_name").notNull(),
    /** Lower case, because user names compare case-insensitively (RFC 7643 section 4.1.1). */
    userNameKey: c.string("user_name_key").notNull(),
    details: c.json<ScimUserDetails>("details").notNull(),
    baseRole: c.oneOf("base_role", ORGANIZATION_ROLES).notNull(),
    /** The role last granted through groups; another current role was set by an owner. */
    givenRole: c.oneOf("given_role", ORGANIZATION_ROLES).notNull(),
    createdAt: c.instant("created_at").notNull(),
    updatedAt: c.instant("updated_at").notNull(),
  },
  (t) => [
    c.uniqueIndex("scim_users_user").on(t.organizationId, t.userId),
    c.uniqueIndex("scim_users_name").on(t.organizationId, t.userNameKey),
    c.index("scim_users_external").on(t.organizationId, t.externalId),
    c.index("scim_users_organization").on(t.organizationId, t.id),
  ],
);

/** With the role an owner assigned to each group. */
export const scimGroups = c.table(
  "scim_groups",
  {
    id: c.id("id").primaryKey(),
    organizationId: c.foreignId("organization_id", () => organizations.id),
    externalId: c.string("external_id"),
    displayName: c.string("display_name").notNull(),
    displayNameKey: c.string("display_name_key").notNull(),
    organizationRole: c.oneOf("organization_role", ORGANIZATION_ROLES),
    workspaceId: c.id("workspace_id").references(() => workspaces.id),
    workspaceRole: c.oneOf("workspace_role", WORKSPACE_ROLES),
    /** Incremented with its name and members; used as the ETag. */
    version: c.int("version").notNull(),
    createdAt: c.instant("created_at").notNull(),
    updatedAt: c.instant("updated_at").notNull(),
  },
  (t) => [
    c.index("scim_groups_organization").on(t.organizationId, t.id),
    c.index("scim_groups_name").on(t.organizationId, t.displayNameKey),
    c.index("scim_groups_external").on(t.organizationId, t.externalId),
  ],
);

export const scimGroupMembers = c.table(
  "scim_group_members",
  {
    groupId: c.foreignId("group_id", () => scimGroups.id),
    organizationId: c.foreignId("organization_id", () => organizations.id),
    scimUserId: c.foreignId("scim_user_id", () => scimUsers.id),
  },
  (t) => [
    c.primaryKey({ columns: [t.groupId, t.scimUserId] }),
    c.index("scim_group_members_user").on(t.scimUserId, t.groupId),
  ],
);

/** Lets group-granted roles be revoked without those that owners granted. */
export const scimWorkspaceRoles = c.table(
  "scim_workspace_roles",
  {
    scimUserId: c.foreignId("scim_user_id", () => scimUsers.id),
    workspaceId: c.foreignId("workspace_id", () => workspaces.id),
    organizationId: c.foreignId("organization_id", () => organizations.id),
    givenRole: c.oneOf("given_role", WORKSPACE_ROLES).notNull(),
    baseRole: c.oneOf("base_role", WORKSPACE_ROLES),
  },
  (t) => [c.primaryKey({ columns: [t.scimUserId, t.workspaceId] })],
);
