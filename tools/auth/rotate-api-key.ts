import { z } from "zod";
import { endRotatedApiKey, findApiKey, type ApiKeyRow } from "../../db/identity/api-keys.ts";
import { AppError, requireFound } from "../../core/shared/errors.ts";
import { Id } from "../../core/shared/fields.ts";
import { addMs, type Instant } from "../../core/shared/time.ts";
import { endpoint } from "../endpoint.ts";
import { ApiKey, isOwnKey, requireManagedKey, shapeApiKey } from "./api-key.ts";
import { issueApiKey, requireAdministered } from "./issue-api-key.ts";

const DAY_SECONDS = 86_400;

export const rotateApiKey = endpoint({
  name: "rotateApiKey",
  method: "POST",
  path: "/v1/api-keys/:api_key_id/rotate",
  status: 201,
  group: "Auth",
  summary: "Replace an API key by a new one",
  logged: "Replaced key {api_key_id}",
  description:
    "Creates a new key with the same reach. The old key works during a grace period, so programs are not interrupted. A key can rotate itself.",
  access: "signed-in",
  recentSignIn: ({ api_key_id }, caller) => !isOwnKey(caller, api_key_id),
  notATool: "account administration",
  input: z.strictObject({
    api_key_id: Id,
    grace_seconds: z
      .int()
      .min(0)
      .max(7 * DAY_SECONDS)
      .default(DAY_SECONDS)
      .describe("Grace period of the old key in seconds; default one day, 0 revokes it at once."),
  }),
  output: ApiKey.extend({
    api_key: z.string().nullable().describe("Secret, returned once; null if an Idempotency-Key repeats the request."),
    replaces: ApiKey.describe("Old key with its new expiry."),
  }),
  errors: ["FORBIDDEN", "NOT_FOUND", "CONFLICT", "QUOTA_EXCEEDED"],
  withoutSecrets: (answer) => ({ ...answer, api_key: null }),
  async handle({ api_key_id, grace_seconds }, context) {
    const { db, now } = context;
    const { key: old } = await requireManagedKey(context.caller, api_key_id, db);
    context.recordAuditTenant(old);
    rejectEnded(old, now);
    const { name, kind, organizationId, workspaceId, role } = old;
    const byItself = isOwnKey(context.caller, old.id);
    const key = {
      id: context.newId(),
      name,
      kind,
      organizationId,
      workspaceId,
      role,
      // Self-rotation gains no lifetime and stays revocable with the parent key.
      expiresAt: byItself ? old.expiresAt : computeRenewedExpiry(old, now),
      madeWithKeyId: byItself ? old.madeWithKeyId : null,
    };
    // Ends the old key first, to free its place under the limit.
    await endRotatedApiKey(db, { id: old.id, rotatedToId: key.id }, addMs(now, grace_seconds * 1000));
    if (!byItself) await requireAdministered(key, context);
    const made = await issueApiKey(key, context);
    const replaced = requireFound(await findApiKey(db, old.id), "API key");
    return { ...shapeApiKey(made, now), api_key: made.secret, replaces: shapeApiKey(replaced, now) };
  },
});

function rejectEnded(key: ApiKeyRow, now: Instant): void {
  if (key.rotatedToId !== null) {
    throw new AppError("CONFLICT", "This key was already rotated. Rotate its replacement.");
  }
  if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) {
    throw new AppError("CONFLICT", "This key has expired or was revoked. Create a new one.");
  }
}

function computeRenewedExpiry({ createdAt, expiresAt }: ApiKeyRow, now: Instant): Instant | null {
  return expiresAt === null ? null : addMs(now, Date.parse(expiresAt) - Date.parse(createdAt));
}
