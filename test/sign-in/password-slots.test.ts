import { expect, test } from "vitest";
import { openPasswordSlots, type PasswordSubmission } from "../../auth/people/password-slots.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** One hash at a time; hashes complete on command. */
function openScene(maxWaiting = 100) {
  const slots = openPasswordSlots({ atOnce: 1, maxWaiting });
  const started: string[] = [];
  const refused: string[] = [];
  let endHash: (() => void) | undefined;
  function ask(name: string, tried: PasswordSubmission): void {
    const hash = () => {
      started.push(name);
      return new Promise<void>((resolve) => (endHash = resolve));
    };
    slots.run(tried, hash).catch((error: { code: string; retryAfterSeconds: number }) => {
      refused.push(`${name} ${error.code} ${error.retryAfterSeconds}`);
    });
  }
  async function endOne(): Promise<void> {
    endHash?.();
    await settle();
  }
  return { ask, endOne, started, refused };
}

test("rotates free slots over addresses, so that a flooding address delays another by one hash", async () => {
  // Attack: take every slot with sign-ins from one address, each for another account.
  const { ask, endOne, started, refused } = openScene();
  for (let at = 0; at < 9; at++) ask(`flood ${at}`, { address: "flood", email: `own-${at}@rival.test` });
  ask("ann", { address: "192.0.2.1", email: "ann@acme.test" });
  ask("bob", { address: "192.0.2.2", email: "bob@acme.test" });
  for (let at = 0; at < 4; at++) {
    await endOne();
    ask(`more ${at}`, { address: "flood", email: "own@rival.test" });
  }
  expect(started).toEqual(["flood 0", "flood 1", "ann", "bob", "flood 2"]);
  expect(refused).toEqual([
    ...[3, 4, 5, 6, 7, 8].map((at) => `flood ${at} RATE_LIMITED 2`),
    ...[1, 2].map((at) => `more ${at} RATE_LIMITED 2`),
  ]);
});

test("queues at most two per account from unknown browsers, and known browsers separately", async () => {
  // Attack: keeping an account's owner out with sign-ins to it from many addresses.
  const { ask, endOne, started, refused } = openScene();
  const email = "owner@acme.test";
  for (let at = 0; at < 5; at++)
    ask(`stranger ${at}`, { address: `198.51.100.${at}`, email: ` ${email.toUpperCase()}` });
  for (let at = 0; at < 3; at++) ask(`phone ${at}`, { address: "192.0.2.1", email, device: "phone" });
  ask("laptop", { address: "192.0.2.1", email, device: "laptop" });
  await settle();
  expect(refused).toEqual([...[3, 4].map((at) => `stranger ${at} RATE_LIMITED 2`), "phone 2 RATE_LIMITED 2"]);
  for (let at = 0; at < 5; at++) await endOne();
  expect(started).toEqual(["stranger 0", "phone 0", "stranger 1", "phone 1", "stranger 2", "laptop"]);
});

test("limits many addresses together to every second slot, and leaves the queue of known browsers free", async () => {
  // Attack: crowding out everybody with sign-ins from very many addresses.
  const { ask, endOne, started, refused } = openScene(4);
  for (let at = 0; at < 20; at++) ask(`bot ${at}`, { address: `2001:db8:${at}::/64`, email: `bot-${at}@rival.test` });
  for (let at = 0; at < 3; at++)
    ask(`known ${at}`, { address: "x", email: `person-${at}@acme.test`, device: `d${at}` });
  await settle();
  expect(refused).toEqual(Array.from({ length: 15 }, (_, at) => `bot ${at + 5} UNAVAILABLE 5`));
  for (let at = 0; at < 7; at++) await endOne();
  expect(started).toEqual(["bot 0", "known 0", "bot 1", "known 1", "bot 2", "known 2", "bot 3", "bot 4"]);
});

test("queues one account's known browsers in one lane of at most eight", async () => {
  // Attack: collect known-browser marks for one account, so that each counts as its own browser.
  const { ask, endOne, started, refused } = openScene();
  for (let at = 0; at < 12; at++) ask(`own ${at}`, { address: "x", email: "mallory@rival.test", device: `d${at}` });
  ask("ann", { address: "y", email: "ann@acme.test", device: "ann" });
  await settle();
  expect(refused).toEqual([9, 10, 11].map((at) => `own ${at} RATE_LIMITED 2`));
  for (let at = 0; at < 3; at++) await endOne();
  expect(started).toEqual(["own 0", "own 1", "ann", "own 2"]);
});

test("frees the slot of a failed hash, and holds no counts when idle", async () => {
  const slots = openPasswordSlots({ atOnce: 2, maxWaiting: 4 });
  for (let round = 0; round < 20; round++) {
    const tries = [0, 1, 2, 3].map((at) =>
      slots.run({ address: "x", email: "ann@acme.test" }, () =>
        at % 2 === 0 ? Promise.reject(new Error("out of memory")) : Promise.resolve(at),
      ),
    );
    expect((await Promise.allSettled(tries)).map(({ status }) => status)).toEqual([
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
  }
});
