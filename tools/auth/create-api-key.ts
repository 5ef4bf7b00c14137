import { z } from "zod";
import { invalidInput } from "../../core/shared/errors.ts";
import { Id, InstantField, nameSchema } from "../../core/shared/fields.ts";
import { API_KEY_KINDS } from "../../core/identity/roles.ts";
import type { Instant } from "../../core/shared/time.ts";
import { endpoint } from "../endpoint.ts";
import { ApiKey, shapeApiKey } from "./api-key.ts";
import { issueApiKey, requireAdministered } from "./issue-api-key.ts";

const apiKeyInputSchema = z.strictObject({
  name: nameSchema().describe("Purpose of the key."),
  kind: z.enum(API_KEY_KINDS).default("user"),
  organization_id: Id.optional().describe("For a key of kind organization or workspace."),
  workspace_id: Id.optional().describe("For a key of kind workspace."),
  role: z
    .enum(["owner", "editor", "viewer"])
    .optional()
    .describe("Maximum role of an organization or workspace key; default viewer. Workspaces have no owner role."),
  expires_at: InstantField.optional().describe("Expiry of the key; default: never."),
});

export const createApiKey = endpoint({
  name: "createApiKey",
  method: "POST",
  path: "/v1/api-keys",
  status: 201,
  group: "Auth",
  summary: "Create an API key",
  logged: "Created key {name}",
  description:
    "Creates a key for a program. The secret is only in this response. The key never has more rights than its creator.",
  access: "signed-in",
  recentSignIn: true,
  notATool: "account administration",
  input: apiKeyInputSchema,
  output: ApiKey.extend({
    api_key: z.string().nullable().describe("Secret, returned once; null if an Idempotency-Key repeats the request."),
  }),
  errors: ["FORBIDDEN", "NOT_FOUND", "CONFLICT", "QUOTA_EXCEEDED"],
  withoutSecrets: (answer) => ({ ...answer, api_key: null }),
  async handle(wanted, context) {
    rejectMismatch(wanted, context.now);
    const key = {
      id: context.newId(),
      name: wanted.name,
      kind: wanted.kind,
      organizationId: wanted.organization_id ?? null,
      workspaceId: wanted.workspace_id ?? null,
      role: wanted.kind === "user" ? null : (wanted.role ?? "viewer"),
      expiresAt: wanted.expires_at === undefined ? null : new Date(wanted.expires_at).toISOString(),
      madeWithKeyId: null,
    };
    await requireAdministered(key, context);
    const made = await issueApiKey(key, context);
    return { ...shapeApiKey(made, context.now), api_key: made.secret };
  },
});

type ApiKeyInput = z.output<typeof apiKeyInputSchema>;

function rejectMismatch(wanted: ApiKeyInput, now: Instant): void {
  const fields: { path: string; message: string }[] = [];
  const expect = (path: "organization_id" | "workspace_id", needed: boolean) => {
    if ((wanted[path] === undefined) === needed) {
      fields.push({
        path,
        message: needed ? `is required for kind ${wanted.kind}` : `cannot be set for kind ${wanted.kind}`,
      });
    }
  };
  expect("organization_id", wanted.kind !== "user");
  expect("workspace_id", wanted.kind === "workspace");
  if (
    wanted.role !== undefined &&
    (wanted.kind === "user" || (wanted.kind === "workspace" && wanted.role === "owner"))
  ) {
    fields.push({ path: "role", message: `cannot be set for kind ${wanted.kind}` });
  }
  if (wanted.expires_at !== undefined && Date.parse(wanted.expires_at) <= Date.parse(now)) {
    fields.push({ path: "expires_at", message: "must be in the future" });
  }
  if (fields.length > 0) throw invalidInput(fields);
}
