import type { WorkspaceIds } from "./page-addresses.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";

export function getWorkspaceIds({ request }: Visit): WorkspaceIds {
  const { organization_id, workspace_id } = request.params;
  return { organization_id: String(organization_id), workspace_id: String(workspace_id) };
}
