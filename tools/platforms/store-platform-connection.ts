import { z } from "zod";
import { enqueueBackgroundJob, withdrawBackgroundJob } from "../../db/jobs/background-jobs.ts";
import { storePlatformAccounts } from "../../db/platforms/platform-accounts.ts";
import {
  findConnectionToPlatform,
  insertPlatformConnection,
  toPlatformSealContext,
  updatePlatformConnection,
} from "../../db/platforms/platform-connections.ts";
import { workspacePath } from "../../core/shared/fields.ts";
import { computeRefreshTime, serialiseTokens } from "../../core/platforms/platforms.ts";
import { consoleEndpoint } from "../endpoint.ts";
import { PlatformField } from "./platform-account.ts";
import { PlatformIntegration, shapeConnection } from "./platform-integration.ts";

export const storePlatformConnection = consoleEndpoint({
  name: "storePlatformConnection",
  method: "PUT",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/platform-integrations",
  group: "Platform Integrations",
  summary: "Connect a platform",
  logged: "Connected a platform",
  description: "Completes the OAuth authorization with the parameters of the platform's redirect.",
  access: { workspace: "editor" },
  notATool: "account administration",
  input: z.strictObject({
    ...workspacePath,
    platform: PlatformField,
    tokens: z.object({
      accessToken: z.string(),
      refreshToken: z.string().nullable(),
      expiresAt: z.string().nullable(),
      scopes: z.array(z.string()),
    }),
    accounts: z
      .array(z.object({ id: z.string(), name: z.string() }))
      .nullable()
      .describe("Null if the accounts could not be listed yet."),
  }),
  output: PlatformIntegration,
  async handle({ platform, tokens, accounts }, { tenant, now, newId, sealer, userId }) {
    const existing = await findConnectionToPlatform(tenant, platform);
    const id = existing?.id ?? newId();
    const granted = {
      status: "active" as const,
      problem: null,
      scopes: tokens.scopes,
      sealedTokens: sealer.seal(serialiseTokens(tokens), toPlatformSealContext(id)),
      expiresAt: tokens.expiresAt,
      refreshAt: computeRefreshTime(tokens, now),
      // A refresh of the previous tokens in flight must not overwrite these.
      refreshOwner: null,
      refreshLeaseEnd: null,
      refreshPending: false,
      refreshedAt: now,
      accountsListedAt: accounts && now,
      connectedBy: userId,
      updatedAt: now,
    };
    const connection = existing
      ? await updatePlatformConnection(tenant, id, granted)
      : await insertPlatformConnection(tenant, { id, platform, ...granted, createdAt: now });
    if (!connection) throw new Error("The connection was not stored.");
    if (accounts) await storePlatformAccounts(tenant, connection, accounts, { newId, at: now });
    await withdrawBackgroundJob(tenant, "keep_platform", id);
    await enqueueBackgroundJob(tenant, { id: newId(), kind: "keep_platform", subjectId: id, at: now });
    return shapeConnection(connection);
  },
});
