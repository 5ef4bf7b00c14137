import { z } from "zod";
import { deletePartnerConnection } from "../../db/platforms/partner-connections.ts";
import { notFound } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { workspacePath } from "../../core/shared/fields.ts";

export const disconnectPartner = endpoint({
  name: "disconnectPartner",
  method: "DELETE",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/platform-integrations/partner",
  group: "Platform Integrations",
  summary: "Disconnect a workspace from the partner",
  logged: "Disconnected the partner",
  description: "Deletes the partner's token and recipients. Sent briefs stay at the partner.",
  access: { workspace: "editor" },
  notATool: "account administration",
  input: z.strictObject(workspacePath),
  output: z.object({ platform: z.literal("partner"), deleted: z.literal(true) }),
  async handle(_input, { tenant }) {
    if (!(await deletePartnerConnection(tenant))) throw notFound("connection");
    return { platform: "partner" as const, deleted: true as const };
  },
});
