import { findAccessState } from "../../db/identity/access.ts";
import { findApiKey } from "../../db/identity/api-keys.ts";
import type { Db } from "../../db/engine/store.ts";
import type { Instant } from "../../core/shared/time.ts";
import { reachedWorkspaceRole, canReachOrganization, canReachWorkspace } from "../authorise.ts";
import type { KeyReach } from "../caller.ts";

export interface ExportOrigin {
  organizationId: string;
  workspaceId: string;
  createdBy: string;
  createdByKey: string | null;
  createdAt: Instant;
}

/** Archiving a workspace invalidates links of earlier exports only. */
export async function canCreatorRead(db: Db, made: ExportOrigin, now: Instant): Promise<boolean> {
  const { organizationId, workspaceId, createdBy, createdByKey, createdAt } = made;
  const reach = createdByKey === null ? null : await findActiveReach(db, createdByKey, now);
  if (reach === undefined || !canReachOrganization(reach, organizationId) || !canReachWorkspace(reach, workspaceId))
    return false;
  const accessState = await findAccessState(db, createdBy, { organizationId, workspaceId, projectId: null });
  if (!accessState?.organizationRole || accessState.disabledAt !== null || accessState.workspaceId === null)
    return false;
  if (accessState.workspaceArchivedAt !== null && createdAt <= accessState.workspaceArchivedAt) return false;
  const { organizationRole, workspaceRole } = accessState;
  return reachedWorkspaceRole({ organizationRole, workspaceRole }, reach) !== undefined;
}

async function findActiveReach(db: Db, id: string, now: Instant): Promise<KeyReach | undefined> {
  const key = (await findApiKey(db, id))?.key;
  if (!key || key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) return undefined;
  const { kind, organizationId, workspaceId, role } = key;
  return { kind, organizationId, workspaceId, role };
}
