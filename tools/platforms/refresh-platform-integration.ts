import { z } from "zod";
import { enqueueBackgroundJob, withdrawBackgroundJob } from "../../db/jobs/background-jobs.ts";
import { findPlatformConnection, updatePlatformConnection } from "../../db/platforms/platform-connections.ts";
import { AppError, requireFound } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { integrationPath, PlatformIntegration, shapeConnection } from "./platform-integration.ts";

export const refreshPlatformIntegration = endpoint({
  name: "refreshPlatformIntegration",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/platform-integrations/:platform_integration_id/refresh",
  status: 202,
  group: "Platform Integrations",
  summary: "Refresh a platform's accounts",
  logged: "Refreshed a platform's accounts",
  description: "Reads the accounts of a connection from its platform again, in the background.",
  access: { workspace: "editor" },
  notATool: "account administration",
  input: z.strictObject(integrationPath),
  output: PlatformIntegration,
  errors: ["NOT_FOUND", "CONFLICT"],
  async handle({ platform_integration_id: id }, { tenant, now, newId }) {
    const known = requireFound(await findPlatformConnection(tenant, id), "connection");
    if (known.status !== "active") {
      throw new AppError("CONFLICT", "This connection is not active. Enable it, or connect again in the console.");
    }
    const changed = await updatePlatformConnection(tenant, id, { accountsListedAt: null, updatedAt: now });
    await withdrawBackgroundJob(tenant, "keep_platform", id);
    await enqueueBackgroundJob(tenant, { id: newId(), kind: "keep_platform", subjectId: id, at: now });
    return shapeConnection(changed ?? known);
  },
});
