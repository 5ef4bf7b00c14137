import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseExtent } from "../support/proof.ts";
import { accountScene, type Credential, type AccountScene, type Side } from "./account-scene.ts";

// One account across two organizations: neither may know credentials that open what the other
// granted.

const RUNS = Number(process.env["LIVES"] ?? chooseExtent(600, 12));
const SEED = Number(process.env["LIVES_SEED"] ?? 20_261_122);
const MOST_STEPS = 14;

let life: AccountScene;
beforeAll(async () => {
  life = await accountScene();
});
afterAll(() => life[Symbol.asyncDispose]());

const other = { a: "b", b: "a" } as const;
const side = fc.constantFrom<Side>("a", "b");
/** Two people of one domain and one of another; each sequence has its own domains. */
const who = fc.constantFrom("ceo@one", "ceo@one", "ceo@one", "ann@one", "bob@two");
const domain = fc.constantFrom("one", "one", "two");
const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ act: fc.constant("invite" as const), side, who }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("join" as const), side, who }) },
  // Steps whose combination is more frequent than by chance.
  { weight: 6, arbitrary: fc.record({ act: fc.constant("invited" as const), side, who }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("settle" as const), side, who }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constant("found" as const), side, who }) },
  { weight: 5, arbitrary: fc.record({ act: fc.constant("signIn" as const), side, who }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("provision" as const), side, who }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant("verify" as const), side, domain }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("lose" as const), side, domain }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("rename" as const), side, who, to: who }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("activate" as const), side, who, yes: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("unprovision" as const), side, who }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("suspend" as const), side, who, yes: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("remove" as const), side, who }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("require" as const), side, yes: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("reset" as const), side, who }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function take(taken: Step, number: number): Promise<void> {
  const named = (name: string) => `${name}-${number}.test`;
  switch (taken.act) {
    case "verify":
    case "lose":
      return void (await life[taken.act](taken.side, named(taken.domain)));
    case "invited":
      await life.invite(taken.side, named(taken.who));
      return life.join(named(taken.who));
    case "found":
      await life.verify(taken.side, named(taken.who.slice(taken.who.indexOf("@") + 1)));
      return life.signIn(taken.side, named(taken.who));
    case "require":
      return life.require(taken.side, taken.yes);
    case "rename":
      return life.rename(taken.side, named(taken.who), named(taken.to));
    case "activate":
    case "suspend":
      return life[taken.act](taken.side, named(taken.who), taken.yes);
    case "join":
    case "reset":
      return life[taken.act](named(taken.who));
    default:
      return void (await life[taken.act](taken.side, named(taken.who)));
  }
}

/** Credentials that one side could know and that open what the other side granted. */
async function leaks(): Promise<string[]> {
  const found: string[] = [];
  for (const credential of life.credentials()) {
    if (credential.knownTo === null) continue;
    const target = other[credential.knownTo];
    if (life.isLetIn(target, credential)) continue;
    if (await life.reaches(credential, target)) found.push(`a ${credential.kind} known to ${credential.knownTo}`);
  }
  return found;
}

/** Credentials that each side's own provider opened in its organization. */
async function openAtHome(): Promise<Credential[]> {
  const open: Credential[] = [];
  for (const credential of life.credentials()) {
    if (credential.knownTo !== null && (await life.reaches(credential, credential.knownTo))) open.push(credential);
  }
  return open;
}

let sequences = 0;
test(`keeps ${RUNS} random account histories separate: no side reaches what the other granted or locks its people out`, async () => {
  const seen = { steps: 0, credentials: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: MOST_STEPS }), async (steps) => {
      const number = ++sequences;
      await life.begin();
      for (const [at, taken] of steps.entries()) {
        const before = await openAtHome();
        await take(taken, number);
        const told = JSON.stringify(steps.slice(0, at + 1));
        expect([told, await leaks()]).toEqual([told, []]);
        if (!LETS_OTHERS_BE.has(taken.act)) continue;
        const after = await openAtHome();
        const lost = before.filter((one) => one.knownTo !== taken.side && !after.includes(one));
        expect([told, lost]).toEqual([told, []]);
      }
      seen.steps += steps.length;
      seen.credentials += life.credentials().length;
    }),
    { seed: SEED, numRuns: RUNS, endOnFailure: false },
  );
  console.info(
    `lives: ${RUNS} sequences, ${seen.steps} steps, ${seen.credentials} credentials; LIVES_SEED=${SEED} repeats them`,
  );
  expect(seen.credentials).toBeGreaterThan(RUNS);
}, 600_000);

/**
 * Steps of one side that must not end the access of the other side's people; proof of a domain and
 * the operator's steps may.
 */
const LETS_OTHERS_BE: ReadonlySet<Step["act"]> = new Set([
  "invite",
  "rename",
  "activate",
  "unprovision",
  "suspend",
  "remove",
  "require",
]);
