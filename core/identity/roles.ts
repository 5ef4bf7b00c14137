/** Organization roles, strongest first (service.md section 2). A guest has only workspace roles. */
export const ORGANIZATION_ROLES = ["owner", "editor", "viewer", "guest"] as const;
export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number];

/** Workspace roles, strongest first. */
export const WORKSPACE_ROLES = ["editor", "viewer"] as const;
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];

/** Permissions of each role in the organization and all of its workspaces. */
export const ORGANIZATION_PERMISSIONS: Readonly<Record<OrganizationRole, string>> = {
  owner:
    "everything an editor may, and members, keys, single sign-on, integrations, settings and audit log of the organization",
  editor:
    "read and change all workspaces: create and approve analyses, which spends credits, and edit brands, actions and briefs",
  viewer: "read all workspaces; change nothing and spend nothing",
  guest: "only workspaces with a role of their own",
};

/** Permissions of each role in its workspace. */
export const WORKSPACE_PERMISSIONS: Readonly<Record<WorkspaceRole, string>> = {
  editor:
    "read and change the workspace, its keys and integrations: create and approve analyses, which spends credits, and edit brands, actions and briefs",
  viewer: "read the workspace; change nothing and spend nothing",
};

/** Reach of an API key (interface.md section 5). */
export const API_KEY_KINDS = ["user", "organization", "workspace"] as const;
export type ApiKeyKind = (typeof API_KEY_KINDS)[number];

/** Statuses of an API key; only an active key works. */
export const API_KEY_STATUSES = ["active", "expired", "revoked"] as const;
export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number];

/** Scopes that a person grants to an assistant; they never exceed the person's role. */
export const SCOPES = {
  read: "See your organizations, workspaces, analyses and metrics",
  "analyses:create": "Price and create analyses, which spends credits",
  "personas:create": "Create personas",
  "evaluations:manage": "Create and manage asset evaluations, which spends credits",
} as const;
export type Scope = keyof typeof SCOPES;

export function weakerRole(a: OrganizationRole, b: OrganizationRole): OrganizationRole {
  return ORGANIZATION_ROLES.indexOf(a) > ORGANIZATION_ROLES.indexOf(b) ? a : b;
}

export function isRoleAtLeast(role: OrganizationRole, needed: OrganizationRole): boolean {
  return ORGANIZATION_ROLES.indexOf(role) <= ORGANIZATION_ROLES.indexOf(needed);
}

export function resolveWorkspaceRole(
  organizationRole: OrganizationRole,
  workspaceRole: WorkspaceRole | null,
): WorkspaceRole | undefined {
  if (workspaceRole === "editor" || isRoleAtLeast(organizationRole, "editor")) return "editor";
  if (workspaceRole === "viewer" || organizationRole === "viewer") return "viewer";
  return undefined;
}
