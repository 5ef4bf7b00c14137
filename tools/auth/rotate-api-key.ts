import { z } from "zod";
import { endRotatedApiKey, findApiKey, type ApiKeyRow } from "../../db/identity/api-keys.ts";
import { AppError, notFound } from "../../core/errors.ts";
import { Id } from "../../core/fields.ts";
import { later, type Instant } from "../../core/time.ts";
import { endpoint } from "../endpoint.ts";
import { ApiKey, keyManager, managedKey, shapeApiKey } from "./api-key.ts";
import { makeApiKey } from "./make-api-key.ts";

const DAY_SECONDS = 86_400;

export const rotateApiKey = endpoint({
  name: "rotateApiKey",
  method: "POST",
  path: "/v1/api-keys/:api_key_id/rotate",
  status: 201,
  group: "Auth",
  summary: "Replace an API key by a new one",
  description:
    "Replaces the secret of a key without a gap: makes a new key with the same reach, and the old one works on for a grace period.",
  access: "signed-in",
  notATool: "account administration",
  input: z.strictObject({
    api_key_id: Id,
    grace_seconds: z
      .int()
      .min(0)
      .max(7 * DAY_SECONDS)
      .default(DAY_SECONDS)
      .describe("How long the old key still works, in seconds; a day unless given, 0 ends it at once."),
  }),
  output: ApiKey.extend({
    api_key: z.string().nullable().describe("The secret, shown once; null when an Idempotency-Key repeats the answer."),
    replaces: ApiKey.describe("The old key, with its new end."),
  }),
  errors: ["FORBIDDEN", "NOT_FOUND", "CONFLICT", "QUOTA_EXCEEDED"],
  withoutSecrets: (answer) => ({ ...answer, api_key: null }),
  async handle({ api_key_id, grace_seconds }, context) {
    const { db, now } = context;
    const caller = keyManager(context.caller);
    const { key: old } = await managedKey(caller, api_key_id, db);
    refuseEnded(old, now);
    // Who found a key could otherwise take it over, and its person would be shut out.
    if (caller.clientId === old.id) {
      throw new AppError("FORBIDDEN", "A key cannot rotate itself. Use the console, or another key of yours.");
    }
    const { name, kind, organizationId, workspaceId, role } = old;
    const wanted = {
      id: context.newId(),
      name,
      kind,
      organizationId,
      workspaceId,
      role,
      expiresAt: sameLife(old, now),
    };
    // The old key goes first, because its room is the new one's.
    await endRotatedApiKey(db, { id: old.id, rotatedToId: wanted.id }, later(now, grace_seconds * 1000));
    const made = await makeApiKey(wanted, context);
    const replaced = await findApiKey(db, old.id);
    if (!replaced) throw notFound("API key");
    return { ...shapeApiKey(made, now), api_key: made.secret, replaces: shapeApiKey(replaced, now) };
  },
});

function refuseEnded(key: ApiKeyRow, now: Instant): void {
  if (key.rotatedToId !== null) {
    throw new AppError("CONFLICT", "This key was rotated before. Rotate the one that took its place.");
  }
  if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) {
    throw new AppError("CONFLICT", "This key has ended. Create a new one.");
  }
}

/** The new key lives as long as the old one was made to. */
function sameLife({ createdAt, expiresAt }: ApiKeyRow, now: Instant): Instant | null {
  return expiresAt === null ? null : later(now, Date.parse(expiresAt) - Date.parse(createdAt));
}
