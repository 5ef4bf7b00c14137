import * as c from "../../engine/columns.ts";
import { organizations } from "./identity.ts";

/** Accepted assertions until they expire, to reject replays. */
export const samlAssertions = c.table(
  "saml_assertions",
  {
    organizationId: c.foreignId("organization_id", () => organizations.id),
    /** SHA-256 of the issuer and the assertion id. */
    assertionHash: c.string("assertion_hash").notNull(),
    expiresAt: c.instant("expires_at").notNull(),
  },
  (t) => [
    c.primaryKey({ columns: [t.organizationId, t.assertionHash] }),
    c.index("saml_assertions_expiry").on(t.expiresAt),
  ],
);
