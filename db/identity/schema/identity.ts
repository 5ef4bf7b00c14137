import { ORGANIZATION_ROLES, WORKSPACE_ROLES } from "../../../core/identity/roles.ts";
import { PROOF_WAYS } from "../../../core/identity/proof.ts";
import {
  bool,
  id,
  idOf,
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
  /** At most this many credits are reserved in one calendar month (UTC); null is no cap. */
  monthlyCreditCap: int("monthly_credit_cap"),
  /** A creation that costs more than this waits for a person's approval in the browser; null is never. */
  approvalAboveCredits: int("approval_above_credits"),
  /** True if owners who sign in with a password must have a second factor. */
  ownersNeedSecondFactor: bool("owners_need_second_factor").notNull().default(false),
  createdAt: instant("created_at").notNull(),
});

export const workspaces = table(
  "workspaces",
  {
    id: id("id").primaryKey(),
    organizationId: idOf("organization_id", () => organizations.id),
    name: string("name").notNull(),
    /** Grows with every change of its brands: what was read with an earlier catalog is known by it. */
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
    /** Lower case; what a person signs in with. */
    email: string("email").notNull(),
    name: string("name").notNull(),
    /** argon2id in PHC form; null for an account that signs in elsewhere. */
    passwordHash: string("password_hash"),
    /** The organization whose identity provider or provisioning made the account; it may disable it everywhere. */
    managedByOrganizationId: id("managed_by_organization_id").references(() => organizations.id),
    /** Since when a sign-in by password asks for a second factor as well; null where there is none. */
    secondFactorAt: instant("second_factor_at"),
    disabledAt: instant("disabled_at"),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [uniqueIndex("users_email").on(t.email)],
);

/**
 * Who has shown that an address is this person's: by a link that only they were given, through an organization's identity
 * provider, or in its directory. Passwords, sessions, keys and grants hang on the proof that they came from.
 */
export const addressProofs = table(
  "address_proofs",
  {
    id: id("id").primaryKey(),
    userId: idOf("user_id", () => users.id),
    /** Lower case; the address as it was then. */
    email: string("email").notNull(),
    way: oneOf("way", PROOF_WAYS).notNull(),
    /** Whose provider or directory, or whose owner gave the link out; null for the operator of the service. */
    organizationId: id("organization_id").references(() => organizations.id),
    provenAt: instant("proven_at").notNull(),
    /** Set once a later proof took its place. Keys from before live on, and reach only what was joined before. */
    endedAt: instant("ended_at"),
  },
  (t) => [index("address_proofs_user").on(t.userId, t.provenAt)],
);

export const organizationMembers = table(
  "organization_members",
  {
    organizationId: idOf("organization_id", () => organizations.id),
    userId: idOf("user_id", () => users.id),
    role: oneOf("role", ORGANIZATION_ROLES).notNull(),
    /** The other organization whose identity provider the person came through when joining: it stays a way in. */
    joinedThrough: id("joined_through").references(() => organizations.id),
    /** Set while the member may not act in the organization; what they were is kept. */
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
    workspaceId: idOf("workspace_id", () => workspaces.id),
    organizationId: idOf("organization_id", () => organizations.id),
    userId: idOf("user_id", () => users.id),
    role: oneOf("role", WORKSPACE_ROLES).notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.userId] }),
    index("workspace_members_user").on(t.userId, t.workspaceId),
  ],
);
