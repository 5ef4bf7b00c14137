import type { WorkspacePlace } from "../pages/places.ts";
import type { Visit } from "../for-visitor.ts";

/** The workspace in the path of a page. */
export function placeOf({ request }: Visit): WorkspacePlace {
  const { organization_id, workspace_id } = request.params;
  return { organization_id: String(organization_id), workspace_id: String(workspace_id) };
}
