import { foreignId, index, instant, primaryKey, string, table } from "../../engine/columns.ts";
import { organizations } from "./identity.ts";

/** Accepted assertions until they expire, to reject replays. */
export const samlAssertions = table(
  "saml_assertions",
  {
    organizationId: foreignId("organization_id", () => organizations.id),
    /** SHA-256 of the issuer and the assertion id. */
    assertionHash: string("assertion_hash").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.assertionHash] }),
    index("saml_assertions_expiry").on(t.expiresAt),
  ],
);
