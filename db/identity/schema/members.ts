import { FAVOURITE_KINDS } from "../../../core/identity/favourites.ts";
import { ORGANIZATION_ROLES, type WorkspaceRole } from "../../../core/identity/roles.ts";
import {
  id,
  foreignId,
  index,
  instant,
  json,
  oneOf,
  primaryKey,
  string,
  table,
  uniqueIndex,
} from "../../engine/columns.ts";
import { organizations, users } from "./identity.ts";
import { workspaceColumns } from "./tenant.ts";

export interface InvitedWorkspaceRole {
  workspaceId: string;
  role: WorkspaceRole;
}

/** Invitations by e-mail. Only a hash of the secret is stored. */
export const invitations = table(
  "invitations",
  {
    id: id("id").primaryKey(),
    organizationId: foreignId("organization_id", () => organizations.id),
    /** Lower case; only this address may accept. */
    email: string("email").notNull(),
    role: oneOf("role", ORGANIZATION_ROLES).notNull(),
    workspaceRoles: json<InvitedWorkspaceRole[]>("workspace_roles").notNull(),
    secretHash: string("secret_hash").notNull(),
    /** The inviter, who must still be an owner when the invitation is accepted. */
    invitedBy: foreignId("invited_by", () => users.id),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    acceptedAt: instant("accepted_at"),
    acceptedBy: id("accepted_by"),
    revokedAt: instant("revoked_at"),
  },
  (t) => [
    uniqueIndex("invitations_secret").on(t.secretHash),
    index("invitations_organization").on(t.organizationId, t.id),
  ],
);

export const favourites = table(
  "favourites",
  {
    userId: foreignId("user_id", () => users.id),
    kind: oneOf("kind", FAVOURITE_KINDS).notNull(),
    subjectId: id("subject_id").notNull(),
    ...workspaceColumns(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.subjectId] })],
);
