import { z } from "zod";
import {
  findPartnerConnection,
  savePartnerConnection,
  partnerTokenLocation,
} from "../../db/platforms/partner-connections.ts";
import { AppError, invalidInput } from "../../core/shared/errors.ts";
import { workspacePath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { connectionFields, PlatformIntegration, shapePartner } from "./platform-integration.ts";

export const connectPartner = endpoint({
  name: "connectPartner",
  method: "PUT",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/platform-integrations/partner",
  group: "Platform Integrations",
  summary: "Connect a workspace to the partner",
  logged: "Connected the partner",
  description:
    "Connects a workspace to the partner that receives briefs, or changes the recipients. The token is stored encrypted.",
  access: { workspace: "editor" },
  notATool: "account administration",
  input: z.strictObject({
    ...workspacePath,
    api_token: z
      .string()
      .regex(/^[\x21-\x7E]{8,1024}$/, "must be 8 to 1024 visible ASCII characters")
      .optional()
      .describe("Partner token of this workspace; omit to keep the stored one."),
    ...connectionFields,
  }),
  output: PlatformIntegration,
  errors: ["PARTNER_NOT_CONNECTED"],
  async handle(input, { tenant, now, sealer, hasPartner }) {
    if (!hasPartner) {
      throw new AppError(
        "PARTNER_NOT_CONNECTED",
        "No partner is configured for this service. The operator must set PARTNER_BASE_URL.",
      );
    }
    const existing = await findPartnerConnection(tenant);
    const { api_token: token } = input;
    const secret =
      token === undefined
        ? existing
        : { sealedToken: sealer.seal(token, partnerTokenLocation(tenant.workspaceId)), tokenHint: token.slice(-4) };
    if (!secret) throw invalidInput([{ path: "api_token", message: "is required for the first connection" }]);
    const stored = await savePartnerConnection(tenant, {
      partnerWorkspaceId: input.partner_workspace_id,
      sealedToken: secret.sealedToken,
      tokenHint: secret.tokenHint,
      recipients: input.recipients,
      maxBriefLength: input.max_brief_length,
      createdAt: existing?.createdAt ?? now,
      updatedAt: now,
    });
    return shapePartner(stored);
  },
});
