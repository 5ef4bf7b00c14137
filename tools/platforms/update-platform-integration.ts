import { z } from "zod";
import { enqueueBackgroundJob, withdrawBackgroundJob } from "../../db/jobs/background-jobs.ts";
import { findPlatformConnection, updatePlatformConnection } from "../../db/platforms/platform-connections.ts";
import { AppError, requireFound } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { integrationPath, PlatformIntegration, shapeConnection } from "./platform-integration.ts";

export const updatePlatformIntegration = endpoint({
  name: "updatePlatformIntegration",
  method: "PATCH",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/platform-integrations/:platform_integration_id",
  group: "Platform Integrations",
  summary: "Disable or enable a platform connection",
  logged: "Set a platform connection to {status}",
  description:
    "Disables a connection without disconnecting it, or enables it again. Tokens of a disabled connection are not used.",
  access: { workspace: "editor" },
  notATool: "account administration",
  input: z.strictObject({ ...integrationPath, status: z.enum(["active", "disabled"]) }),
  output: PlatformIntegration,
  errors: ["NOT_FOUND", "CONFLICT"],
  async handle({ platform_integration_id: id, status }, { tenant, now, newId }) {
    const known = requireFound(await findPlatformConnection(tenant, id), "connection");
    if (known.status === "expired") {
      throw new AppError("CONFLICT", "This connection has expired. Connect again in the console, or disconnect.");
    }
    const changed = requireFound(await updatePlatformConnection(tenant, id, { status, updatedAt: now }), "connection");
    await withdrawBackgroundJob(tenant, "keep_platform", id);
    if (status === "active") {
      await enqueueBackgroundJob(tenant, { id: newId(), kind: "keep_platform", subjectId: id, at: now });
    }
    return shapeConnection(changed);
  },
});
