import {
  CONNECTION_PROBLEMS,
  CONNECTION_STATUSES,
  PLATFORM_ACCOUNT_STATUSES,
  PLATFORM_KINDS,
} from "../../../core/platforms/platforms.ts";
import * as c from "../../engine/columns.ts";
import { users } from "../../identity/schema/identity.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

/** At most one per workspace and platform. */
export const platformConnections = c.table(
  "platform_connections",
  {
    id: c.id("id").primaryKey(),
    ...workspaceColumns(),
    platform: c.oneOf("platform", PLATFORM_KINDS).notNull(),
    status: c.oneOf("status", CONNECTION_STATUSES).notNull(),
    problem: c.oneOf("problem", CONNECTION_PROBLEMS),
    scopes: c.json<string[]>("scopes").notNull(),
    sealedTokens: c.string("sealed_tokens").notNull(),
    expiresAt: c.instant("expires_at"),
    /** Null if the tokens do not expire. */
    refreshAt: c.instant("refresh_at"),
    /** The process refreshing the tokens; others wait. */
    refreshOwner: c.string("refresh_owner"),
    refreshLeaseEnd: c.instant("refresh_lease_end"),
    /** True while a refresh is unanswered: new tokens may have been issued and lost. */
    refreshPending: c.bool("refresh_pending").notNull(),
    refreshedAt: c.instant("refreshed_at").notNull(),
    /** Null if accounts must be listed again. */
    accountsListedAt: c.instant("accounts_listed_at"),
    connectedBy: c.foreignId("connected_by", () => users.id),
    createdAt: c.instant("created_at").notNull(),
    updatedAt: c.instant("updated_at").notNull(),
  },
  (t) => [c.uniqueIndex("platform_connections_workspace").on(t.workspaceId, t.platform)],
);

export const platformAccounts = c.table(
  "platform_accounts",
  {
    id: c.id("id").primaryKey(),
    ...workspaceColumns(),
    connectionId: c.foreignId("connection_id", () => platformConnections.id),
    platform: c.oneOf("platform", PLATFORM_KINDS).notNull(),
    externalId: c.string("external_id").notNull(),
    name: c.string("name").notNull(),
    status: c.oneOf("status", PLATFORM_ACCOUNT_STATUSES).notNull(),
    isReachable: c.bool("is_reachable").notNull(),
    createdAt: c.instant("created_at").notNull(),
    updatedAt: c.instant("updated_at").notNull(),
  },
  (t) => [
    c.uniqueIndex("platform_accounts_external").on(t.connectionId, t.externalId),
    c.index("platform_accounts_workspace").on(t.workspaceId, t.id),
  ],
);

/** Only a hash of the state is stored. */
export const platformConsents = c.table(
  "platform_consents",
  {
    stateHash: c.string("state_hash").primaryKey(),
    ...workspaceColumns(),
    platform: c.oneOf("platform", PLATFORM_KINDS).notNull(),
    /** Session hash as in web_sessions: only that browser can complete the consent. */
    sessionHash: c.string("session_hash").notNull(),
    sealedProof: c.string("sealed_proof").notNull(),
    createdAt: c.instant("created_at").notNull(),
    expiresAt: c.instant("expires_at").notNull(),
  },
  (t) => [c.index("platform_consents_expiry").on(t.expiresAt)],
);
