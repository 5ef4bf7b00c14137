import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "../../auth/people/password.ts";
import { PASSWORD } from "../support/assistant.ts";
import { chooseExtent, report } from "../support/proof.ts";
import { world } from "../support/world.ts";
import { type World, ATTEMPT_KEY, trySignIn } from "./sign-in-limits-cases.ts";

function median(of: number[]): number {
  return of.toSorted((a, b) => a - b)[of.length >> 1] ?? 0;
}

test("a wrong password and an unknown account take the same time", async () => {
  // Attack: find out whether an account exists by the response time.
  const known = await hashPassword(PASSWORD, ATTEMPT_KEY);
  const took: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
  for (let round = 0; round < 9; round++) {
    for (const [who, hash] of [
      ["known", known],
      ["unknown", null],
    ] as const) {
      const startedAt = performance.now();
      expect(await verifyPassword(hash, "wrong password 1", ATTEMPT_KEY)).toBe(false);
      took[who].push(performance.now() - startedAt);
    }
  }
  const ratio = median(took.known) / median(took.unknown);
  process.stdout.write(`a wrong password takes ${ratio.toFixed(2)} times what an unknown account does\n`);
  // Without the same hashing work the ratio would be about a hundred.
  expect(Math.abs(Math.log2(ratio))).toBeLessThan(1);
});

/** People of one organization whose passwords are hashed at production cost. */
async function peopleWithPasswords(w: World, count: number): Promise<string[]> {
  await w.acme();
  const passwordHash = await hashPassword(PASSWORD, ATTEMPT_KEY);
  const emails = Array.from({ length: count }, (_, at) => `person-${at}@acme.test`);
  for (const email of emails) {
    const { id } = await w.signIn(email);
    await w.store.write(({ q, t }) => q.update(t.users).set({ passwordHash }).where(eq(t.users.id, id)));
  }
  return emails;
}

test("rate-limits a guest who signs in eighteen times a second, and keeps sign-in open for others", async () => {
  // Attack: occupy every slot of password hashing with correct passwords, which were not counted
  // before.
  const { seconds, others } = chooseExtent({ seconds: 15, others: 18 }, { seconds: 2, others: 6 });
  await using w = await world({ env: { TRUST_PROXY: "1", SIGN_INS_ACCOUNT: "20" } });
  const [guest = "", ...people] = await peopleWithPasswords(w, others + 1);
  const flood: ReturnType<typeof trySignIn>[] = [];
  const timer = setInterval(() => flood.push(trySignIn(w, guest, PASSWORD, { address: "198.51.100.9" })), 1000 / 18);
  const signedIn = [];
  for (const [at, email] of people.entries()) {
    await sleep((seconds * 1000) / others);
    signedIn.push(trySignIn(w, email, PASSWORD, { address: `192.0.2.${at}` }));
  }
  clearInterval(timer);
  expect((await Promise.all(signedIn)).map(({ status }) => status)).toEqual(people.map(() => 303));
  const guests = (await Promise.all(flood)).map(({ status, headers }) =>
    [status, headers.has("retry-after")].join(" "),
  );
  expect([...new Set(guests)].toSorted()).toEqual(["303 false", "429 true"]);
  // The sign-in limit plus the sign-ins in flight when it was reached.
  const taken = guests.filter((one) => one === "303 false").length;
  expect(taken).toBeLessThanOrEqual(20 + 2 + availableParallelism());
  report(
    `${people.length} of ${others} others signed in while a guest tried ${guests.length} times, ${taken} of them taken`,
  );
}, 60_000);
