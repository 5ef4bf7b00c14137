import { z } from "zod";
import {
  countActiveScimTokens,
  insertScimToken,
  type ScimTokenRow,
} from "../../db/identity/provisioning/scim-tokens.ts";
import { AppError, invalidInput } from "../../core/shared/errors.ts";
import { InstantField, nameSchema, organizationPath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { ScimToken, shapeScimToken } from "./scim-token.ts";

const MAX_TOKENS = 100;

export const createScimToken = endpoint({
  name: "createScimToken",
  method: "POST",
  path: "/v1/organizations/:organization_id/scim-tokens",
  status: 201,
  group: "SSO",
  summary: "Create a SCIM token",
  logged: "Created SCIM token {name}",
  description:
    "Creates a token with which your identity provider manages people at /scim/v2. The token is only in this response.",
  access: { organization: "owner" },
  recentSignIn: true,
  notATool: "account administration",
  input: z.strictObject({
    ...organizationPath,
    name: nameSchema().describe("Identity provider of the token."),
    expires_at: InstantField.optional().describe("Expiry of the token; default: never."),
  }),
  output: ScimToken.extend({
    token: z.string().nullable().describe("Secret, returned once; null if an Idempotency-Key repeats the request."),
  }),
  errors: ["CONFLICT"],
  withoutSecrets: (answer) => ({ ...answer, token: null }),
  async handle(input, { tenant, userId, now, newId, scimTokens }) {
    const expiresAt = input.expires_at === undefined ? null : new Date(input.expires_at).toISOString();
    if (expiresAt !== null && expiresAt <= now) {
      throw invalidInput([{ path: "expires_at", message: "must be in the future" }]);
    }
    if ((await countActiveScimTokens(tenant, now)) >= MAX_TOKENS) {
      throw new AppError("CONFLICT", `An organization can have at most ${MAX_TOKENS} SCIM tokens. Revoke one first.`);
    }
    const token = scimTokens.create();
    const row: Omit<ScimTokenRow, "organizationId"> = {
      id: newId(),
      name: input.name,
      tokenHash: scimTokens.hash(token),
      hint: scimTokens.formatHint(token),
      createdBy: userId,
      createdAt: now,
      expiresAt,
      lastUsedAt: null,
      revokedAt: null,
    };
    await insertScimToken(tenant, row);
    return { ...shapeScimToken({ ...row, organizationId: tenant.organizationId }), token };
  },
});
