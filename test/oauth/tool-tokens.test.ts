import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { AppError } from "../../core/shared/errors.ts";
import { findCallerOf, mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";
import { openCommitted } from "../support/committed.ts";

test("a tool token proves its person, client and scopes, at both addresses of the tool server", async () => {
  await using w = await world();
  const { owner } = await w.acme();
  for (const audience of [w.config.mcpUrl, `${w.config.mcpUrl}/connect`]) {
    const { token, clientId } = await mintToolToken(w, owner, { audience, scopes: ["read", "analyses:create"] });
    expect(await findCallerOf(w.deps.toolTokens, w.store, token, w.deps.now())).toEqual({
      userId: owner.id,
      door: "mcp",
      clientId,
      scopes: new Set(["read", "analyses:create"]),
      reach: null,
      proof: { id: expect.any(String), way: "local", organizationId: null, endedAt: null },
      signedInAt: null,
    });
  }
});

test("a stolen token ends with its grant, its account, or its time, at the very next call", async () => {
  // Attack: keeping a signed token in use after the person revoked it.
  let now = "2026-11-21T08:00:00.000Z";
  await using w = await world({ now: () => now });
  const { owner } = await w.acme();
  const outcome = (token: string) =>
    findCallerOf(w.deps.toolTokens, w.store, token, w.deps.now()).then(
      () => "accepted",
      (error: AppError) => error.code,
    );
  const revoked = await mintToolToken(w, owner);
  const expiring = await mintToolToken(w, owner, { expiresInSeconds: 60 });
  const disabled = await mintToolToken(w, owner);
  expect(await Promise.all([revoked, expiring, disabled].map(({ token }) => outcome(token)))).toEqual([
    "accepted",
    "accepted",
    "accepted",
  ]);
  await w.store.write(async ({ q, t }) => {
    await q
      .delete(t.oauthRecords)
      .where(and(eq(t.oauthRecords.model, "Grant"), eq(t.oauthRecords.id, revoked.grantId)));
  });
  expect(await outcome(revoked.token)).toBe("UNAUTHENTICATED");
  now = "2026-11-21T08:01:14.000Z";
  expect(await outcome(expiring.token)).toBe("accepted");
  now = "2026-11-21T08:01:15.000Z";
  expect(await outcome(expiring.token)).toBe("UNAUTHENTICATED");
  await w.store.write(async ({ q, t }) => {
    await q.update(t.users).set({ disabledAt: now }).where(eq(t.users.id, owner.id));
  });
  expect(await outcome(disabled.token)).toBe("UNAUTHENTICATED");
});

test("records the use of a grant, with one write per minute", async () => {
  await using w = await world();
  const { owner } = await w.acme();
  const { token, grantId } = await mintToolToken(w, owner);
  const lastUse = async () => {
    const { q, t } = openCommitted(w.store);
    const [row] = await q
      .select({ lastUsedAt: t.oauthRecords.lastUsedAt })
      .from(t.oauthRecords)
      .where(eq(t.oauthRecords.id, grantId));
    return row?.lastUsedAt;
  };
  expect(await lastUse()).toBeNull();
  const at = w.deps.now();
  for (let call = 0; call < 1000; call++) await findCallerOf(w.deps.toolTokens, w.store, token, at);
  await expect.poll(lastUse, { timeout: 5000 }).toBe(at);
  await findCallerOf(w.deps.toolTokens, w.store, token, w.deps.now());
  expect(await lastUse()).toBe(at);
});
