import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { WITHOUT_LIMITS } from "../world.ts";
import { measure, type Load } from "./load.ts";
import { startProduct, WIDE_LIMITS } from "./product.ts";

/** One comparison: ours, the other's, and how many times theirs we serve. All three are medians over the rounds. */
export interface Comparison {
  what: string;
  against: string;
  ours: number;
  theirs: number;
  ratio: number;
  goal: number;
}

const REVISION = "2026-07-28";
const ROUNDS = 5;
const ROUND_MS = 1500;
const CONNECTIONS = 16;

/** Requests a second of the tool server and of REST, against the same stack without what we add. */
export async function compareToolCalls(): Promise<Comparison[]> {
  const product = await startProduct(WIDE_LIMITS);
  const unlimited = await startProduct(WITHOUT_LIMITS);
  const trivial = await startSdk(["one", JSON.stringify(product.workspaces)]);
  const all = await startSdk(["all"]);
  try {
    const signedIn = { authorization: `Bearer ${product.token}` };
    const rest = { authorization: `Bearer ${product.accessToken}` };
    const loads = {
      call: toolLoad(product, "tools/call", { name: "list_workspaces", arguments: {} }, signedIn),
      unlimitedCall: toolLoad(
        unlimited,
        "tools/call",
        { name: "list_workspaces", arguments: {} },
        { authorization: `Bearer ${unlimited.token}` },
      ),
      trivialCall: toolLoad(trivial, "tools/call", { name: "trivial", arguments: {} }),
      allCall: toolLoad(all, "tools/call", { name: "trivial", arguments: {} }),
      list: toolLoad(product, "tools/list", {}),
      allList: toolLoad(all, "tools/list", {}),
      read: restLoad(product, rest),
      unlimitedRead: restLoad(unlimited, { authorization: `Bearer ${unlimited.accessToken}` }),
      bareRead: restLoad(trivial, {}),
    };
    const rounds = await inTurn(loads);
    return [
      comparison("signed-in, audited tool call", "SDK 2, one trivial tool", rounds, ["call", "trivialCall"], 1),
      comparison("signed-in, audited tool call", "SDK 2, as many tools", rounds, ["call", "allCall"], 2),
      comparison("tools/list", "SDK 2, as many tools", rounds, ["list", "allList"], 8),
      comparison("REST read, signed in and audited", "Express, JSON of that size", rounds, ["read", "bareRead"], 0.4),
      comparison(
        "tool call, counted by three limits",
        "the same without limits",
        rounds,
        ["call", "unlimitedCall"],
        0.85,
      ),
      comparison(
        "REST read, counted by three limits",
        "the same without limits",
        rounds,
        ["read", "unlimitedRead"],
        0.85,
      ),
    ];
  } finally {
    for (const { child } of [trivial, all]) child.disconnect();
    await product.stop();
    await unlimited.stop();
  }
}

/** Every load once per round, so that whatever else the machine does falls on all of them alike. */
async function inTurn<K extends string>(loads: Record<K, Load>): Promise<Record<K, number>[]> {
  const names = Object.keys(loads) as K[];
  for (const name of names) await measure({ ...loads[name], ms: ROUND_MS });
  const rounds: Record<K, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const figures: Partial<Record<K, number>> = {};
    for (const name of names) figures[name] = (await measure(loads[name])).requestsPerSecond;
    rounds.push(figures as Record<K, number>);
  }
  return rounds;
}

function comparison<K extends string>(
  what: string,
  against: string,
  rounds: Record<K, number>[],
  [our, their]: [K, K],
  goal: number,
): Comparison {
  const ratio = median(rounds.map((round) => round[our] / round[their]));
  const [ours, theirs] = [our, their].map((name) => median(rounds.map((round) => round[name])));
  return { what, against, ours: ours ?? 0, theirs: theirs ?? 0, ratio, goal };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** Starts the SDK's server in a process of its own. */
function startSdk(given: string[]): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(join(import.meta.dirname, "servers/sdk.ts"), given, {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return new Promise((resolve, reject) => {
    // The only message of that process is its port.
    child.once("message", (ready) => resolve({ child, port: (ready as { port: number }).port }));
    child.once("exit", (code) => reject(new Error(`The SDK's server ended with ${code}`)));
  });
}

function toolLoad(
  server: { port: number },
  method: string,
  params: object,
  headers: Record<string, string> = {},
): Load {
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const named = "name" in params ? { "mcp-name": String(params.name) } : {};
  return {
    port: server.port,
    method: "POST",
    path: "/mcp",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": REVISION,
      "mcp-method": method,
      ...named,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: envelope } }),
    connections: CONNECTIONS,
    ms: ROUND_MS,
  };
}

function restLoad(server: { port: number }, headers: Record<string, string>): Load {
  return {
    port: server.port,
    method: "GET",
    path: "/v1/workspaces",
    headers: { accept: "application/json", ...headers },
    body: "",
    connections: CONNECTIONS,
    ms: ROUND_MS,
  };
}
