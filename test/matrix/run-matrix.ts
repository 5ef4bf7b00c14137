import { isReadEndpoint, toToolName } from "../../tools/endpoint.ts";
import { endpoints } from "../../tools/index.ts";
import { callTool, minimalInput, type Fields } from "../whole/call.ts";
import { findUndeclared, findUndeclaredResult } from "../whole/declared.ts";
import { openScene, type Scene } from "../whole/scene.ts";
import type { Answer } from "../support/world.ts";
import { openCallers, type Caller } from "./callers.ts";
import { REQUESTED_KEY, WITHOUT_RECENT_SIGN_IN, type Expected, type Outcome } from "./expected.ts";
import { ADMITTED, openSubjects, send, EXTRA_FIELD, type Subject } from "./subjects.ts";

/** Concurrent calls over persistent connections. */
const MAX_CONCURRENT_CALLS = 16;

interface Case {
  door: "REST" | "tool";
  subject: Subject;
  caller: string;
  header: string | undefined;
  expected: Outcome;
}

/** The scene of the matrix, its callers by name and its endpoints. */
export interface Matrix {
  scene: Scene;
  callers: Map<string, Caller>;
  subjects: Subject[];
}

export async function openMatrix(): Promise<Matrix> {
  const scene = await openScene();
  const { callers, bystander, ownKeyId } = await openCallers(scene);
  const fixed = { user_id: bystander.id, api_key_id: ownKeyId };
  return { scene, callers, subjects: await openSubjects(scene.owner, scene.home, fixed) };
}

export function createCases({ callers, subjects }: Matrix, door: Case["door"], expected: Expected): Case[] {
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
  const asks = recent === true || (recent === "but of itself" && caller !== REQUESTED_KEY);
  return asks && outcome === "ok" && WITHOUT_RECENT_SIGN_IN.has(caller);
}

export function report(cases: readonly Case[], expected: Expected): void {
  const asked = new Set(cases.map(({ subject }) => subject.endpoint.name)).size;
  console.info(`matrix: ${cases.length} cases, ${asked} of ${endpoints.length} endpoints by ${expected.size} callers`);
}

/** Sends all requests; returns unexpected responses. */
export async function runCases(scene: Scene, cases: readonly Case[]): Promise<string[]> {
  const wrong: string[] = [];
  const waiting = cases.values();
  const work = async () => {
    for (const one of waiting) {
      const met = one.door === "REST" ? await askRest(scene, one) : await askTool(scene, one);
      if (met === one.expected) continue;
      const { subject, caller, expected } = one;
      wrong.push(`${one.door} ${subject.endpoint.name} (${subject.class}) by ${caller}: ${expected} expected, ${met}`);
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_CALLS }, work));
  return wrong.toSorted();
}

async function askRest(scene: Scene, { subject, header, expected }: Case): Promise<string> {
  const spoils = !isReadEndpoint(subject.endpoint) && expected === "ok";
  const answer = await send(scene.w, subject, header, spoils);
  const faults = isJson(answer) ? findUndeclared(subject.endpoint, answer) : [];
  if (faults.length > 0) return faults.join("; ");
  if (answer.status === 200 && isReadEndpoint(subject.endpoint)) return describeAnswer(scene, answer.body, expected);
  if (spoils && ADMITTED.has(answer.status)) return "ok";
  return refusal(answer);
}

async function askTool(scene: Scene, { subject, header, expected }: Case): Promise<string> {
  const { endpoint, ids, body } = subject;
  const spoils = !isReadEndpoint(endpoint) && expected === "ok";
  const input = { ...minimalInput(endpoint, ids), ...(spoils ? EXTRA_FIELD : (body as Fields | undefined)) };
  const answer = await callTool(scene.w, header, endpoint, input);
  const result = answer.body?.result;
  if (answer.status !== 200 || !result) return refusal(answer);
  const faults = result.isError === true ? [] : findUndeclaredResult(toToolName(endpoint), result.structuredContent);
  if (faults.length > 0) return faults.join("; ");
  if (result.isError !== true)
    return isReadEndpoint(endpoint) ? describeAnswer(scene, result.structuredContent, expected) : "done";
  const { code } = JSON.parse(result.content[0].text) as { code: string };
  return (spoils && code === "VALIDATION_FAILED" && "ok") || (CODES[code] ?? code);
}

const CODES: Readonly<Record<string, Outcome>> = {
  UNAUTHENTICATED: "401",
  FORBIDDEN: "403",
  NOT_FOUND: "404",
  CONFLICT: "409",
};

/** Describes a response relative to the workspace under test. */
function describeAnswer({ home }: Scene, body: Fields, expected: Outcome): string {
  const { data } = body as { data?: unknown[] };
  if (expected === "empty") return data?.length === 0 ? "empty" : "something";
  if (expected !== "apart") return "ok";
  return JSON.stringify(body).includes(home["workspace_id"] ?? "") ? "the workspace itself" : "apart";
}

function refusal({ status, body }: Answer): string {
  const named = ["401", "403", "404", "409"].includes(String(status));
  return named ? String(status) : `${status} ${JSON.stringify(body).slice(0, 160)}`;
}

function isJson({ headers }: Answer): boolean {
  return headers.get("content-type")?.startsWith("application/json") ?? false;
}
