import { setTimeout as sleep } from "node:timers/promises";
import { rawToolCall } from "../../test/support/raw-tool-call.ts";
import { postFrom } from "./post-from.ts";
import type { Attacked, Member } from "./attacked-service.ts";

// Effect of an attack on people of another organization.

/** Milliseconds of calls, and the number without a proper response. */
export interface CallStats {
  kind: CallKind;
  ms: number[];
  /** Statuses of rejected calls; 0 for no response. */
  refused: number[];
}

export interface CallKind {
  what: string;
  pauseMs: number;
  ask: (nth: number) => Promise<Response>;
  /** Max calls in flight; one by default. */
  atOnce?: number;
  /** Max ratio of a quantile to its idle value; without a goal only rejections count. */
  goal?: { quantile: number; ratio: number };
}

/** Max ratio of a light caller's p99 under attack to its idle p99. */
const LIGHT = { quantile: 0.99, ratio: 3 };
/** Max ratio of the median export to its idle median. */
const EXPORT = { quantile: 0.5, ratio: 2 };

/** Time for calls in flight at the end; slower calls count as unanswered. */
const GRACE_MS = 5000;

export function typicalCalls({ baseUrl, calm }: Attacked): CallKind[] {
  const { organizationId, workspaceId, path, toolToken, cookie } = calm;
  const call = { name: "list_brands", arguments: { organization_id: organizationId, workspace_id: workspaceId } };
  const page = `${baseUrl}/brands/${organizationId}/${workspaceId}`;
  return [
    {
      what: "REST read",
      goal: LIGHT,
      pauseMs: 10,
      ask: () => fetch(`${baseUrl}${path}/brands`, { headers: bearer(calm) }),
    },
    { what: "tool call", goal: LIGHT, pauseMs: 10, ask: () => rawToolCall(`${baseUrl}/mcp`, toolToken, call) },
    { what: "page", goal: LIGHT, pauseMs: 10, ask: () => fetch(page, { headers: { cookie, accept: "text/html" } }) },
  ];
}

export function keyExchange({ baseUrl, calm }: Attacked): CallKind {
  const body = JSON.stringify({ api_key: calm.apiKey });
  const init = { method: "POST", headers: { "content-type": "application/json" }, body };
  return { what: "key exchange", goal: LIGHT, pauseMs: 50, ask: () => fetch(`${baseUrl}/v1/auth/token`, init) };
}

/** Password sign-ins, each of another person from another address. */
export function signIns({ baseUrl, others, password }: Attacked): CallKind {
  const ask = (nth: number) => {
    const at = nth % others.length;
    const body = new URLSearchParams({ email: others[at] ?? "", password });
    return postFrom(`127.0.2.${1 + at}`, `${baseUrl}/sign-in`, body.toString());
  };
  return { what: "sign-in of others", pauseMs: 500, atOnce: 20, ask };
}

/** Submission of the form for one's own name. */
export function forms({ baseUrl, calm }: Attacked): CallKind {
  const headers = { origin: baseUrl, cookie: calm.cookie };
  const ask = (nth: number) => {
    const body = new URLSearchParams({ name: `${"Name ".repeat(30)}${nth}` });
    return fetch(`${baseUrl}/account/rename`, { method: "POST", redirect: "manual", headers, body });
  };
  return { what: "form", goal: LIGHT, pauseMs: 50, ask };
}

/** An export of all answers, until its file is ready. */
export function exportsOf({ baseUrl, calm }: Attacked): CallKind {
  const exports = `${baseUrl}${calm.path}/exports`;
  const headers = { "content-type": "application/json", ...bearer(calm) };
  const ask = async () => {
    const body = JSON.stringify({ what: "answers", format: "jsonl" });
    const answer = await fetch(exports, { method: "POST", headers, body });
    if (answer.status !== 202) return answer;
    const { id } = (await answer.json()) as { id: string };
    for (;;) {
      const read = await fetch(`${exports}/${id}`, { headers });
      const { status } = (await read.clone().json()) as { status?: string };
      if (status === "completed") return read;
      if (!read.ok || status === "failed") return new Response(null, { status: 500 });
      await sleep(50);
    }
  };
  return { what: "export", goal: EXPORT, pauseMs: 100, ask };
}

/** Lines of an import, more than one without a slot may have. */
const LINES = 1100;

/** A large import by another organization. */
export function imports(of: Attacked): CallKind {
  const ask = (nth: number) => importTexts(of, of.calm, Array<string>(LINES).fill(`Answer ${nth}: Target is best.`));
  return { what: "import of others", pauseMs: 2500, ask };
}

/** Imports answers into a member's first search analysis. */
export function importTexts({ baseUrl }: Attacked, member: Member, texts: readonly string[]): Promise<Response> {
  const lines = texts.map((text, at) => ({ keyword: `keyword ${at}`, source: "ASSISTANT_A", run: 1, text }));
  return fetch(`${baseUrl}${member.importPath}`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson", prefer: "respond-async", ...bearer(member) },
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  });
}

/** Makes calls of each kind until `over`, then gives those in flight a moment to complete. */
export async function callUntil(kinds: readonly CallKind[], over: AbortSignal): Promise<CallStats[]> {
  return Promise.all(
    kinds.map(async (kind) => {
      const { pauseMs, ask, atOnce = 1 } = kind;
      const noticed: CallStats = { kind, ms: [], refused: [] };
      const call = async (nth: number) => {
        const began = performance.now();
        const answer = await Promise.race([ask(nth), waitAfterEnd(over)]).catch(() => undefined);
        await answer?.arrayBuffer().catch(() => undefined);
        noticed.ms.push(performance.now() - began);
        if (answer === undefined || answer.status >= 400) noticed.refused.push(answer?.status ?? 0);
      };
      const inFlight = new Set<Promise<void>>();
      for (let nth = 0; !over.aborted; nth++) {
        const calling = call(nth).finally(() => inFlight.delete(calling));
        inFlight.add(calling);
        if (inFlight.size >= atOnce) await Promise.race(inFlight);
        await sleep(pauseMs);
      }
      await Promise.all(inFlight);
      return noticed;
    }),
  );
}

/** Resolves a while after `over`. */
async function waitAfterEnd(over: AbortSignal): Promise<undefined> {
  while (!over.aborted) await sleep(100);
  await sleep(GRACE_MS);
  return undefined;
}

export function bearer({ accessToken }: Pick<Member, "accessToken">): Record<string, string> {
  return { authorization: `Bearer ${accessToken}` };
}
