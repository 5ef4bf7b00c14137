import { z } from "zod";
import { withdrawBackgroundJob } from "../../db/jobs/background-jobs.ts";
import {
  deletePlatformConnection,
  findPlatformConnection,
  toPlatformSealContext,
} from "../../db/platforms/platform-connections.ts";
import { notFound } from "../../core/shared/errors.ts";
import { Id } from "../../core/shared/fields.ts";
import { PlatformFault, parseStoredTokens } from "../../core/platforms/platforms.ts";
import { endpoint, OutboxEntry, type PerformContext } from "../endpoint.ts";
import { integrationPath } from "./platform-integration.ts";

const Plan = z.object({ id: z.string() });

export const deletePlatformIntegration = endpoint({
  name: "deletePlatformIntegration",
  method: "DELETE",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/platform-integrations/:platform_integration_id",
  group: "Platform Integrations",
  summary: "Disconnect a platform",
  logged: "Disconnected a platform",
  description:
    "Ends a connection: revokes its access at the platform, if the platform supports it, and deletes its tokens and accounts.",
  access: { workspace: "editor" },
  notATool: "account administration",
  input: z.strictObject(integrationPath),
  output: z.object({
    id: Id,
    deleted: z.literal(true),
    revoked: z.boolean().describe("false: access was not revoked at the platform; revoke it there yourself."),
  }),
  errors: ["NOT_FOUND"],
  async handle({ platform_integration_id: id }, { tenant }) {
    if (!(await findPlatformConnection(tenant, id))) throw notFound("connection");
    return new OutboxEntry(id, { id } satisfies z.output<typeof Plan>);
  },
  async perform(plan, context) {
    const { id } = Plan.parse(plan);
    const revoked = await revokeAtPlatform(id, context);
    return async ({ tenant }) => {
      await withdrawBackgroundJob(tenant, "keep_platform", id);
      if (!(await deletePlatformConnection(tenant, id))) return notFound("connection");
      return { id, deleted: true as const, revoked };
    };
  },
});

/** True if the platform confirmed it. An unreachable platform does not prevent disconnecting. */
async function revokeAtPlatform(id: string, { store, platforms, secrets }: PerformContext): Promise<boolean> {
  const connection = await store.read((tenant) => findPlatformConnection(tenant, id));
  const platform = connection && platforms.get(connection.platform);
  if (!platform) return false;
  try {
    return await platform.revoke(parseStoredTokens(secrets.unseal(connection.sealedTokens, toPlatformSealContext(id))));
  } catch (error) {
    if (!(error instanceof PlatformFault)) throw error;
    return false;
  }
}
