import { NOTICE_KINDS } from "../../../core/identity/notices.ts";
import { id, foreignId, index, instant, oneOf, string, table } from "../../engine/columns.ts";
import { organizations, users } from "./identity.ts";

/** Form input held while a user signs in again, and drafts of multi-step forms. */
export const heldForms = table(
  "held_forms",
  {
    /** SHA-256 of the secret in the URL and the browser's marker. */
    secretHash: string("secret_hash").primaryKey(),
    userId: foreignId("user_id", () => users.id),
    path: string("path").notNull(),
    sealedFields: string("sealed_fields").notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [index("held_forms_expiry").on(t.expiresAt)],
);

/** Account events a user must be informed of, until they are read. */
export const accountNotices = table(
  "account_notices",
  {
    id: id("id").primaryKey(),
    userId: foreignId("user_id", () => users.id),
    kind: oneOf("kind", NOTICE_KINDS).notNull(),
    organizationId: id("organization_id").references(() => organizations.id),
    createdAt: instant("created_at").notNull(),
    readAt: instant("read_at"),
  },
  (t) => [index("account_notices_user").on(t.userId, t.id)],
);
