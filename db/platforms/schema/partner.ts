import * as c from "../../engine/columns.ts";
import type { auditLog } from "../../credits/schema/credits.ts";
import { organizations, workspaces } from "../../identity/schema/identity.ts";
import { organizationColumns, workspaceColumns } from "../../identity/schema/tenant.ts";

export const partnerConnections = c.table("partner_connections", {
  workspaceId: c
    .id("workspace_id")
    .primaryKey()
    .references(() => workspaces.id),
  organizationId: c.foreignId("organization_id", () => organizations.id),
  /** Spelled by the partner. */
  partnerWorkspaceId: c.string("partner_workspace_id").notNull(),
  sealedToken: c.string("sealed_token").notNull(),
  tokenHint: c.string("token_hint").notNull(),
  recipients: c.json<string[]>("recipients").notNull(),
  /** Title and body together, in characters. */
  maxBriefLength: c.int("max_brief_length").notNull(),
  createdAt: c.instant("created_at").notNull(),
  updatedAt: c.instant("updated_at").notNull(),
});

/** Briefs polled from submission until their status at the partner is final. */
export const partnerWatches = c.table("partner_watches", {
  briefId: c.id("brief_id").primaryKey(),
  ...workspaceColumns(),
  since: c.instant("since").notNull(),
});

export const outbox = c.table(
  "outbox",
  {
    id: c.id("id").primaryKey(),
    ...organizationColumns(),
    endpoint: c.string("endpoint").notNull(),
    /** At most one entry per endpoint and subject. */
    subjectId: c.id("subject_id").notNull(),
    userId: c.id("user_id").notNull(),
    idempotencyKey: c.string("idempotency_key"),
    inputHash: c.string("input_hash").notNull(),
    plan: c.json<Record<string, unknown>>("plan").notNull(),
    audit: c.json<typeof auditLog.$inferInsert>("audit").notNull(),
    createdAt: c.instant("created_at").notNull(),
  },
  (t) => [
    c.uniqueIndex("outbox_subject").on(t.endpoint, t.subjectId),
    c.index("outbox_key").on(t.userId, t.endpoint, t.idempotencyKey),
  ],
);
