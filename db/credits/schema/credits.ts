import { LEDGER_KINDS, QUOTE_KINDS } from "../../../core/credits/credits.ts";
import * as c from "../../engine/columns.ts";
import { organizations, users } from "../../identity/schema/identity.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

/** Sum of the organization's ledger entries; never negative. */
export const creditBalances = c.table("credit_balances", {
  organizationId: c
    .id("organization_id")
    .primaryKey()
    .references(() => organizations.id),
  available: c.int("available").notNull(),
  reserved: c.int("reserved").notNull(),
});

/** Append-only. */
export const ledgerEntries = c.table(
  "ledger_entries",
  {
    id: c.id("id").primaryKey(),
    organizationId: c.foreignId("organization_id", () => organizations.id),
    kind: c.oneOf("kind", LEDGER_KINDS).notNull(),
    availableDelta: c.int("available_delta").notNull(),
    reservedDelta: c.int("reserved_delta").notNull(),
    workspaceId: c.id("workspace_id"),
    analysisId: c.id("analysis_id"),
    collectId: c.id("collect_id"),
    evaluationId: c.id("evaluation_id"),
    quoteId: c.id("quote_id"),
    userId: c.id("user_id"),
    note: c.string("note").notNull(),
    createdAt: c.instant("created_at").notNull(),
  },
  (t) => [
    c.index("ledger_organization").on(t.organizationId, t.id),
    c.index("ledger_month").on(t.organizationId, t.createdAt),
  ],
);

/** Single-use, bound to user, organization, setup and price. */
export const quotes = c.table(
  "quotes",
  {
    id: c.id("id").primaryKey(),
    ...workspaceColumns(),
    userId: c.foreignId("user_id", () => users.id),
    kind: c.oneOf("kind", QUOTE_KINDS).notNull(),
    setup: c.json<Record<string, unknown>>("setup").notNull(),
    cost: c.json<Record<string, unknown>>("cost").notNull(),
    totalCredits: c.int("total_credits").notNull(),
    createdAt: c.instant("created_at").notNull(),
    expiresAt: c.instant("expires_at").notNull(),
    usedAt: c.instant("used_at"),
    declinedAt: c.instant("declined_at"),
    approvedAt: c.instant("approved_at"),
    resultId: c.id("result_id"),
  },
  (t) => [c.index("quotes_expiry").on(t.expiresAt)],
);

export const idempotencyKeys = c.table(
  "idempotency_keys",
  {
    userId: c.id("user_id").notNull(),
    endpoint: c.string("endpoint").notNull(),
    key: c.string("key").notNull(),
    inputHash: c.string("input_hash").notNull(),
    response: c.json<unknown>("response").notNull(),
    createdAt: c.instant("created_at").notNull(),
  },
  (t) => [c.primaryKey({ columns: [t.userId, t.endpoint, t.key] }), c.index("idempotency_age").on(t.createdAt)],
);

/** Ids are not foreign keys, because a rejected call can name unknown rows. */
export const auditLog = c.table(
  "audit_log",
  {
    id: c.id("id").primaryKey(),
    at: c.instant("at").notNull(),
    organizationId: c.id("organization_id"),
    workspaceId: c.id("workspace_id"),
    userId: c.id("user_id"),
    clientId: c.string("client_id"),
    door: c.string("door").notNull(),
    endpoint: c.string("endpoint").notNull(),
    /** SHA-256, base64url. */
    argumentsHash: c.string("arguments_hash").notNull(),
    /** With the names of that moment; null for actions without a text. */
    text: c.string("text"),
    scopes: c.string("scopes").notNull(),
    confirmation: c.string("confirmation").notNull(),
    costCredits: c.int("cost_credits"),
    /** `ok` or an error code. */
    outcome: c.string("outcome").notNull(),
    requestId: c.string("request_id").notNull(),
    /** Rejected calls of non-members are counted per minute. */
    count: c.int("count").notNull().default(1),
  },
  (t) => [c.index("audit_organization").on(t.organizationId, t.at, t.id)],
);
