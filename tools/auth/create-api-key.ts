import { z } from "zod";
import { apiKeyHint, newApiKey } from "../../auth/api-key.ts";
import { authorise } from "../../auth/authorise.ts";
import type { Caller } from "../../auth/caller.ts";
import { findApiKey, insertApiKey, type ApiKeyRow } from "../../db/api-keys.ts";
import { requireRoom } from "../../db/quotas.ts";
import type { Db } from "../../db/store.ts";
import { AppError, invalidInput } from "../../src/core/errors.ts";
import { Id, InstantField, name } from "../../src/core/fields.ts";
import { API_KEY_KINDS } from "../../src/core/roles.ts";
import type { Instant } from "../../src/core/time.ts";
import { endpoint } from "../endpoint.ts";
import { ApiKey, refuseNarrowKey, shapeApiKey } from "./api-key.ts";

const input = z.strictObject({
  name: name().describe("What it is for."),
  kind: z.enum(API_KEY_KINDS).default("user"),
  organization_id: Id.optional().describe("For a key of kind organization or workspace."),
  workspace_id: Id.optional().describe("For a key of kind workspace."),
  role: z
    .enum(["owner", "editor", "viewer"])
    .optional()
    .describe("The most that an organization or workspace key may do; viewer unless given. A workspace has no owner."),
  expires_at: InstantField.optional().describe("When it ends by itself; without it, when it is revoked."),
});

export const createApiKey = endpoint({
  name: "createApiKey",
  method: "POST",
  path: "/v1/api-keys",
  status: 201,
  group: "Auth",
  summary: "Create an API key",
  description:
    "Use this to give a program access. The key is in the answer this once; it never does more than its creator may.",
  access: "signed-in",
  notATool: "account administration",
  input,
  output: ApiKey.extend({
    api_key: z.string().nullable().describe("The secret, shown once; null when an Idempotency-Key repeats the answer."),
  }),
  errors: ["FORBIDDEN", "NOT_FOUND", "CONFLICT", "QUOTA_EXCEEDED"],
  withoutSecrets: (answer) => ({ ...answer, api_key: null }),
  async handle(wanted, { db, caller, userId, now, newId, restTokens }) {
    refuseNarrowKey(caller);
    if (!caller) throw new AppError("UNAUTHENTICATED", "Sign in first.");
    refuseMismatch(wanted, now);
    const maker = await findMaker(db, caller);
    const reach = await reachOf(wanted, caller, db);
    if (reach.organizationId !== null) await requireRoom({ db, organizationId: reach.organizationId }, "api_keys");
    const apiKey = newApiKey(wanted.kind);
    const row: ApiKeyRow = {
      id: newId(),
      name: wanted.name,
      userId,
      ...reach,
      signedInThrough: caller.signedInThrough,
      madeWithKeyId: maker?.id ?? null,
      keyHash: restTokens.hashApiKey(apiKey),
      hint: apiKeyHint(apiKey),
      createdAt: now,
      expiresAt: earlier(
        wanted.expires_at ? new Date(wanted.expires_at).toISOString() : null,
        maker?.expiresAt ?? null,
      ),
      lastUsedAt: null,
      revokedAt: null,
    };
    await insertApiKey(db, row);
    return { ...shapeApiKey(row), api_key: apiKey };
  },
});

type Wanted = z.output<typeof input>;

/** The key that asks for another one. Its keys end with it; one that was made so makes no more of them. */
async function findMaker(db: Db, caller: Caller): Promise<ApiKeyRow | undefined> {
  if (!caller.reach || caller.clientId === null) return undefined;
  const maker = await findApiKey(db, caller.userId, caller.clientId);
  if (!maker || maker.madeWithKeyId !== null) {
    throw new AppError("FORBIDDEN", "A key that was made with a key makes no further ones. Use the console.");
  }
  return maker;
}

function refuseMismatch(wanted: Wanted, now: Instant): void {
  const fields: { path: string; message: string }[] = [];
  const expect = (path: "organization_id" | "workspace_id", needed: boolean) => {
    if ((wanted[path] === undefined) === needed) {
      fields.push({
        path,
        message: needed ? `is needed for kind ${wanted.kind}` : `does not go with kind ${wanted.kind}`,
      });
    }
  };
  expect("organization_id", wanted.kind !== "user");
  expect("workspace_id", wanted.kind === "workspace");
  if (
    wanted.role !== undefined &&
    (wanted.kind === "user" || (wanted.kind === "workspace" && wanted.role === "owner"))
  ) {
    fields.push({ path: "role", message: `does not go with kind ${wanted.kind}` });
  }
  if (wanted.expires_at !== undefined && Date.parse(wanted.expires_at) <= Date.parse(now)) {
    fields.push({ path: "expires_at", message: "must be in the future" });
  }
  if (fields.length > 0) throw invalidInput(fields);
}

/** What the key reaches. Its creator must administer that: an owner of the organization, or an editor of the workspace. */
async function reachOf(wanted: Wanted, caller: Caller, db: Db) {
  const { kind } = wanted;
  const organizationId = wanted.organization_id ?? null;
  const workspaceId = wanted.workspace_id ?? null;
  const target = { organizationId, workspaceId, projectId: null };
  if (kind === "user") return { kind, organizationId, workspaceId, role: null };
  const access = kind === "workspace" ? ({ workspace: "editor" } as const) : ({ organization: "owner" } as const);
  await authorise({ access, scope: "read", changes: true }, target, caller, db);
  return { kind, organizationId, workspaceId, role: wanted.role ?? ("viewer" as const) };
}

/** The earlier end; null is none. */
function earlier(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
