import { afterAll, beforeAll, expect, test } from "vitest";
import { reads } from "../../tools/endpoint.ts";
import { endpoints } from "../../tools/index.ts";
import { callTool, leastInput, type Fields } from "../whole/call.ts";
import { openScene, SCENE_TIMEOUT_MS, type Scene } from "../whole/scene.ts";
import type { Answer } from "../world.ts";
import { openCallers, type Caller } from "./callers.ts";
import { EXPECTED, ITSELF, WITHOUT_RECENT_SIGN_IN, type Expected, type Outcome } from "./expected.ts";
import { ADMITTED, openSubjects, send, TOO_MANY, type Subject } from "./subjects.ts";

// Every endpoint and every tool, asked by everybody. What is expected stands in expected.ts and the access table, by hand.
//
// Who may is asked with a request that has one field too many: it is admitted and then refused as invalid, so that
// nothing changes. Who may not is asked with a request that would succeed, so that nothing but the right is missing.

/** Calls at once, over connections that are kept. */
const AT_ONCE = 16;

let scene: Scene;
let callers: Map<string, Caller>;
let subjects: Subject[];

interface Case {
  door: "REST" | "tool";
  subject: Subject;
  caller: string;
  header: string | undefined;
  expected: Outcome;
}

beforeAll(async () => {
  scene = await openScene();
  const opened = await openCallers(scene);
  callers = opened.callers;
  subjects = await openSubjects(scene.owner, scene.home, {
    user_id: opened.bystander.id,
    api_key_id: opened.ownKeyId,
  });
}, SCENE_TIMEOUT_MS);
afterAll(() => scene[Symbol.asyncDispose]());

// Attack: ask for anything as anybody: without a token, with somebody else's, with too weak a role or too narrow a key.
test("every endpoint answers every caller as the table says", { timeout: SCENE_TIMEOUT_MS }, async () => {
  const cases = casesOf("REST", EXPECTED.calls);
  expect(await run(cases)).toEqual([]);
  report(cases, EXPECTED.calls);
});

// Attack: the same through an assistant.
test("every tool answers every caller as the table says", { timeout: SCENE_TIMEOUT_MS }, async () => {
  const cases = casesOf("tool", EXPECTED.tools);
  expect(await run(cases)).toEqual([]);
  report(cases, EXPECTED.tools);
});

// Attack: change what was put away for good.
test(
  "in an archived workspace everybody may read what they could, and nobody may change it",
  async () => {
    const { organization_id: organizationId, workspace_id: workspaceId } = scene.home;
    const { status } = await scene.owner.post(`/v1/organizations/${organizationId}/workspaces/${workspaceId}/archive`);
    expect(status).toBe(200);
    const cases = casesOf("REST", EXPECTED.archived);
    expect(await run(cases)).toEqual([]);
    report(cases, EXPECTED.archived);
  },
  SCENE_TIMEOUT_MS,
);

function casesOf(door: Case["door"], expected: Expected): Case[] {
  const asked = door === "REST" ? subjects : subjects.filter(({ endpoint }) => endpoint.notATool === undefined);
  return [...expected].flatMap(([caller, outcomes]) => {
    const known = callers.get(caller);
    if (!known) throw new Error(`Nobody is "${caller}": make them in test/matrix/callers.ts.`);
    const header = door === "REST" ? known.rest : known.tool;
    return asked.flatMap((subject) => {
      const outcome = outcomes.get(subject.class);
      if (outcome === undefined) return [];
      return [{ door, subject, caller, header, expected: isTooOld(subject, caller, outcome) ? "403" : outcome }];
    });
  });
}

function isTooOld({ recent }: Subject, caller: string, outcome: Outcome): boolean {
  const asks = recent === true || (recent === "but of itself" && caller !== ITSELF);
  return asks && outcome === "ok" && WITHOUT_RECENT_SIGN_IN.has(caller);
}

function report(cases: readonly Case[], expected: Expected): void {
  const asked = new Set(cases.map(({ subject }) => subject.endpoint.name)).size;
  console.info(`matrix: ${cases.length} cases, ${asked} of ${endpoints.length} endpoints by ${expected.size} callers`);
}

/** Asks everything, and tells what was answered otherwise. */
async function run(cases: readonly Case[]): Promise<string[]> {
  const wrong: string[] = [];
  const waiting = cases.values();
  const work = async () => {
    for (const one of waiting) {
      const met = one.door === "REST" ? await askRest(one) : await askTool(one);
      if (met === one.expected) continue;
      const { subject, caller, expected } = one;
      wrong.push(`${one.door} ${subject.endpoint.name} (${subject.class}) by ${caller}: ${expected} expected, ${met}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return wrong.toSorted();
}

async function askRest({ subject, header, expected }: Case): Promise<string> {
  const spoils = !reads(subject.endpoint) && expected === "ok";
  const answer = await send(scene.w, subject, header, spoils);
  if (answer.status === 200 && reads(subject.endpoint)) return told(answer.body, expected);
  if (spoils && ADMITTED.has(answer.status)) return "ok";
  return refusal(answer);
}

async function askTool({ subject, header, expected }: Case): Promise<string> {
  const { endpoint, ids, body } = subject;
  const spoils = !reads(endpoint) && expected === "ok";
  const input = { ...leastInput(endpoint, ids), ...(spoils ? TOO_MANY : (body as Fields | undefined)) };
  const answer = await callTool(scene.w, header, endpoint, input);
  const result = answer.body?.result;
  if (answer.status !== 200 || !result) return refusal(answer);
  if (result.isError !== true) return reads(endpoint) ? told(result.structuredContent, expected) : "done";
  const { code } = JSON.parse(result.content[0].text) as { code: string };
  return (spoils && code === "VALIDATION_FAILED" && "ok") || (CODES[code] ?? code);
}

const CODES: Readonly<Record<string, Outcome>> = {
  UNAUTHENTICATED: "401",
  FORBIDDEN: "403",
  NOT_FOUND: "404",
  CONFLICT: "409",
};

/** What a list or a thing that was given is, seen from the workspace in question. */
function told(body: Fields, expected: Outcome): string {
  const { data } = body as { data?: unknown[] };
  if (expected === "empty") return data?.length === 0 ? "empty" : "something";
  if (expected !== "apart") return "ok";
  return JSON.stringify(body).includes(scene.home["workspace_id"] ?? "") ? "the workspace itself" : "apart";
}

function refusal({ status, body }: Answer): string {
  const named = ["401", "403", "404", "409"].includes(String(status));
  return named ? String(status) : `${status} ${JSON.stringify(body).slice(0, 160)}`;
}
