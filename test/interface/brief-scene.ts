import type { StandInFault } from "../../examples/stand-in-control.ts";
import { DUE_DATE, sceneWithPartner } from "../partner/scene.ts";
import type { Answer } from "../support/world.ts";
import { inlineParts } from "../support/openapi-parts.ts";
import type { Json, Reference } from "./reference-document.ts";
import { once } from "./rule.ts";
import { SUBMISSION_CODES } from "./rules.ts";

export const PARTNER_PATH =
  "/v1/organizations/{organization_id}/workspaces/{workspace_id}/recommended-actions/{result_id}/tasks/{task_id}/brief/partner";
export const BRIEF_PATH = PARTNER_PATH.replace(/\/partner$/, "");

/** A workspace that is connected to the real partner process. */
export const briefScene = once(async () => {
  const scene = await sceneWithPartner();
  const reference = inlineParts((await scene.owner.get("/openapi.json")).body as Reference);
  return { ...scene, reference, [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose]() };
});
type Scene = Awaited<ReturnType<typeof briefScene>>;
type Change = Parameters<Scene["newBrief"]>[0];
type NewBrief = Awaited<ReturnType<typeof newBrief>>;

/** A task's brief with its endpoints. */
export async function newBrief(change?: Change) {
  const scene = await briefScene();
  return scene.newBrief(change);
}

/** Trigger of each code: a partner fault, a state of the brief, or a request. */
interface Cause {
  fault?: StandInFault;
  brief?: Change;
  due?: string;
  first?: (brief: NewBrief) => Promise<unknown>;
}
const CAUSES: Record<string, Cause> = {
  DUE_DATE_IN_PAST: { due: "2020-01-01T00:00:00Z" },
  ALREADY_SENT: { first: (brief) => brief.send() },
  BRIEF_NOT_READY: { brief: { readyAt: null, body: "" } },
  PARTNER_NOT_CONNECTED: { fault: "token_refused" },
  PARTNER_RECIPIENTS_NOT_CONFIGURED: { fault: "recipients_missing" },
  PARTNER_RECIPIENTS_INVALID: { fault: "recipients_invalid" },
  BRIEF_CONTENT_TOO_LONG: { fault: "content_too_long" },
  PARTNER_VALIDATION_ERROR: { fault: "rejected" },
  PARTNER_ERROR: { fault: "error" },
  PARTNER_UNAVAILABLE: { fault: "unavailable" },
  WORKSPACE_UNAVAILABLE: { fault: "workspace_unavailable" },
};

export interface Rejection {
  code: string;
  status: number;
  answer: Answer;
  /** The brief read afterwards. */
  after: Json;
  /** Sends it again without fault. */
  again: () => Promise<Answer>;
}

const refusals = new Map<string, Promise<Rejection>>();
/** Partner faults apply to one submission at a time. */
let lastSending: Promise<unknown> = Promise.resolve();

/** Response under a code's condition, provoked once in the real process. */
export function rejectionWith(code: string): Promise<Rejection> {
  const known = refusals.get(code);
  if (known) return known;
  const refused = lastSending.then(() => provokeRejection(code));
  lastSending = refused;
  refusals.set(code, refused);
  return refused;
}

export function listRejections(): Promise<Rejection[]> {
  return Promise.all(SUBMISSION_CODES.map(([, code]) => rejectionWith(code)));
}

async function provokeRejection(code: string): Promise<Rejection> {
  const { partner } = await briefScene();
  const cause = CAUSES[code] ?? {};
  const brief = await newBrief(cause.brief);
  await cause.first?.(brief);
  await partner.fail(cause.fault ?? null);
  const answer = await brief.send({ due_date: cause.due ?? DUE_DATE }).finally(() => partner.fail(null));
  const after = (await brief.read()) as Json;
  return { code, status: answer.status, answer, after, again: () => brief.send() };
}
