import { findAccessState, type AccessTarget } from "../db/identity/access.ts";
import type { Db } from "../db/engine/store.ts";
import { AppError, notFound } from "../core/shared/errors.ts";
import {
  resolveWorkspaceRole,
  isRoleAtLeast,
  weakerRole,
  type OrganizationRole,
  type Scope,
  type WorkspaceRole,
} from "../core/identity/roles.ts";
import {
  isCredentialAccepted,
  toCredentialReach,
  type MembershipTerms,
  type CredentialReach,
} from "../core/identity/proof.ts";
import type { Caller, KeyReach } from "./caller.ts";

/** `project` means the workspace of the search analysis in the path. */
export type Access =
  | "public"
  | "signed-in"
  | { organization: OrganizationRole }
  | { workspace: WorkspaceRole }
  | { project: WorkspaceRole };

export type TargetIds = AccessTarget;

function toLookupTarget(access: Access, target: TargetIds): AccessTarget | undefined {
  if (typeof access === "string" || target.organizationId === null) return undefined;
  return "project" in access ? { ...target, workspaceId: null } : { ...target, projectId: null };
}

export interface AuthorisedIds {
  userId: string | null;
  organizationId: string | null;
  workspaceId: string | null;
}

/** Throws NOT_FOUND for hidden resources, CONFLICT for changes in an archived workspace. */
export async function authorise(
  need: { access: Access; scope: Scope; isWrite: boolean; baseUrl?: string },
  target: TargetIds,
  caller: Caller | undefined,
  db: Db,
): Promise<AuthorisedIds> {
  if (need.access === "public") return { userId: caller?.userId ?? null, organizationId: null, workspaceId: null };
  if (!caller) throw notSignedInError();
  // Token verification has already checked that the account is enabled.
  if (need.access === "signed-in") {
    requireScope(need.scope, caller);
    return { userId: caller.userId, organizationId: null, workspaceId: null };
  }
  const { organizationId } = target;
  const place = toLookupTarget(need.access, target);
  if (!place || organizationId === null) throw organizationNotFoundError();
  const accessState = await findAccessState(db, caller.userId, place);
  requireEnabledAccount(accessState);
  if (!accessState?.organizationRole || !canReachOrganization(caller.reach, organizationId))
    throw organizationNotFoundError();
  requireScope(need.scope, caller);
  const { organizationRole: held, joinedThrough } = accessState;
  const terms = {
    organizationId,
    role: held,
    joinedAt: accessState.joinedAt ?? "",
    joinedThrough,
    requiresOwn: accessState.requiresOwn === true,
  };
  if (!isCredentialAccepted(terms, getCredentialReach(caller))) throw signInMethodError(terms, need.baseUrl);
  if (held === "owner" && accessState.ownersNeedSecondFactor === true && accessState.secondFactorAt === null) {
    if (caller.proof.way === "local") throw secondFactorRequiredError(need.baseUrl);
  }
  const role = weakerRole(accessState.organizationRole, caller.reach?.role ?? "owner");
  if ("organization" in need.access) {
    // Lists open to guests are filtered per caller, so workspace keys may call them too.
    if (caller.reach?.kind === "workspace" && need.access.organization !== "guest") {
      throw new AppError("FORBIDDEN", "This key or connection is limited to one workspace.");
    }
    if (!isRoleAtLeast(role, need.access.organization))
      throw insufficientRoleError(`organization ${need.access.organization}`);
    return { userId: caller.userId, organizationId, workspaceId: null };
  }
  const resourceName = "project" in need.access ? "project" : "workspace";
  if (!accessState.workspaceId || !canReachWorkspace(caller.reach, accessState.workspaceId))
    throw notFound(resourceName);
  const { organizationRole, workspaceRole } = accessState;
  const effective = reachedWorkspaceRole({ organizationRole, workspaceRole }, caller.reach);
  if (!effective) throw notFound(resourceName);
  const needed = "project" in need.access ? need.access.project : need.access.workspace;
  if (needed === "editor" && effective !== "editor") {
    throw insufficientRoleError("organization owner or editor, or workspace editor");
  }
  if (need.isWrite && accessState.workspaceArchivedAt !== null) {
    throw new AppError("CONFLICT", "This workspace is archived and can only be read. Restore it first.");
  }
  return { userId: caller.userId, organizationId, workspaceId: accessState.workspaceId };
}

function requireEnabledAccount(who: { disabledAt: string | null } | undefined): void {
  if (!who || who.disabledAt) throw new AppError("UNAUTHENTICATED", "This account is disabled or no longer exists.");
}

function notSignedInError(): AppError {
  const message = "Sign in, or send a bearer token in the Authorization header.";
  return new AppError("UNAUTHENTICATED", message, { isFromOutsider: true });
}

function organizationNotFoundError(): AppError {
  const { code, message } = notFound("organization");
  return new AppError(code, message, { subject: "organization", isFromOutsider: true });
}

function requireScope(scope: Scope, caller: Caller): void {
  if (caller.scopes.has(scope)) return;
  throw new AppError("FORBIDDEN", `This requires the scope ${scope}. Connect again and allow it.`);
}

function signInMethodError({ organizationId, requiresOwn }: MembershipTerms, baseUrl = ""): AppError {
  return new AppError(
    "FORBIDDEN",
    requiresOwn
      ? `This organization requires single sign-on. Sign in at ${baseUrl}/sso/${organizationId}/start, then connect assistants and create user keys again.`
      : "This organization does not accept the way you signed in. Sign in with your password or through this organization, or ask an owner to invite you again.",
  );
}

function secondFactorRequiredError(baseUrl = ""): AppError {
  return new AppError(
    "FORBIDDEN",
    `This organization requires a second factor of its owners. Set one up at ${baseUrl}/account, then connect assistants again.`,
  );
}

function insufficientRoleError(needed: string): AppError {
  return new AppError(
    "FORBIDDEN",
    `Your role does not allow this; it requires ${needed}. Ask an owner of the organization.`,
  );
}

export function canReachOrganization(reach: KeyReach | null, organizationId: string): boolean {
  return !reach || reach.kind === "user" || reach.organizationId === organizationId;
}

export function canReachWorkspace(reach: KeyReach | null, workspaceId: string): boolean {
  return reach?.kind !== "workspace" || reach.workspaceId === workspaceId;
}

export function reachedWorkspaceRole(
  roles: { organizationRole: OrganizationRole; workspaceRole: WorkspaceRole | null },
  reach: KeyReach | null,
): WorkspaceRole | undefined {
  const organizationRole = weakerRole(roles.organizationRole, reach?.role ?? "owner");
  return resolveWorkspaceRole(organizationRole, limitWorkspaceRole(roles.workspaceRole, reach));
}

/** Prevents a viewer or guest key from inheriting its creator's editor role in one workspace. */
function limitWorkspaceRole(role: WorkspaceRole | null, reach: KeyReach | null): WorkspaceRole | null {
  return role === "editor" && reach?.role && !isRoleAtLeast(reach.role, "editor") ? "viewer" : role;
}

export function getCredentialReach(caller: Caller | null): CredentialReach {
  if (!caller) return { through: null, localBefore: null };
  // The limit of an assistant proves no sign-in through the organization, unlike the making of a key.
  const keyOf = caller.door === "mcp" ? null : (caller.reach?.organizationId ?? null);
  return toCredentialReach(caller.proof, keyOf);
}
