import { NOTICE_KINDS } from "../../../core/identity/notices.ts";
import { id, idOf, index, instant, oneOf, string, table } from "../../engine/columns.ts";
import { organizations, users } from "./identity.ts";

/** Forms that wait while their person signs in again, so that what was typed is not lost. */
export const heldForms = table(
  "held_forms",
  {
    /** SHA-256 of the secret in the address and of the mark of the browser. */
    secretHash: string("secret_hash").primaryKey(),
    userId: idOf("user_id", () => users.id),
    /** The page that it comes back to. */
    path: string("path").notNull(),
    sealedFields: string("sealed_fields").notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [index("held_forms_expiry").on(t.expiresAt)],
);

/** What happened to an account that its person must be told of, until they have read it. */
export const accountNotices = table(
  "account_notices",
  {
    id: id("id").primaryKey(),
    userId: idOf("user_id", () => users.id),
    kind: oneOf("kind", NOTICE_KINDS).notNull(),
    /** The organization that it came from. */
    organizationId: id("organization_id").references(() => organizations.id),
    createdAt: instant("created_at").notNull(),
    readAt: instant("read_at"),
  },
  (t) => [index("account_notices_user").on(t.userId, t.id)],
);
