import {
  CONNECTION_PROBLEMS,
  CONNECTION_STATUSES,
  PLATFORM_ACCOUNT_STATUSES,
  PLATFORM_KINDS,
} from "../../../core/platforms/platforms.ts";
import { bool, id, foreignId, index, instant, json, oneOf, string, table, uniqueIndex } from "../../engine/columns.ts";
import { users } from "../../identity/schema/identity.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

/** OAuth 2.0 connections, at most one per workspace and platform. */
export const platformConnections = table(
  "platform_connections",
  {
    id: id("id").primaryKey(),
    ...workspaceColumns(),
    platform: oneOf("platform", PLATFORM_KINDS).notNull(),
    status: oneOf("status", CONNECTION_STATUSES).notNull(),
    problem: oneOf("problem", CONNECTION_PROBLEMS),
    scopes: json<string[]>("scopes").notNull(),
    sealedTokens: string("sealed_tokens").notNull(),
    expiresAt: instant("expires_at"),
    /** When to refresh the tokens; null if they do not expire. */
    refreshAt: instant("refresh_at"),
    /** The process refreshing the tokens; others wait. */
    refreshOwner: string("refresh_owner"),
    refreshLeaseEnd: instant("refresh_lease_end"),
    /** True while a refresh is unanswered: new tokens may have been issued and lost. */
    refreshPending: bool("refresh_pending").notNull(),
    refreshedAt: instant("refreshed_at").notNull(),
    /** Null if accounts must be listed again. */
    accountsListedAt: instant("accounts_listed_at"),
    connectedBy: foreignId("connected_by", () => users.id),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [uniqueIndex("platform_connections_workspace").on(t.workspaceId, t.platform)],
);

export const platformAccounts = table(
  "platform_accounts",
  {
    id: id("id").primaryKey(),
    ...workspaceColumns(),
    connectionId: foreignId("connection_id", () => platformConnections.id),
    platform: oneOf("platform", PLATFORM_KINDS).notNull(),
    externalId: string("external_id").notNull(),
    name: string("name").notNull(),
    status: oneOf("status", PLATFORM_ACCOUNT_STATUSES).notNull(),
    /** False once the platform no longer lists the account. */
    isReachable: bool("is_reachable").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("platform_accounts_external").on(t.connectionId, t.externalId),
    index("platform_accounts_workspace").on(t.workspaceId, t.id),
  ],
);

/** Pending consents at platforms. Only a hash of the state is stored. */
export const platformConsents = table(
  "platform_consents",
  {
    stateHash: string("state_hash").primaryKey(),
    ...workspaceColumns(),
    platform: oneOf("platform", PLATFORM_KINDS).notNull(),
    /** Session hash as in web_sessions: only that browser can complete the consent. */
    sessionHash: string("session_hash").notNull(),
    sealedProof: string("sealed_proof").notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [index("platform_consents_expiry").on(t.expiresAt)],
);
