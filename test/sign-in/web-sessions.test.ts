import { afterEach, expect, test } from "vitest";
import { deleteIdleWebSessions, touchWebSessions } from "../../db/identity/web-sessions.ts";
import { addMs } from "../../core/shared/time.ts";
import { signedInBrowser, sceneWithPassword } from "../support/assistant.ts";
import { openCommitted } from "../support/committed.ts";
import { world } from "../support/world.ts";

const START = "2026-11-21T08:00:00.000Z";
let now = START;
afterEach(() => {
  now = START;
});
const minute = (at: number) => addMs(START, at * 60_000);

/**
 * A signed-in owner where half an hour without use ends a session, and whether they still are at a
 * given minute.
 */
async function scene(env: Record<string, string> = { SESSION_IDLE_MINUTES: "30" }) {
  const w = await world({ now: () => now, env });
  await sceneWithPassword(w);
  const browser = await signedInBrowser(w, "owner@acme.test");
  const sessions = () => openCommitted(w.store).q.select().from(openCommitted(w.store).t.webSessions);
  return {
    w,
    sessions,
    async isSignedInAt(minutes: number) {
      now = minute(minutes);
      return (await browser.get(`${w.config.baseUrl}/account`)).url.pathname === "/account";
    },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

test("signs an idle browser out at its next request, used before or not", async () => {
  // Attack: a browser that a person left signed in on a device that others use.
  await using used = await scene();
  expect([await used.isSignedInAt(29), await used.isSignedInAt(58), await used.isSignedInAt(90)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(await used.sessions()).toEqual([]);
  expect(await used.isSignedInAt(91)).toBe(false);
  now = START;
  await using unused = await scene();
  expect(await unused.isSignedInAt(31.1)).toBe(false);
});

test("keeps an active session although its uses are stored late or never", async () => {
  await using s = await scene();
  const stored = async () => (await s.sessions())[0]?.lastUsedAt;
  // None of these uses is stored: first within the same minute, then because the store is late.
  for (const at of [10, 10.9, 35, 60, 85]) {
    expect([at, await s.isSignedInAt(at)]).toEqual([at, true]);
    await s.w.store.write(async ({ q, t }) => void (await q.update(t.webSessions).set({ lastUsedAt: null })));
    expect(await stored()).toBeNull();
  }
});

test("a use that another process recorded counts", async () => {
  await using s = await scene();
  const [session] = await s.sessions();
  await s.w.store.write((db) => touchWebSessions(db, [session?.id ?? ""], minute(25)));
  expect(await s.isSignedInAt(50)).toBe(true);
});

test("keeps a session for seven days without the setting", async () => {
  await using s = await scene({});
  expect([await s.isSignedInAt(7 * 24 * 60 - 1), await s.isSignedInAt(7 * 24 * 60)]).toEqual([true, false]);
});

test("deletes expired sessions, and keeps active ones", async () => {
  await using s = await scene();
  await s.w.store.write((db) => deleteIdleWebSessions(db, START, 100));
  expect(await s.sessions()).toHaveLength(1);
  const [session] = await s.sessions();
  await s.w.store.write((db) => touchWebSessions(db, [session?.id ?? ""], minute(10)));
  await s.w.store.write((db) => deleteIdleWebSessions(db, minute(5), 100));
  expect(await s.sessions()).toHaveLength(1);
  await s.w.store.write((db) => deleteIdleWebSessions(db, minute(11), 100));
  expect(await s.sessions()).toEqual([]);
});
