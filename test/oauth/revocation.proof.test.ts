import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { revokeAllAccess } from "../../db/identity/revoke-access.ts";
import { signedInBrowser } from "../support/assistant.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { scene, post, callTool, subscribe, openConfirmation, createQuote } from "./revocation-cases.ts";

/** A stream is looked at every two seconds; this much more is for a busy machine. */
const SOON_MS = 8000;

/** Ways of ending all access, with the expected response of a call. */
const ENDS: [string, (s: Awaited<ReturnType<typeof scene>>) => Promise<void>][] = [
  [
    "an account is disabled",
    ({ w, editor }) =>
      w.store.write(async ({ q, t }) => {
        await q.update(t.users).set({ disabledAt: w.deps.now() }).where(eq(t.users.id, editor.id));
      }),
  ],
  [
    "everything of an account is ended",
    ({ w, editor }) => w.store.write((db) => revokeAllAccess(db, editor.id, w.deps.now())),
  ],
];

test.each(ENDS)(
  "once %s, the next call is denied in REST, tools and browser, and open streams end",
  async (_what, end) => {
    const s = await scene();
    await using w = s.w;
    const browser = await signedInBrowser(w, s.editor.email);
    const path = `${s.workspace.path}/brands`;
    expect((await s.editor.get(path)).status).toBe(200);
    expect(await callTool(w, s.assistant.token, "get_me", {})).toBe(200);
    const listening = await subscribe(w, s.assistant.token);
    const waiting = await openConfirmation(w, s.assistant.token, await createQuote(s.editor, s));
    const others = await subscribe(w, (await mintToolToken(w, s.owner)).token);
    await end(s);
    expect((await s.editor.get(path)).status).toBe(401);
    expect((await w.request("POST", "/v1/auth/token", { body: { api_key: s.editor.apiKey } })).status).toBe(401);
    expect(await callTool(w, s.assistant.token, "get_me", {})).toBe(401);
    expect((await browser.get(`${w.config.baseUrl}/`)).url.pathname).toBe("/sign-in");
    expect((await post(w, s.assistant.token, waiting.yes, waiting.session)).status).toBe(401);
    await expect.poll(() => [listening.hasEnded(), waiting.hasEnded()], { timeout: SOON_MS }).toEqual([true, true]);
    expect(others.hasEnded()).toBe(false);
    expect((await s.owner.get(`${s.workspace.path}/analyses`)).body.data).toEqual([]);
  },
);

test("revoking a grant ends its own calls and streams, and not those of the person's other assistant", async () => {
  const s = await scene();
  await using w = s.w;
  const other = await mintToolToken(w, s.editor, { clientId: "other-assistant" });
  const [ending, staying] = [await subscribe(w, s.assistant.token), await subscribe(w, other.token)];
  const waiting = await openConfirmation(w, s.assistant.token, await createQuote(s.editor, s));
  await w.store.write(
    async ({ q, t }) => void (await q.delete(t.oauthRecords).where(eq(t.oauthRecords.id, s.assistant.grantId))),
  );
  expect(await callTool(w, s.assistant.token, "get_me", {})).toBe(401);
  expect(await callTool(w, other.token, "get_me", {})).toBe(200);
  expect((await post(w, s.assistant.token, waiting.yes, waiting.session)).status).toBe(401);
  await expect.poll(() => [ending.hasEnded(), waiting.hasEnded()], { timeout: SOON_MS }).toEqual([true, true]);
  expect(staying.hasEnded()).toBe(false);
  expect((await s.owner.get(`${s.workspace.path}/analyses`)).body.data).toEqual([]);
  expect((await s.editor.get(`${s.workspace.path}/brands`)).status).toBe(200);
});
