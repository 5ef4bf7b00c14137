import { ORGANIZATION_ROLES, WORKSPACE_ROLES } from "../../../core/identity/roles.ts";
import { PROOF_METHODS } from "../../../core/identity/proof.ts";
import {
  bool,
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

export const organizations = table("organizations", {
  id: id("id").primaryKey(),
  name: string("name").notNull(),
  plan: string("plan").notNull(),
  modules: json<string[]>("modules").notNull(),
  quotas: json<Record<string, number>>("quotas").notNull(),
  /** Max credits reserved per calendar month (UTC); null for no cap. */
  monthlyCreditCap: int("monthly_credit_cap"),
  /** Creations above this price need approval in the browser; null for never. */
  approvalAboveCredits: int("approval_above_credits"),
  /** True if owners who sign in with a password must have a second factor. */
  ownersNeedSecondFactor: bool("owners_need_second_factor").notNull().default(false),
  createdAt: instant("created_at").notNull(),
});

export const workspaces = table(
  "workspaces",
  {
    id: id("id").primaryKey(),
    organizationId: foreignId("organization_id", () => organizations.id),
    name: string("name").notNull(),
    /** Increments when brands change; identifies the catalog used for extraction. */
    catalogVersion: int("catalog_version").notNull().default(0),
    archivedAt: instant("archived_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [index("workspaces_organization").on(t.organizationId, t.id)],
);

export const users = table(
  "users",
  {
    id: id("id").primaryKey(),
    /** Lower case; the sign-in name. */
    email: string("email").notNull(),
    name: string("name").notNull(),
    /** argon2id in PHC format; null for an account without a password. */
    passwordHash: string("password_hash"),
    /** The organization that created the account; it may disable it everywhere. */
    managedByOrganizationId: id("managed_by_organization_id").references(() => organizations.id),
    /** Since when password sign-ins need a second factor; null for none. */
    secondFactorAt: instant("second_factor_at"),
    disabledAt: instant("disabled_at"),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [uniqueIndex("users_email").on(t.email)],
);

/**
 * How a user proved an address. Passwords, sessions, keys and grants depend on the proof they came
 * from.
 */
export const addressProofs = table(
  "address_proofs",
  {
    id: id("id").primaryKey(),
    userId: foreignId("user_id", () => users.id),
    /** Lower case; the address at that time. */
    email: string("email").notNull(),
    way: oneOf("way", PROOF_METHODS).notNull(),
    /** The organization that vouched; null for the operator of the service. */
    organizationId: id("organization_id").references(() => organizations.id),
    provenAt: instant("proven_at").notNull(),
    /**
     * Set when a later proof replaces this one. Earlier keys reach only organizations joined
     * before.
     */
    endedAt: instant("ended_at"),
  },
  (t) => [index("address_proofs_user").on(t.userId, t.provenAt)],
);

export const organizationMembers = table(
  "organization_members",
  {
    organizationId: foreignId("organization_id", () => organizations.id),
    userId: foreignId("user_id", () => users.id),
    role: oneOf("role", ORGANIZATION_ROLES).notNull(),
    /** Other organization whose provider the user joined through; it stays accepted. */
    joinedThrough: id("joined_through").references(() => organizations.id),
    suspendedAt: instant("suspended_at"),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.userId] }),
    index("organization_members_user").on(t.userId, t.organizationId),
  ],
);

export const workspaceMembers = table(
  "workspace_members",
  {
    workspaceId: foreignId("workspace_id", () => workspaces.id),
    organizationId: foreignId("organization_id", () => organizations.id),
    userId: foreignId("user_id", () => users.id),
    role: oneOf("role", WORKSPACE_ROLES).notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.userId] }),
    index("workspace_members_user").on(t.userId, t.workspaceId),
  ],
);
