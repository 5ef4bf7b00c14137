import { getCredentialReach } from "../../auth/authorise.ts";
import type { Caller } from "../../auth/caller.ts";
import { PROMPTING_TYPES } from "../../core/analyses/analysis.ts";
import type { Named } from "../../core/shared/names.ts";
import { listAnalysisNames } from "../../db/analyses/analyses.ts";
import { listUserWorkspaces } from "../../db/catalog/workspaces.ts";
import type { Db } from "../../db/engine/store.ts";
import { listUserOrganizations } from "../../db/identity/organizations.ts";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import { targetIds } from "./admit.ts";
import type { Input } from "./parse-input.ts";

/** Organization, workspace and analysis of a call, outermost first. */
export const KIND_BY_TARGET_FIELD = {
  organization_id: "organization",
  client_id: "organization",
  workspace_id: "workspace",
  project_id: "analysis",
  analysis_id: "analysis",
} as const;
export type TargetParameter = keyof typeof KIND_BY_TARGET_FIELD;
export type TargetKind = (typeof KIND_BY_TARGET_FIELD)[TargetParameter];
export const TARGET_FIELDS = Object.keys(KIND_BY_TARGET_FIELD) as TargetParameter[]; // safe: exactly the keys of the object

export interface TargetReader {
  endpoint: AnyEndpoint;
  caller: Caller;
  db: Db;
}

export interface Target extends Named {
  parentIds: readonly string[];
  isArchived: boolean;
}

const MAX_SEARCHED_ROWS = 5000;
const SEARCH_PAGE = { limit: MAX_SEARCHED_ROWS, after: null };

export async function listTargets(kind: TargetKind, input: Input, reader: TargetReader): Promise<Target[]> {
  const { caller, db, endpoint } = reader;
  const { userId, reach } = caller;
  const credentialReach = getCredentialReach(caller);
  if (kind === "organization") {
    const only = reach?.organizationId ?? null;
    const rows = await listUserOrganizations(db, { userId, ...credentialReach }, only, SEARCH_PAGE);
    return rows.map(({ organization: { id, name } }) => ({ id, name, parentIds: [], isArchived: false }));
  }
  const { organizationId, workspaceId } = targetIds(input);
  // A key that is limited to an organization lists no workspace outside it.
  const bounds = {
    organizationId: organizationId ?? reach?.organizationId ?? null,
    workspaceId: reach?.workspaceId ?? null,
    includesArchived: true,
    credentialReach,
  };
  const workspaces = await listUserWorkspaces(db, userId, bounds, SEARCH_PAGE);
  if (kind === "workspace") {
    return workspaces.map(({ workspace: { id, name, organizationId: parentId, archivedAt } }) => {
      return { id, name, parentIds: [parentId], isArchived: archivedAt !== null };
    });
  }
  const workspaceById = new Map(workspaces.map(({ workspace }) => [workspace.id, workspace]));
  const organizationIds = [...new Set(workspaces.map(({ workspace }) => workspace.organizationId))];
  const types = "analysis_id" in endpoint.input.shape ? endpoint.analysisTypes : PROMPTING_TYPES;
  const analyses = await listAnalysisNames(db, organizationIds, types, MAX_SEARCHED_ROWS);
  return analyses.flatMap(({ id, name, status, workspaceId: parentId }) => {
    const workspace = workspaceById.get(parentId);
    if (!workspace || (workspaceId ?? parentId) !== parentId) return [];
    const parentIds = [workspace.organizationId, parentId];
    return [{ id, name, parentIds, isArchived: status === "archived" || workspace.archivedAt !== null }];
  });
}
