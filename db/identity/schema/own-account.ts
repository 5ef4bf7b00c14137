import { NOTICE_KINDS } from "../../../core/identity/notices.ts";
import * as c from "../../engine/columns.ts";
import { organizations, users } from "./identity.ts";

/** Form input held while a user signs in again, and drafts of multi-step forms. */
export const heldForms = c.table(
  "held_forms",
  {
    /** SHA-256 of the secret in the URL and the browser's marker. */
    secretHash: c.string("secret_hash").primaryKey(),
    userId: c.foreignId("user_id", () => users.id),
    path: c.string("path").notNull(),
    sealedFields: c.string("sealed_fields").notNull(),
    createdAt: c.instant("created_at").notNull(),
    expiresAt: c.instant("expires_at").notNull(),
  },
  (t) => [c.index("held_forms_expiry").on(t.expiresAt)],
);

export const accountNotices = c.table(
  "account_notices",
  {
    id: c.id("id").primaryKey(),
    userId: c.foreignId("user_id", () => users.id),
    kind: c.oneOf("kind", NOTICE_KINDS).notNull(),
    organizationId: c.id("organization_id").references(() => organizations.id),
    createdAt: c.instant("created_at").notNull(),
    readAt: c.instant("read_at"),
  },
  (t) => [c.index("account_notices_user").on(t.userId, t.id)],
);
