import type { Visitor } from "../../../auth/people/web-sessions.ts";
import { toCredentialReach } from "../../../core/identity/proof.ts";
import { listUserWorkspaces } from "../../../db/catalog/workspaces.ts";
import { listUserOrganizations } from "../../../db/identity/organizations.ts";
import type { WebContext } from "../pages/visit.ts";

export interface WorkspaceChoice {
  id: string;
  name: string;
}

const MAX_CHOICES = 500;
const PAGE = { limit: MAX_CHOICES, after: null };

/** Workspaces to which a visitor can limit a connection; with `ids` only one that each id names. */
export async function listWorkspaceChoices(
  { userId, proof }: Visitor,
  ids: readonly string[],
  { deps }: WebContext,
): Promise<WorkspaceChoice[]> {
  const credentialReach = toCredentialReach(proof);
  const bounds = { organizationId: null, workspaceId: ids[0] ?? null, includesArchived: false, credentialReach };
  return deps.store.read(async (db) => {
    const organizations = await listUserOrganizations(db, { userId, ...credentialReach }, null, PAGE);
    const nameById = new Map(organizations.map(({ organization: { id, name } }) => [id, name]));
    const rows = await listUserWorkspaces(db, userId, bounds, PAGE);
    return rows
      .filter(({ workspace }) => ids.every((id) => id === workspace.id))
      .map(({ workspace: { id, name, organizationId } }) => ({
        id,
        name: nameById.size > 1 ? `${name} (${nameById.get(organizationId)})` : name,
      }));
  });
}
