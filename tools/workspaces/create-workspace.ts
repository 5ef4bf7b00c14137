import { z } from "zod";
import { requireQuota } from "../../db/credits/quotas.ts";
import { insertWorkspace } from "../../db/catalog/workspaces.ts";
import { nameSchema, organizationPath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { shapeWorkspace, Workspace } from "./workspace.ts";

export const createWorkspace = endpoint({
  name: "createWorkspace",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces",
  status: 201,
  group: "Workspaces",
  summary: "Create a workspace",
  logged: "Created workspace {name}",
  description: "Creates a workspace for the brands, personas and analyses of one market or client.",
  access: { organization: "editor" },
  input: z.strictObject({ ...organizationPath, name: nameSchema(200) }),
  output: Workspace,
  errors: ["QUOTA_EXCEEDED"],
  async handle({ name: given }, { tenant, now, newId }) {
    await requireQuota(tenant, "workspaces");
    const workspace = { id: newId(), name: given, createdAt: now, updatedAt: now };
    return shapeWorkspace(await insertWorkspace(tenant, workspace));
  },
});
