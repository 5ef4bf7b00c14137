import * as fc from "fast-check";
import { expect, test } from "vitest";
import { endpoints } from "../../tools/index.ts";
import { toToolName, type AnyEndpoint } from "../../tools/endpoint.ts";
import { mintToolToken } from "../support/tool-token.ts";
import type { Person } from "../support/world.ts";
import { Ref } from "./arbitrary.ts";
import { chooseExtent } from "../support/proof.ts";
import { minimalInput, parametersOf, type Fields } from "./call.ts";
import { watchChanges } from "./changes.ts";
import { findFaults, sendsFile, succeeds, type Exchange } from "./judge.ts";
import { anyPlan, CALLER_ENDING_ENDPOINTS, restFields, type Plan, type CallerRole } from "./plan.ts";
import { UNKNOWN_ID, openPools } from "./pools.ts";
import { exampleOf, openScene, targetOf, type Scene } from "./scene.ts";
import type { ResourceIds } from "./seeds.ts";
import { findAccessRule } from "../access/access-table.ts";
import { damageFields, sendRest, sendTool, withoutNames } from "./send.ts";

// Valid and invalid requests generated from the service's own schemas, over REST and as tool calls.

const RUNS = Number(process.env["FUZZ_RUNS"] ?? chooseExtent(100_000, 200));
const SEED = Number(process.env["FUZZ_SEED"] ?? 20_261_121);
/**
 * Operations that need a partner, platform or identity provider process, or a worker. Platform
 * connections are created only in a browser, so none remains after a request deletes it.
 */
const NOT_HERE: ReadonlySet<string> = new Set([
  "sendRecommendedActionBriefToPartner",
  "connectPartner",
  "disconnectPartner",
  "rerunAssetEvaluation",
  "rerun_asset_evaluation",
  "exchangeSsoCode",
  "refreshPlatformIntegration",
  "updatePlatformIntegration",
  "updatePlatformAccount",
]);
/** Number of requests after which every endpoint must have accepted at least one. */
const ENOUGH_FOR_ALL = 20_000;
/** A long poll takes up to 50 s. */
const LONGEST_ANSWER_MS = 60_000;
const REFRESH_EVERY = 1000;

test(
  `answers ${RUNS} requests over every endpoint and tool without a 500, as declared, and changes nothing when it rejects`,
  async () => {
    await using scene = await openScene({ readsImports: false });
    const run = await openRun(scene);
    const startedAt = performance.now();
    const cpu = process.cpuUsage();
    await fc.assert(
      fc.asyncProperty(anyPlan, (plan) => run.sendKept(plan)),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    );
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const cpuSeconds = Math.round(process.cpuUsage(cpu).user / 1_000_000);
    console.info(
      `fuzz: ${RUNS} requests in ${seconds} s (${cpuSeconds} s of processor), ${run.successes()} taken; FUZZ_SEED=${SEED} repeats them`,
    );
    run.close();
    expect(run.faults.slice(0, 40)).toEqual([]);
    expect(run.successes()).toBeGreaterThan(RUNS / 20);
    expect(RUNS < ENOUGH_FOR_ALL ? [] : run.neverTaken()).toEqual([]);
  },
  180_000 + RUNS * 200,
);

test("generates fields for every body and query of the endpoints", () => {
  const takers = endpoints.filter(
    (endpoint) => Object.keys(endpoint.input.shape).length > parametersOf(endpoint).length,
  );
  const empty = takers.filter((endpoint) =>
    fc.sample(restFields(endpoint), { seed: SEED, numRuns: 40 }).every((fields) => Object.keys(fields).length === 0),
  );
  expect(takers.length).toBeGreaterThan(endpoints.length / 2);
  expect(empty.map(({ name }) => name)).toEqual([]);
});

/** Sends requests one after another and records the faults of their responses. */
async function openRun(scene: Scene) {
  const pools = await openPools(scene);
  const tokens = await openTokens(scene);
  const changes = watchChanges(scene.w.store.file);
  const faults: string[] = [];
  const taken = new Map<string, number>();
  let sent = 0;

  async function idsOf({ endpoint, chain }: Plan): Promise<ResourceIds> {
    const ids = pools.chainAt(endpoint.path, chain.pick);
    const own = Object.fromEntries(parametersOf(endpoint).map((key) => [key, ids[key] ?? UNKNOWN_ID]));
    // Destructive calls run on a disposable target, whoever calls.
    if (!chain.swap) return targetOf(endpoint, { person: scene.owner, home: scene.home, ids: own });
    const keys = Object.keys(own);
    const swapped = keys[chain.swap.at % keys.length];
    return swapped === undefined
      ? own
      : { ...own, [swapped]: pools.one(new Ref(swapped, chain.swap.whose, chain.pick)) };
  }

  /** Fields with which the endpoint succeeds, if the plan wants an example and one is known. */
  async function exampleFor({ endpoint, example, chain }: Plan, ids: ResourceIds): Promise<Fields | undefined> {
    if (!example) return undefined;
    if (endpoint.method === "GET") {
      const project = pools.chainAt("/api/v1/projects/:project_id", chain.pick);
      const inPath = new Set(parametersOf(endpoint));
      const input = minimalInput(endpoint, { client_id: scene.home["organization_id"] ?? "", ...project, ...ids });
      return Object.fromEntries(Object.entries(input).filter(([key]) => !inPath.has(key)));
    }
    if (findAccessRule(endpoint.name)?.body === undefined) return undefined;
    const body = await exampleOf(endpoint, { person: scene.owner, home: scene.home, ids: { ...ids, ...scene.home } });
    return typeof body === "object" && body !== null ? { ...body } : undefined;
  }

  async function send(plan: Plan): Promise<void> {
    sent++;
    if (sent % REFRESH_EVERY === 0) await pools.refresh();
    const ids = await idsOf(plan);
    const drawn = (await exampleFor(plan, ids)) ?? (pools.fill(plan.fields) as Fields);
    const fields = withoutNames(damageFields(drawn, plan), plan, ids);
    const token = plan.door === "tool" ? await tokens.tool(plan.who) : await tokens.rest(plan.who, plan.endpoint);
    const before = changes.count();
    const answer =
      plan.door === "tool"
        ? await sendTool(scene.w, plan, ids, fields, token)
        : await sendRest(scene.w, plan, ids, fields, token);
    const isAtHome = plan.who === "rival" && ids["organization_id"] === scene.rivalHome["organization_id"];
    const exchange = { plan, ids, fields, answer, isAtHome };
    const name = plan.door === "tool" ? toToolName(plan.endpoint) : plan.endpoint.name;
    const request = JSON.stringify({
      name,
      who: plan.who,
      encoding: plan.encoding,
      damage: plan.damage,
      ...(sendsFile(plan) ? { file: { ...plan.file, bytes: Buffer.from(plan.file.bytes).toString("base64") } } : {}),
      ids,
      fields,
    });
    const told = JSON.stringify(answer.body);
    const found = [...findFaults(exchange), ...changedBy(exchange, changes.since(before))];
    if (plan.who !== "rival") found.push(...pools.leaks(told, request));
    for (const what of found)
      faults.push(`${sent} ${name}: ${what} | ${request.slice(0, 700)} | ${answer.status} ${told.slice(0, 300)}`);
    if (succeeds(exchange)) {
      const how = sendsFile(plan) ? `${name} with a file` : name;
      taken.set(how, (taken.get(how) ?? 0) + 1);
      // Ending a sign-in may have ended the session behind the tool token.
      if (plan.endpoint.group === "Auth" && plan.endpoint.method === "DELETE") tokens.forgetTool(plan.who);
      if (plan.who === "owner")
        pools.note((plan.door === "tool" ? answer.body.result.structuredContent : answer.body) as Fields);
    } else if (answer.status === 401) await tokens.renew(plan.who);
  }

  return {
    faults,
    /** Also records errors of the test itself, so that one bad request does not end the run. */
    async sendKept(plan: Plan): Promise<void> {
      const late = AbortSignal.timeout(LONGEST_ANSWER_MS);
      const never = new Promise<never>((_, reject) =>
        late.addEventListener("abort", () => reject(new Error("no answer"))),
      );
      await Promise.race([send(plan), never]).catch((error: unknown) =>
        faults.push(`${sent} ${plan.endpoint.name}: ${String(error)}`),
      );
    },
    close: () => changes.close(),
    successes: () => [...taken.values()].reduce((sum, count) => sum + count, 0),
    /** Endpoints and tools that accepted no request although the scene has their prerequisites. */
    neverTaken: () =>
      endpoints
        .filter(({ path }) => !path.includes("/:") || pools.has(path))
        .flatMap((endpoint) => [
          endpoint.name,
          ...(endpoint.notATool === undefined ? [toToolName(endpoint)] : []),
          ...(endpoint.file === undefined ? [] : [`${endpoint.name} with a file`]),
        ])
        .filter((name) => !taken.has(name) && !NOT_HERE.has(name) && !CALLER_ENDING_ENDPOINTS.has(name)),
  };
}

/** Tables that a read or a rejected call changed; neither may change any. */
function changedBy(exchange: Exchange, tables: string[]): string[] {
  const { endpoint } = exchange.plan;
  if (succeeds(exchange) && endpoint.method !== "GET") return [];
  // A used refresh token revokes its family on rejection, as required.
  if (endpoint.name === "refreshToken") return [];
  return tables.length === 0 ? [] : [`changed ${tables.join(", ")}`];
}

/** Tokens of each caller, renewed when a request revoked one. */
async function openTokens(scene: Scene) {
  const { w } = scene;
  const people = new Map<CallerRole, Person>();
  for (const who of ["owner", "editor", "viewer", "guest", "rival"] as const) people.set(who, scene[who]);
  const toolTokens = new Map<CallerRole, string>();
  return {
    /** An API key's token, or a sign-in's token if the endpoint needs a recent sign-in. */
    async rest(who: CallerRole, { recentSignIn }: AnyEndpoint): Promise<string> {
      if (who === "nobody") return "";
      const person = people.get(who);
      if (!person) return "Bearer eyJhbGciOiJub25lIn0.e30.";
      return `Bearer ${recentSignIn === undefined ? person.accessToken : await person.signedInToken()}`;
    },
    async tool(who: CallerRole): Promise<string> {
      const person = people.get(who);
      if (!person) return who === "nobody" ? "" : "eyJhbGciOiJub25lIn0.e30.";
      let token = toolTokens.get(who);
      if (token === undefined) toolTokens.set(who, (token = (await mintToolToken(w, person)).token));
      return token;
    },
    forgetTool: (who: CallerRole) => toolTokens.delete(who),
    async renew(who: CallerRole): Promise<void> {
      const person = people.get(who);
      if (!person) return;
      const again = await w.signIn(person.email);
      people.set(who, again);
      if (who === "owner") scene.owner = again;
      toolTokens.delete(who);
    },
  };
}
