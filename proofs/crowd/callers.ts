import { setTimeout as sleep } from "node:timers/promises";
import { rawToolCall } from "../../test/support/raw-tool-call.ts";
import type { Crowded, Tenant } from "./service.ts";

/** Milliseconds of requests of one kind, and the quantile to report. */
export interface TimedCalls {
  what: string;
  quantile: number;
  ms: number[];
}

/**
 * One caller of each kind in the calm organization, with a pause after every request, until `over`.
 */
export async function callAll({ baseUrl, calm }: Crowded, over: AbortSignal): Promise<TimedCalls[]> {
  let written = 0;
  const call = {
    name: "list_brands",
    arguments: { organization_id: calm.organizationId, workspace_id: calm.workspaceId },
  };
  const kinds: [what: string, quantile: number, ask: () => Promise<Response>][] = [
    ["tool call", 0.99, () => rawToolCall(`${baseUrl}/mcp`, calm.toolToken, call)],
    ["REST read", 0.99, () => fetch(`${baseUrl}${calm.path}/brands`, { headers: bearer(calm) })],
    [
      "REST write",
      0.99,
      () => post(`${baseUrl}${calm.path}/tags`, { name: `tag ${Date.now()} ${written++}` }, bearer(calm)),
    ],
    ["/readyz", 0.999, () => fetch(`${baseUrl}/readyz`)],
    ["sign-in", 0.95, () => signIn(baseUrl, calm)],
  ];
  return Promise.all(
    kinds.map(async ([what, quantile, ask]) => {
      const ms: number[] = [];
      while (!over.aborted) {
        const began = performance.now();
        const answer = await ask();
        await answer.arrayBuffer();
        if (answer.status >= 400) throw new Error(`${what} got ${answer.status}`);
        ms.push(performance.now() - began);
        await sleep(what === "sign-in" ? SIGN_IN_PAUSE_MS : 10);
      }
      return { what, quantile, ms };
    }),
  );
}

/**
 * Hashing a password deliberately costs tenths of a second of CPU, which this measurement excludes.
 */
const SIGN_IN_PAUSE_MS = 500;

function signIn(baseUrl: string, { email, password }: Tenant): Promise<Response> {
  const body = new URLSearchParams({ email, password });
  return fetch(`${baseUrl}/sign-in`, { method: "POST", redirect: "manual", headers: { origin: baseUrl }, body });
}

export function bearer({ accessToken }: Tenant): Record<string, string> {
  return { authorization: `Bearer ${accessToken}` };
}

export function post(url: string, body: unknown, headers: Record<string, string>): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

export async function readJson(asked: Promise<Response>): Promise<Record<string, unknown>> {
  const answer = await asked;
  const body = (await answer.json()) as Record<string, unknown>;
  if (!answer.ok) throw new Error(`HTTP ${answer.status}: ${JSON.stringify(body)}`);
  return body;
}
