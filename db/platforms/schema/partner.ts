import { id, foreignId, index, instant, int, json, string, table, uniqueIndex } from "../../engine/columns.ts";
import type { auditLog } from "../../credits/schema/credits.ts";
import { organizations, workspaces } from "../../identity/schema/identity.ts";
import { organizationColumns, workspaceColumns } from "../../identity/schema/tenant.ts";

/** Partner connections, at most one per workspace. */
export const partnerConnections = table("partner_connections", {
  workspaceId: id("workspace_id")
    .primaryKey()
    .references(() => workspaces.id),
  organizationId: foreignId("organization_id", () => organizations.id),
  /** The partner's id of the workspace, as the partner spells it. */
  partnerWorkspaceId: string("partner_workspace_id").notNull(),
  sealedToken: string("sealed_token").notNull(),
  tokenHint: string("token_hint").notNull(),
  recipients: json<string[]>("recipients").notNull(),
  /** Max characters of title and body together. */
  maxBriefLength: int("max_brief_length").notNull(),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
});

/** Briefs polled at the partner, from submission until their status is final. */
export const partnerWatches = table("partner_watches", {
  briefId: id("brief_id").primaryKey(),
  ...workspaceColumns(),
  since: instant("since").notNull(),
});

/** External calls that were started and have not completed. */
export const outbox = table(
  "outbox",
  {
    id: id("id").primaryKey(),
    ...organizationColumns(),
    endpoint: string("endpoint").notNull(),
    /** The subject of the call; at most one entry per endpoint and subject. */
    subjectId: id("subject_id").notNull(),
    userId: id("user_id").notNull(),
    idempotencyKey: string("idempotency_key"),
    inputHash: string("input_hash").notNull(),
    plan: json<Record<string, unknown>>("plan").notNull(),
    audit: json<typeof auditLog.$inferInsert>("audit").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("outbox_subject").on(t.endpoint, t.subjectId),
    index("outbox_key").on(t.userId, t.endpoint, t.idempotencyKey),
  ],
);
