import { request as httpRequest } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { rawToolCall } from "../../test/support/raw-tool-call.ts";
import type { Attacked } from "./attacked-service.ts";
import { HOSTILE_SITE } from "./hostile-site.ts";
import {
  bearer,
  exportsOf,
  forms,
  imports,
  importTexts,
  keyExchange,
  signIns,
  type CallKind,
} from "./light-callers.ts";
import { manyNames } from "./largest-value.ts";
import { postFrom } from "./post-from.ts";
import { manyPairs, repeated } from "./rows.ts";

// Nine attacks by which one cheap sender once blocked everyone; each runs until `over` aborts.

/** An attack in progress. */
export interface AttackRun {
  over: AbortSignal;
  /** Called with the status of each response. */
  countStatus: (status: number) => void;
}

export interface Attack {
  name: string;
  run: (of: Attacked, going: AttackRun) => Promise<void>;
  /** Additional calls of other organizations. */
  alsoCalls?: (of: Attacked) => CallKind[];
}

/** Number of attacker addresses; others call from 127.0.0.1. */
const ADDRESSES = 16;
const PAUSE_MS = 100;
/** Pause between jobs for the worker, so that their number alone adds no load. */
const WORK_PAUSE_MS = 4000;
/** Pause before reopening a cut connection; a shorter one would be a flood. */
const REOPEN_MS = 1000;

export const ATTACKS: readonly Attack[] = [
  {
    name: "1 a page that is crawled",
    alsoCalls: (of) => [exportsOf(of)],
    run: (of, going) => repeatRequests(going, () => crawl(of), WORK_PAUSE_MS),
  },
  {
    name: "2 a line of an answer",
    alsoCalls: (of) => [exportsOf(of)],
    run: (of, going) => {
      const texts = [`${"#".repeat(26)}${"(".repeat(12)}Target is here`, `- **Bigname${"*".repeat(40)}`];
      return repeatRequests(going, () => importTexts(of, of.attacker, texts), WORK_PAUSE_MS);
    },
  },
  {
    name: "3 bodies without their last byte",
    alsoCalls: (of) => [keyExchange(of), forms(of)],
    run: async ({ baseUrl }, { over, countStatus }) => {
      const headers = { "content-type": "application/json" };
      const body = { path: "/v1/auth/token", headers, bytes: 1024 * 1024, sent: 1024 * 1024 - 1 };
      const open = Array.from({ length: 64 }, (_, at) => holdHalfRequest(baseUrl, at, { ...body, told: countStatus }));
      await waitForEnd(over);
      for (const one of open) one.destroy();
    },
  },
  {
    name: "4 unknown arguments of a tool",
    run: ({ baseUrl, attacker }, going) => {
      const call = { name: "list_brands", arguments: manyNames(55_000 * 12, "f") };
      return repeatRequests(going, () => rawToolCall(`${baseUrl}/mcp`, attacker.toolToken, call));
    },
  },
  {
    name: "5 names of fields of a form",
    run: ({ baseUrl, guest }, going) => {
      const headers = { ...formHeaders(baseUrl), cookie: guest.cookie };
      const body = manyPairs(510_000, "");
      return repeatRequests(going, () => post(`${baseUrl}/account/rename`, headers, body));
    },
  },
  {
    name: "6 a list field repeated",
    run: ({ baseUrl, attacker }, going) => {
      const headers = { ...formHeaders(baseUrl), ...bearer(attacker) };
      const body = repeated(1024 * 1024 - 100, "motivations");
      return repeatRequests(going, () => post(`${baseUrl}${attacker.path}/personas`, headers, body));
    },
  },
  {
    name: "7 unknown fields without an account",
    run: ({ baseUrl }, going) => {
      const body = JSON.stringify(Object.fromEntries(Array.from({ length: 90_000 }, (_, at) => [`f${at}`, 1])));
      return repeatRequests(going, () =>
        post(`${baseUrl}/v1/auth/token`, { "content-type": "application/json" }, body),
      );
    },
  },
  {
    name: "8 right passwords of one guest",
    alsoCalls: (of) => [signIns(of)],
    run: async ({ baseUrl, guest, password }, { over, countStatus }) => {
      const body = new URLSearchParams({ email: guest.email, password }).toString();
      const sent: Promise<unknown>[] = [];
      while (!over.aborted) {
        const answer = postFrom("127.0.1.1", `${baseUrl}/sign-in`, body);
        sent.push(answer.then(({ status }) => countStatus(status)).catch(() => undefined));
        await sleep(1000 / 18);
      }
      await Promise.all(sent);
    },
  },
  {
    name: "9 imports that send nothing",
    alsoCalls: (of) => [imports(of)],
    run: async (of, { over, countStatus }) => {
      const senders = [of.attacker, ...of.helpers];
      const open = Array.from({ length: 8 }, (_, at) => {
        const sender = senders[at % senders.length] ?? of.attacker;
        const headers = { ...bearer(sender), "content-type": "application/x-ndjson" };
        return holdHalfRequest(of.baseUrl, at, {
          path: sender.importPath,
          headers,
          bytes: 2_000_000,
          sent: 0,
          told: countStatus,
        });
      });
      await waitForEnd(over);
      for (const one of open) one.destroy();
    },
  },
];

/** Starts an audit of pages that the worker parses. */
async function crawl({ baseUrl, attacker }: Attacked): Promise<Response> {
  const path = `${baseUrl}${attacker.path}/geo-audits`;
  const headers = { "content-type": "application/json", ...bearer(attacker) };
  const urls = Array.from({ length: 4 }, (_, at) => `${HOSTILE_SITE}/${at}`);
  const name = `Hostile ${Date.now()}`;
  const priced = await fetch(`${path}/price`, {
    method: "POST",
    headers,
    body: JSON.stringify({ name, website: HOSTILE_SITE, urls }),
  });
  const { quote_id: quoteId } = (await priced.json()) as { quote_id?: string };
  return post(path, headers, JSON.stringify({ quote_id: quoteId, confirmed: true }));
}

/** Repeats work with a pause after each; abandons work that is unanswered at the end. */
async function repeatRequests(
  { over, countStatus }: AttackRun,
  work: () => Promise<Response>,
  pauseMs = PAUSE_MS,
): Promise<void> {
  const send = async () => {
    const answer = await work();
    countStatus(answer.status);
    await answer.arrayBuffer();
  };
  while (!over.aborted) {
    await Promise.race([send().catch(() => undefined), waitForEnd(over)]);
    await sleep(pauseMs);
  }
}

async function waitForEnd(over: AbortSignal): Promise<void> {
  while (!over.aborted) await sleep(20);
}

function post(url: string, headers: Record<string, string>, body: string): Promise<Response> {
  return fetch(url, { method: "POST", redirect: "manual", headers, body });
}

function formHeaders(baseUrl: string): Record<string, string> {
  return { origin: baseUrl, "content-type": "application/x-www-form-urlencoded" };
}

interface HalfRequest {
  path: string;
  headers: Record<string, string>;
  /** The announced content length. */
  bytes: number;
  sent: number;
  told: AttackRun["countStatus"];
}

/** A request that sends less than its announced length, reopened whenever it is cut. */
function holdHalfRequest(baseUrl: string, at: number, { path, headers, bytes, sent, told }: HalfRequest) {
  let isOver = false;
  let current = open();
  function open() {
    const request = httpRequest(new URL(path, baseUrl.replace("localhost", "127.0.0.1")), {
      method: "POST",
      localAddress: `127.0.1.${1 + (at % ADDRESSES)}`,
      headers: { ...headers, "content-length": String(bytes) },
    });
    request.on("response", (response) => {
      told(response.statusCode ?? 0);
      response.resume();
    });
    request.on("error", () => undefined);
    request.on("close", () => {
      if (!isOver) setTimeout(() => (current = open()), REOPEN_MS);
    });
    request.flushHeaders();
    if (sent > 0) request.write(Buffer.alloc(sent, " "));
    return request;
  }
  return {
    destroy() {
      isOver = true;
      current.destroy();
    },
  };
}
