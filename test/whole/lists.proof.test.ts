import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../../tools/index.ts";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import { addressOf, call, minimalInput, withQueryIds } from "./call.ts";
import { findAccessRule } from "../access/access-table.ts";
import { openReadConnection } from "../../db/engine/sqlite/connection.ts";
import { growingSteps, UNUSED_FILTERS, recordReads, BOUNDED_PARTS } from "./statements.ts";
import {
  hasNoSources,
  exampleOf,
  expectOk,
  listResourceIds,
  openScene,
  SCENE_TIMEOUT_MS,
  targetOf,
  type Scene,
} from "./scene.ts";
import type { ResourceIds } from "./seeds.ts";

// Lists and creations while others write too.

let scene: Scene;
let chains: Map<string, ResourceIds[]>;

beforeAll(async () => {
  scene = await openScene();
  chains = await listResourceIds(scene.owner, scene.home);
}, SCENE_TIMEOUT_MS);
afterAll(() => scene[Symbol.asyncDispose]());

// Fault: lists scanned their table, a filter sorted all rows, and statements were compiled on every
// call, which cost more than running them.
test(
  "runs every GET without scanning or sorting growing tables, and without recompiling statements",
  async () => {
    const { again, refused, statements } = await recordReads(scene, chains);
    expect(again).toEqual([]);
    expect(refused).toEqual(UNUSED_FILTERS.map(([filter]) => filter));
    const connection = openReadConnection(scene.w.store.file);
    const growing = statements.filter((sql) => growingSteps(connection, sql).length > 0);
    connection.close();
    expect(growing.filter((sql) => !BOUNDED_PARTS.some(([part]) => sql.includes(part)))).toEqual([]);
    expect(BOUNDED_PARTS.filter(([part]) => !growing.some((sql) => sql.includes(part)))).toEqual([]);
    expect(statements.length).toBeGreaterThan(400);
  },
  SCENE_TIMEOUT_MS,
);

const named = (endpoint: AnyEndpoint) => [endpoint.name, endpoint] as const;
const lists = endpoints.filter(({ method, input }) => method === "GET" && "cursor" in input.shape);

test.each(lists.map(named))("%s: pages have neither gap nor repeat while rows are added", async (_name, endpoint) => {
  const found = endpoint.path.includes("/:") ? (chains.get(endpoint.path) ?? []) : [{}];
  // The tenants test checks that the scene has an object for every path.
  if (!found[0]) return;
  const adder = adderOf(endpoint);
  if (adder) for (let row = 0; row < 4; row++) await add(adder);
  let [ids, before] = [found[0], await walk(endpoint, found[0], 100)];
  for (const other of adder ? [] : found.slice(1)) {
    if (before.length > 0 || hasNoSources(await scene.owner.get(addressOf(endpoint, other)))) continue;
    [ids, before] = [other, await walk(endpoint, other, 100)];
  }
  const limit = Math.min(100, Math.max(1, Math.ceil(before.length / 6)));
  const seen = await walk(endpoint, ids, limit, async () => adder && add(adder));
  expect(seen.filter((id, at) => seen.indexOf(id) !== at)).toEqual([]);
  expect(before.filter((id) => !seen.includes(id))).toEqual([]);
  expect(before.length).toBeGreaterThan(adder ? 3 : -1);
});

/** The endpoint that adds a row to a list. */
function adderOf(list: AnyEndpoint): AnyEndpoint | undefined {
  const decided = endpoints.find(({ name }) => name === findAccessRule(list.name)?.addedBy);
  return decided ?? endpoints.find(({ method, path }) => method === "POST" && path === list.path);
}

async function add(adder: AnyEndpoint): Promise<void> {
  const [ids = {}] = chains.get(adder.path) ?? [];
  const body = await exampleOf(adder, { person: scene.owner, home: scene.home, ids });
  expectOk(await call(scene.owner, adder, ids, body), adder.name);
}

/** Reads a list to its end, with `between` done after every page. */
async function walk(
  endpoint: AnyEndpoint,
  ids: ResourceIds,
  limit: number,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null | undefined;
  // Rows that are added at the end are walked too, so a list may be some pages longer than it was.
  for (let page = 0; page < 200 && cursor !== null; page++) {
    const input = { ...minimalInput(endpoint, withQueryIds(ids, scene.home, chains)), limit };
    const answer = await scene.owner.get(addressOf(endpoint, cursor === undefined ? input : { ...input, cursor }));
    const body = expectOk(answer, endpoint.name);
    seen.push(...body.data.map((row: { id?: string }) => row.id ?? JSON.stringify(row)));
    cursor = body.next_cursor;
    if (page < 12) await between();
  }
  return seen;
}

const AT_ONCE = 50;
const ANOTHER_QUOTE = "01890000-0000-7000-8000-000000000000";
/** Needs the partner's process, so its own tests cover it. */
const NEEDS_THE_PARTNER: ReadonlySet<string> = new Set(["sendRecommendedActionBriefToPartner"]);
const creations = endpoints.filter(
  ({ name, method, access }) => method === "POST" && access !== "public" && !NEEDS_THE_PARTNER.has(name),
);

test.each(creations.map(named))(
  "%s creates one object for 50 concurrent requests with one Idempotency-Key, and rejects the key with another body",
  async (name, endpoint) => {
    const found = endpoint.path.includes("/:") ? (chains.get(endpoint.path) ?? []) : [{}];
    const [first] = found;
    if (!first) return;
    const ids = await targetOf(endpoint, { person: scene.owner, home: scene.home, ids: first });
    const example = (at: ResourceIds) => exampleOf(endpoint, { person: scene.owner, home: scene.home, ids: at });
    const body = await example(ids);
    const send = (given: unknown, at = ids) =>
      scene.owner.request("POST", addressOf(endpoint, minimalInput(endpoint, at)), {
        body: given,
        headers: { "idempotency-key": `${name}-key` },
      });
    const other = found.find((one) => JSON.stringify(one) !== JSON.stringify(ids));
    const beside = lists.find(({ path }) => path === endpoint.path);
    const before = beside ? await walk(beside, ids, 100) : [];
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => send(body)));
    const shown = answers.map((answer) => JSON.stringify([answer.status, withoutSecrets(endpoint, answer.body)]));
    expect([name, [...new Set(shown)]]).toEqual([name, [expect.stringMatching(/^\[20\d,/)]]);
    const after = beside ? await walk(beside, ids, 100) : [];
    expect(after.length).toBe(before.length + (beside ? 1 : 0));
    const another = JSON.stringify(await example(ids)) === JSON.stringify(body) ? other : ids;
    if (!another) return;
    // A new quote is rejected while the purchase of the first one is in progress.
    const quoted = typeof body === "object" && body !== null && "quote_id" in body;
    const otherBody = quoted ? { ...body, quote_id: ANOTHER_QUOTE } : await example(another);
    const mismatch = await send(otherBody, quoted ? ids : another);
    expect([mismatch.status, mismatch.body.code]).toEqual([409, "IDEMPOTENCY_MISMATCH"]);
  },
);

/** A response as a repeated request returns it: secrets are shown once. */
function withoutSecrets(endpoint: AnyEndpoint, body: unknown): unknown {
  return endpoint.withoutSecrets ? endpoint.withoutSecrets(body) : body;
}
