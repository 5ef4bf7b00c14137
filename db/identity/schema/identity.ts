import { ORGANIZATION_ROLES, WORKSPACE_ROLES } from "../../../core/identity/roles.ts";
import { PROOF_METHODS } from "../../../core/identity/proof.ts";
import * as c from "../../engine/columns.ts";

export const organizations = c.table("organizations", {
  id: c.id("id").primaryKey(),
  name: c.string("name").notNull(),
  plan: c.string("plan").notNull(),
  modules: c.json<string[]>("modules").notNull(),
  quotas: c.json<Record<string, number>>("quotas").notNull(),
  /** Calendar month (UTC); null for no cap. */
  monthlyCreditCap: c.int("monthly_credit_cap"),
  /** Above this price, creations need approval in the browser; null for never. */
  approvalAboveCredits: c.int("approval_above_credits"),
  /** For owners who sign in with a password. */
  ownersNeedSecondFactor: c.bool("owners_need_second_factor").notNull().default(false),
  createdAt: c.instant("created_at").notNull(),
});

export const workspaces = c.table(
  "workspaces",
  {
    id: c.id("id").primaryKey(),
    organizationId: c.foreignId("organization_id", () => organizations.id),
    name: c.string("name").notNull(),
    /** Increments when brands change; identifies the catalog used for extraction. */
    catalogVersion: c.int("catalog_version").notNull().default(0),
    archivedAt: c.instant("archived_at"),
    createdAt: c.instant("created_at").notNull(),
    updatedAt: c.instant("updated_at").notNull(),
  },
  (t) => [c.index("workspaces_organization").on(t.organizationId, t.id)],
);

export const users = c.table(
  "users",
  {
    id: c.id("id").primaryKey(),
    /** Lower case. */
    email: c.string("email").notNull(),
    name: c.string("name").notNull(),
    /** argon2id in PHC format; null for an account without a password. */
    passwordHash: c.string("password_hash"),
    /** The organization that created the account; it may disable it everywhere. */
    managedByOrganizationId: c.id("managed_by_organization_id").references(() => organizations.id),
    /** Null without a second factor. */
    secondFactorAt: c.instant("second_factor_at"),
    disabledAt: c.instant("disabled_at"),
    createdAt: c.instant("created_at").notNull(),
  },
  (t) => [c.uniqueIndex("users_email").on(t.email)],
);

/** Passwords, sessions, keys and grants depend on the proof they came from. */
export const addressProofs = c.table(
  "address_proofs",
  {
    id: c.id("id").primaryKey(),
    userId: c.foreignId("user_id", () => users.id),
    /** E-mail at the time of the proof, in lower case. */
    email: c.string("email").notNull(),
    way: c.oneOf("way", PROOF_METHODS).notNull(),
    /** Null for the operator of the service. */
    organizationId: c.id("organization_id").references(() => organizations.id),
    provenAt: c.instant("proven_at").notNull(),
    /** A later proof replaced this one: earlier keys reach only organizations joined before. */
    endedAt: c.instant("ended_at"),
  },
  (t) => [c.index("address_proofs_user").on(t.userId, t.provenAt)],
);

export const organizationMembers = c.table(
  "organization_members",
  {
    organizationId: c.foreignId("organization_id", () => organizations.id),
    userId: c.foreignId("user_id", () => users.id),
    role: c.oneOf("role", ORGANIZATION_ROLES).notNull(),
    /** Other organization whose provider the user joined through; it stays accepted. */
    joinedThrough: c.id("joined_through").references(() => organizations.id),
    suspendedAt: c.instant("suspended_at"),
    createdAt: c.instant("created_at").notNull(),
  },
  (t) => [
    c.primaryKey({ columns: [t.organizationId, t.userId] }),
    c.index("organization_members_user").on(t.userId, t.organizationId),
  ],
);

export const workspaceMembers = c.table(
  "workspace_members",
  {
    workspaceId: c.foreignId("workspace_id", () => workspaces.id),
    organizationId: c.foreignId("organization_id", () => organizations.id),
    userId: c.foreignId("user_id", () => users.id),
    role: c.oneOf("role", WORKSPACE_ROLES).notNull(),
    createdAt: c.instant("created_at").notNull(),
  },
  (t) => [
    c.primaryKey({ columns: [t.workspaceId, t.userId] }),
    c.index("workspace_members_user").on(t.userId, t.workspaceId),
  ],
);
