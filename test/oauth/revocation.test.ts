import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { mintToolToken } from "../support/tool-token.ts";
import {
  REVISION,
  scene,
  requestMeta,
  post,
  callTool,
  subscribe,
  openConfirmation,
  createQuote,
} from "./revocation-cases.ts";

test("a lowered role applies to the next call, and to an open question", async () => {
  const s = await scene();
  await using w = s.w;
  const waiting = await openConfirmation(w, s.assistant.token, await createQuote(s.editor, s));
  const persona = {
    organization_id: s.organization.id,
    workspace_id: s.workspace.id,
    name: "P",
    language: "en",
    country: "US",
  };
  expect(await callTool(w, s.assistant.token, "create_persona", persona)).toBe(200);
  await w.store.write(async ({ q, t }) => {
    await q.update(t.organizationMembers).set({ role: "viewer" }).where(eq(t.organizationMembers.userId, s.editor.id));
  });
  expect((await s.editor.post(`${s.workspace.path}/brands`, { name: "Late" })).status).toBe(403);
  expect(await callTool(w, s.assistant.token, "create_persona", { ...persona, name: "Q" })).toBe("FORBIDDEN");
  expect((await post(w, s.assistant.token, waiting.yes, waiting.session)).status).toBe(202);
  expect(await waiting.whole).toContain("FORBIDDEN");
  expect((await s.owner.get(`${s.workspace.path}/analyses`)).body.data).toEqual([]);
});

test("a suspended member gets 404 at the next call", async () => {
  const s = await scene();
  await using w = s.w;
  await w.store.write(async ({ q, t }) => {
    await q
      .update(t.organizationMembers)
      .set({ suspendedAt: w.deps.now() })
      .where(eq(t.organizationMembers.userId, s.editor.id));
  });
  const ids = { organization_id: s.organization.id, workspace_id: s.workspace.id };
  expect((await s.editor.get(`${s.workspace.path}/brands`)).status).toBe(404);
  expect(await callTool(w, s.assistant.token, "list_brands", ids)).toBe("NOT_FOUND");
});

test("a revoked key ends the access tokens that it was exchanged for, at the next call", async () => {
  const s = await scene();
  await using w = s.w;
  const again = await w.signIn(s.editor.email);
  const { data: keys } = (await s.editor.get("/v1/api-keys")).body;
  const [newest] = keys.toSorted((a: { created_at: string }, b: { created_at: string }) =>
    a.created_at < b.created_at ? 1 : -1,
  );
  expect((await s.editor.delete(`/v1/api-keys/${newest.id}`)).status).toBeLessThan(300);
  expect((await again.get("/v1/auth/me")).status).toBe(401);
  expect((await s.editor.get("/v1/auth/me")).status).toBe(200);
});

test("limits streams per account, leaving room for others", async () => {
  // Attack: opening all streams with several assistants of one account.
  const s = await scene();
  await using w = s.w;
  const other = await mintToolToken(w, s.editor, { clientId: "other-assistant" });
  for (let number = 0; number < 32; number++) await subscribe(w, (number % 2 === 0 ? s.assistant : other).token);
  const params = { notifications: { toolsListChanged: true }, _meta: requestMeta({}) };
  const headers = { "mcp-protocol-version": REVISION, "mcp-method": "subscriptions/listen" };
  const refused = await post(w, s.assistant.token, { id: 5, method: "subscriptions/listen", params }, headers);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  await subscribe(w, (await mintToolToken(w, s.owner)).token);
});
