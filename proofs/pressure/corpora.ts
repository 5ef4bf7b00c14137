import { Agent, request as httpRequest } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { ASSET_TEXT_LIMIT } from "../../core/assets/assets.ts";
import { HOSTILE_DOCUMENTS } from "../../test/assets/hostile-documents.ts";
import type { Serving } from "./serve.ts";

/** Requests to send concurrently. */
export interface Corpus {
  what: string;
  /** Builds the requests before the measurement. */
  prepare(to: Serving): Sent[];
  atOnce: number;
}

export interface Sent {
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
  /** Withholds the last byte, and disconnects after this time. */
  holdMs?: number;
}

const MEGABYTE = 1024 * 1024;
const JSON_TYPE = { "content-type": "application/json" };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const brackets = (bytes: number) => "[".repeat(bytes);
/** An array of equal values, just under a megabyte. */
const array = (value: string) =>
  `[${Array(Math.floor((MEGABYTE - 3) / (value.length + 1)))
    .fill(value)
    .join(",")}]`;

export const CORPORA: readonly Corpus[] = [
  {
    what: "10 kB of brackets, at REST, tools and SCIM, without and with credentials",
    prepare: (to) => times(10, writeToEachInterface(to, brackets(10_000))),
    atOnce: 16,
  },
  {
    what: "1 MB of brackets, the same",
    prepare: (to) => times(4, writeToEachInterface(to, brackets(MEGABYTE))),
    atOnce: 16,
  },
  {
    what: "50,000 levels in the arguments of a tool",
    prepare: (to) => times(10, [toolCall(to, brackets(50_000) + "]".repeat(50_000))]),
    atOnce: 16,
  },
  {
    what: "200 bodies of 1 MB without credentials",
    prepare: (to) => times(200, [write(to, array("{}"), {})]),
    atOnce: 64,
  },
  {
    what: "200 bodies of 1 MB of small objects",
    prepare: (to) => times(200, [write(to, array('{"a":1}'))]),
    atOnce: 64,
  },
  {
    what: "400 bodies of 1 MB that stop before their last byte",
    prepare: (to) => times(400, [{ ...write(to, array("1")), holdMs: 5000 }]),
    atOnce: 400,
  },
  {
    what: "40 repeats of a body of 1 MB under one Idempotency-Key",
    prepare: (to) => times(40, [repeated(to)]),
    atOnce: 16,
  },
  {
    what: "2,000 combinations of toolsets, without credentials",
    prepare: () => combinations(2000).map((toolsets) => listing(toolsets)),
    atOnce: 16,
  },
  ...Object.entries(HOSTILE_DOCUMENTS).map(([name, document]) => ({
    what: `document: ${name}`,
    prepare: (to: Serving) => times(2, [upload(to, document.fileName, document.make())]),
    atOnce: 2,
  })),
];

/** Sends all requests; returns the count of each status, 0 for no response. */
export async function sendAll(sent: Sent[], atOnce: number, to: Serving): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const queue = [...sent];
  const work = async () => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      const status = await send(next, to, agent);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  agent.destroy();
  return statuses;
}

function send({ path, headers, body, holdMs }: Sent, to: Serving, agent: Agent): Promise<number> {
  const bytes = Buffer.from(body ?? "");
  const { hostname, port } = new URL(to.baseUrl);
  return new Promise((resolve) => {
    const method = "POST";
    const all = { ...headers, "content-length": String(bytes.length) };
    const request = httpRequest({ host: hostname, port, method, path, headers: all, agent }, (response) => {
      response.resume().on("close", () => resolve(response.statusCode ?? 0));
    });
    request.on("error", () => resolve(0));
    if (holdMs === undefined) request.end(bytes);
    else {
      request.write(bytes.subarray(0, -1));
      void sleep(holdMs).then(() => request.destroy());
    }
  });
}

function times(count: number, sent: Sent[]): Sent[] {
  return Array.from({ length: count }, () => sent).flat();
}

function writeToEachInterface(to: Serving, body: string): Sent[] {
  const { owner, scim, tool } = to.tokens;
  return [
    write(to, body, {}),
    write(to, body),
    { path: "/v1/auth/token", headers: JSON_TYPE, body },
    { path: "/mcp", headers: JSON_TYPE, body },
    { path: "/mcp", headers: { ...JSON_TYPE, ...bearer(tool) }, body },
    { path: "/scim/v2/Users", headers: { "content-type": "application/scim+json", ...bearer(scim) }, body },
    { path: "/scim/v2/Users", headers: { "content-type": "application/scim+json", ...bearer(owner) }, body },
  ];
}

function write(
  { workspacePath, tokens }: Serving,
  body: string,
  credentials: Record<string, string> = bearer(tokens.owner),
): Sent {
  return { path: `${workspacePath}/brands`, headers: { ...JSON_TYPE, ...credentials }, body };
}

function toolCall({ tokens }: Serving, argument: string): Sent {
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_me","arguments":{"a":${argument}}}}`;
  return { path: "/mcp", headers: { ...JSON_TYPE, accept: "application/json", ...bearer(tokens.tool) }, body };
}

function repeated({ workspacePath, tokens }: Serving): Sent {
  const headers = { ...JSON_TYPE, ...bearer(tokens.owner), "idempotency-key": "one" };
  const body = JSON.stringify({ name: "Long", text: "word ".repeat(ASSET_TEXT_LIMIT / 5) });
  return { path: `${workspacePath}/assets`, headers, body };
}

const TOOLSETS = [
  "organizations",
  "workspaces",
  "brand-catalog",
  "personas",
  "tags",
  "analyses",
  "metrics",
  "search-metrics",
];
const MORE_TOOLSETS = [
  "assets",
  "asset-evaluations",
  "recommended-actions",
  "recommended-action-brief",
  "content-briefs",
];

/** Different toolset combinations: one per bit pattern. */
function combinations(count: number): string[] {
  const all = [...TOOLSETS, ...MORE_TOOLSETS];
  return Array.from({ length: count }, (_, at) => all.filter((_one, bit) => ((at + 1) >> bit) & 1).join(","));
}

function listing(toolsets: string): Sent {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
  return {
    path: `/mcp?toolsets=${toolsets}`,
    headers: { ...JSON_TYPE, accept: "application/json, text/event-stream" },
    body,
  };
}

function upload({ workspacePath, tokens }: Serving, fileName: string, bytes: Uint8Array): Sent {
  const boundary = "b0undary";
  const head = (name: string, more = "") =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(`${head("name")}Document\r\n${head("content", `; filename="${fileName}"`)}`),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}`, ...bearer(tokens.owner) };
  return { path: `${workspacePath}/assets`, headers, body };
}
