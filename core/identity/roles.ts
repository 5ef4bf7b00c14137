/** Organization roles, strongest first (service.md section 2). A guest has no rights of its own. */
export const ORGANIZATION_ROLES = ["owner", "editor", "viewer", "guest"] as const;
export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number];

/** Workspace roles, strongest first. */
export const WORKSPACE_ROLES = ["editor", "viewer"] as const;
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];

/** How far an API key reaches (interface.md section 5). */
export const API_KEY_KINDS = ["user", "organization", "workspace"] as const;
export type ApiKeyKind = (typeof API_KEY_KINDS)[number];

/** Whether an API key still works: only an active one does. */
export const API_KEY_STATUSES = ["active", "expired", "revoked"] as const;
export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number];

/** What a person lets an assistant do. A scope never gives more than the role. */
export const SCOPES = {
  read: "See your organizations, workspaces, analyses and metrics",
  "analyses:create": "Price and create analyses, which spends credits",
  "personas:create": "Create personas",
  "evaluations:manage": "Create and manage asset evaluations, which spends credits",
} as const;
export type Scope = keyof typeof SCOPES;

/** The weaker of two organization roles. */
export function weakerRole(a: OrganizationRole, b: OrganizationRole): OrganizationRole {
  return ORGANIZATION_ROLES.indexOf(a) > ORGANIZATION_ROLES.indexOf(b) ? a : b;
}

/** True if `role` gives at least `needed`. */
export function roleAtLeast(role: OrganizationRole, needed: OrganizationRole): boolean {
  return ORGANIZATION_ROLES.indexOf(role) <= ORGANIZATION_ROLES.indexOf(needed);
}

/** What a member may do in a workspace: the stronger of the organization role and the workspace role. */
export function effectiveWorkspaceRole(
  organizationRole: OrganizationRole,
  workspaceRole: WorkspaceRole | null,
): WorkspaceRole | undefined {
  if (workspaceRole === "editor" || roleAtLeast(organizationRole, "editor")) return "editor";
  if (workspaceRole === "viewer" || organizationRole === "viewer") return "viewer";
  return undefined;
}
