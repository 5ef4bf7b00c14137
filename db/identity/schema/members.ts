import { FAVOURITE_KINDS } from "../../../core/identity/favourites.ts";
import { ORGANIZATION_ROLES, type WorkspaceRole } from "../../../core/identity/roles.ts";
import * as c from "../../engine/columns.ts";
import { organizations, users } from "./identity.ts";
import { workspaceColumns } from "./tenant.ts";

export interface InvitedWorkspaceRole {
  workspaceId: string;
  role: WorkspaceRole;
}

/** Only a hash of the secret is stored. */
export const invitations = c.table(
  "invitations",
  {
    id: c.id("id").primaryKey(),
    organizationId: c.foreignId("organization_id", () => organizations.id),
    /** Lower case; only this address may accept. */
    email: c.string("email").notNull(),
    role: c.oneOf("role", ORGANIZATION_ROLES).notNull(),
    workspaceRoles: c.json<InvitedWorkspaceRole[]>("workspace_roles").notNull(),
    secretHash: c.string("secret_hash").notNull(),
    /** The inviter must still be an owner when the invitation is accepted. */
    invitedBy: c.foreignId("invited_by", () => users.id),
    createdAt: c.instant("created_at").notNull(),
    expiresAt: c.instant("expires_at").notNull(),
    acceptedAt: c.instant("accepted_at"),
    acceptedBy: c.id("accepted_by"),
    revokedAt: c.instant("revoked_at"),
  },
  (t) => [
    c.uniqueIndex("invitations_secret").on(t.secretHash),
    c.index("invitations_organization").on(t.organizationId, t.id),
  ],
);

export const favourites = c.table(
  "favourites",
  {
    userId: c.foreignId("user_id", () => users.id),
    kind: c.oneOf("kind", FAVOURITE_KINDS).notNull(),
    subjectId: c.id("subject_id").notNull(),
    ...workspaceColumns(),
    createdAt: c.instant("created_at").notNull(),
  },
  (t) => [c.primaryKey({ columns: [t.userId, t.subjectId] })],
);
