import type { TargetIds } from "../../auth/authorise.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for a text that is a UUID. */
export function isId(value: unknown): value is string {
  return typeof value === "string" && UUID.test(value);
}

/** The ids of the organization, workspace and project in a request; null where there is no UUID. */
export function targetIds(raw: Record<string, unknown>): TargetIds {
  const idAt = (key: string) => {
    const value = raw[key];
    return isId(value) ? value.toLowerCase() : null;
  };
  return {
    organizationId: idAt("organization_id") ?? idAt("client_id"),
    workspaceId: idAt("workspace_id"),
    projectId: idAt("project_id"),
  };
}
