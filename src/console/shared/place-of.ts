import type { WorkspacePlace } from "./places.ts";
import type { Visit } from "../../http/pages/for-visitor.ts";

export function placeOf({ request }: Visit): WorkspacePlace {
  const { organization_id, workspace_id } = request.params;
  return { organization_id: String(organization_id), workspace_id: String(workspace_id) };
}
