import { LEDGER_KINDS, QUOTE_KINDS } from "../../../core/credits/credits.ts";
import { id, foreignId, index, instant, int, json, oneOf, primaryKey, string, table } from "../../engine/columns.ts";
import { organizations, users } from "../../identity/schema/identity.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

/** Always the sum of the organization's ledger entries; never negative. */
export const creditBalances = table("credit_balances", {
  organizationId: id("organization_id")
    .primaryKey()
    .references(() => organizations.id),
  available: int("available").notNull(),
  reserved: int("reserved").notNull(),
});

/** Append-only. */
export const ledgerEntries = table(
  "ledger_entries",
  {
    id: id("id").primaryKey(),
    organizationId: foreignId("organization_id", () => organizations.id),
    kind: oneOf("kind", LEDGER_KINDS).notNull(),
    availableDelta: int("available_delta").notNull(),
    reservedDelta: int("reserved_delta").notNull(),
    workspaceId: id("workspace_id"),
    analysisId: id("analysis_id"),
    collectId: id("collect_id"),
    evaluationId: id("evaluation_id"),
    quoteId: id("quote_id"),
    userId: id("user_id"),
    note: string("note").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    index("ledger_organization").on(t.organizationId, t.id),
    index("ledger_month").on(t.organizationId, t.createdAt),
  ],
);

/** Single-use prices, bound to user, organization, setup and price. */
export const quotes = table(
  "quotes",
  {
    id: id("id").primaryKey(),
    ...workspaceColumns(),
    userId: foreignId("user_id", () => users.id),
    kind: oneOf("kind", QUOTE_KINDS).notNull(),
    setup: json<Record<string, unknown>>("setup").notNull(),
    cost: json<Record<string, unknown>>("cost").notNull(),
    totalCredits: int("total_credits").notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    /** Set once, when a creation uses the quote; `declinedAt` is set when the user declines it. */
    usedAt: instant("used_at"),
    declinedAt: instant("declined_at"),
    approvedAt: instant("approved_at"),
    resultId: id("result_id"),
  },
  (t) => [index("quotes_expiry").on(t.expiresAt)],
);

/** The first response to a request with an Idempotency-Key. */
export const idempotencyKeys = table(
  "idempotency_keys",
  {
    userId: id("user_id").notNull(),
    endpoint: string("endpoint").notNull(),
    key: string("key").notNull(),
    inputHash: string("input_hash").notNull(),
    response: json<unknown>("response").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.endpoint, t.key] }), index("idempotency_age").on(t.createdAt)],
);

/** Ids are not foreign keys, because a rejected call can name unknown rows. */
export const auditLog = table(
  "audit_log",
  {
    id: id("id").primaryKey(),
    at: instant("at").notNull(),
    organizationId: id("organization_id"),
    workspaceId: id("workspace_id"),
    userId: id("user_id"),
    clientId: string("client_id"),
    door: string("door").notNull(),
    endpoint: string("endpoint").notNull(),
    /** SHA-256 of the call's arguments, base64url. */
    argumentsHash: string("arguments_hash").notNull(),
    /** Description of the action with the names of that moment; null for actions without one. */
    text: string("text"),
    scopes: string("scopes").notNull(),
    confirmation: string("confirmation").notNull(),
    costCredits: int("cost_credits"),
    /** `ok` or an error code. */
    outcome: string("outcome").notNull(),
    requestId: string("request_id").notNull(),
    /** Number of calls the row stands for: rejected calls of non-members are counted per minute. */
    count: int("count").notNull().default(1),
  },
  (t) => [index("audit_organization").on(t.organizationId, t.at, t.id)],
);
