import { id, idOf, index, instant, int, json, string, table, uniqueIndex } from "../../engine/columns.ts";
import type { auditLog } from "../../credits/schema/credits.ts";
import { organizations, workspaces } from "../../identity/schema/identity.ts";
import { ofOrganization, ofWorkspace } from "../../identity/schema/tenant.ts";

/** How a workspace is connected to the partner: at most one connection each. */
export const partnerConnections = table("partner_connections", {
  workspaceId: id("workspace_id")
    .primaryKey()
    .references(() => workspaces.id),
  organizationId: idOf("organization_id", () => organizations.id),
  /** The workspace's name at the partner, as the partner writes it. */
  partnerWorkspaceId: string("partner_workspace_id").notNull(),
  sealedToken: string("sealed_token").notNull(),
  tokenHint: string("token_hint").notNull(),
  recipients: json<string[]>("recipients").notNull(),
  /** Most characters of title and body together. */
  maxBriefLength: int("max_brief_length").notNull(),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
});

/** Briefs whose fields are read back from the partner, from a send on until the partner calls its status final. */
export const partnerWatches = table("partner_watches", {
  briefId: id("brief_id").primaryKey(),
  ...ofWorkspace(),
  since: instant("since").notNull(),
});

/** Work outside the store that was begun and has not ended. */
export const outbox = table(
  "outbox",
  {
    id: id("id").primaryKey(),
    ...ofOrganization(),
    endpoint: string("endpoint").notNull(),
    /** What the work is on; one entry at a time. */
    subjectId: id("subject_id").notNull(),
    userId: id("user_id").notNull(),
    idempotencyKey: string("idempotency_key"),
    inputHash: string("input_hash").notNull(),
    plan: json<Record<string, unknown>>("plan").notNull(),
    /** The audit row of the call, but for its end. */
    audit: json<typeof auditLog.$inferInsert>("audit").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("outbox_subject").on(t.endpoint, t.subjectId),
    index("outbox_key").on(t.userId, t.endpoint, t.idempotencyKey),
  ],
);
