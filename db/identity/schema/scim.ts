import type { ScimUserDetails } from "../../../core/identity/scim.ts";
import { ORGANIZATION_ROLES, WORKSPACE_ROLES } from "../../../core/identity/roles.ts";
import {
  id,
  foreignId,
  index,
  instant,
  int,
  json,
  oneOf,
  primaryKey,
  string,
  table,
  uniqueIndex,
} from "../../engine/columns.ts";
import { organizations, users, workspaces } from "./identity.ts";

/** Bearer tokens of identity providers for SCIM. Only a keyed hash is stored. */
export const scimTokens = table(
  "scim_tokens",
  {
    id: id("id").primaryKey(),
    organizationId: foreignId("organization_id", () => organizations.id),
    name: string("name").notNull(),
    /** HMAC-SHA256 of the token with a dedicated pepper. */
    tokenHash: string("token_hash").notNull(),
    hint: string("hint").notNull(),
    createdBy: foreignId("created_by", () => users.id),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at"),
    lastUsedAt: instant("last_used_at"),
    revokedAt: instant("revoked_at"),
  },
  (t) => [
    uniqueIndex("scim_tokens_hash").on(t.tokenHash),
    index("scim_tokens_organization").on(t.organizationId, t.id),
  ],
);

/** Provisioned users; the membership holds the active state. */
export const scimUsers = table(
  "scim_users",
  {
    id: id("id").primaryKey(),
    organizationId: foreignId("organization_id", () => organizations.id),
    userId: foreignId("user_id", () => users.id),
    externalId: string("external_id"),
    userName: string("user_name").notNull(),
    /** Lower case, because user names compare case-insensitively (RFC 7643 section 4.1.1). */
    userNameKey: string("user_name_key").notNull(),
    details: json<ScimUserDetails>("details").notNull(),
    /** The organization role without groups. */
    baseRole: oneOf("base_role", ORGANIZATION_ROLES).notNull(),
    /** The role last granted through groups; another current role was set by an owner. */
    givenRole: oneOf("given_role", ORGANIZATION_ROLES).notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("scim_users_user").on(t.organizationId, t.userId),
    uniqueIndex("scim_users_name").on(t.organizationId, t.userNameKey),
    index("scim_users_external").on(t.organizationId, t.externalId),
    index("scim_users_organization").on(t.organizationId, t.id),
  ],
);

/** Groups of an identity provider, with the role an owner assigned to each. */
export const scimGroups = table(
  "scim_groups",
  {
    id: id("id").primaryKey(),
    organizationId: foreignId("organization_id", () => organizations.id),
    externalId: string("external_id"),
    displayName: string("display_name").notNull(),
    displayNameKey: string("display_name_key").notNull(),
    organizationRole: oneOf("organization_role", ORGANIZATION_ROLES),
    workspaceId: id("workspace_id").references(() => workspaces.id),
    workspaceRole: oneOf("workspace_role", WORKSPACE_ROLES),
    /** Incremented with its name and members; used as the ETag. */
    version: int("version").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    index("scim_groups_organization").on(t.organizationId, t.id),
    index("scim_groups_name").on(t.organizationId, t.displayNameKey),
    index("scim_groups_external").on(t.organizationId, t.externalId),
  ],
);

export const scimGroupMembers = table(
  "scim_group_members",
  {
    groupId: foreignId("group_id", () => scimGroups.id),
    organizationId: foreignId("organization_id", () => organizations.id),
    scimUserId: foreignId("scim_user_id", () => scimUsers.id),
  },
  (t) => [
    primaryKey({ columns: [t.groupId, t.scimUserId] }),
    index("scim_group_members_user").on(t.scimUserId, t.groupId),
  ],
);

/** Group-granted workspace roles, to revoke them without those that owners granted. */
export const scimWorkspaceRoles = table(
  "scim_workspace_roles",
  {
    scimUserId: foreignId("scim_user_id", () => scimUsers.id),
    workspaceId: foreignId("workspace_id", () => workspaces.id),
    organizationId: foreignId("organization_id", () => organizations.id),
    givenRole: oneOf("given_role", WORKSPACE_ROLES).notNull(),
    baseRole: oneOf("base_role", WORKSPACE_ROLES),
  },
  (t) => [primaryKey({ columns: [t.scimUserId, t.workspaceId] })],
);
