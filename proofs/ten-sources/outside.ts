import { createWriteStream } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { FATES, fateOf, type Fate, type Odds, type Question } from "./fates.ts";
import { openCounter, type Limits } from "./limits.ts";
import type { ProviderRequest, ProviderReply, Taken, Wire } from "./wire.ts";
import { WIRES } from "./wires/wires.ts";
import { random } from "../../test/support/random.ts";

/** Behaviour of the simulated providers. */
export interface ProviderBehavior extends Odds {
  /** Min and max response time of a provider. */
  delayMs: readonly [number, number];
  /** The wait in a rejection, if its provider names one. */
  waitMs: number;
  limits: Record<string, Limits>;
}

/** One log line: a request and its outcome. Times are milliseconds of one clock. */
export interface LogLine {
  provider: string;
  in: number;
  out: number;
  what: "ask" | "submit" | "poll" | "list";
  question: Question | null;
  /** Outcome; `over` means above the limit, `known` a key used before. */
  did: Fate | "answer" | "taken" | "known" | "pending" | "listed" | "over" | "unknown";
  /** Billed amount in millionths of a US dollar. */
  micros: number;
  /** The wait that was asked for. */
  waitMs: number;
}

interface Decision extends Pick<LogLine, "what" | "question" | "did"> {
  said: ProviderReply;
}

/** One provider with its questions and tasks. */
function openProvider(wire: Wire, habits: ProviderBehavior) {
  const tasks = new Map<string, Taken>();
  const byKey = new Map<string, Taken>();
  const times = new Map<string, number>();
  const limited: ProviderReply = wire.says.limited(
    { source: wire.sources[0] ?? "SEARCH_A", prompt: "" },
    { task: "", waitMs: 0 },
  );

  /** How often the key occurred before. */
  function count(key: string): number {
    const before = times.get(key) ?? 0;
    times.set(key, before + 1);
    return before;
  }
  function strikes(fate: Fate | undefined, of: string): fate is Fate {
    return fate !== undefined && (count(of) === 0 || !FATES[fate].once || fate === wire.lasting);
  }
  function saidOf(fate: Fate, question: Question, task: string): ProviderReply {
    if (fate === "dead") return wire.says.down(question, { task, waitMs: 0 });
    if (fate === "html") return { headers: { "content-type": "text/html" }, body: "<html>One moment …</html>" };
    if (fate === "reset") return { body: "" };
    if (fate === "cut" || fate === "hang") return wire.answer(question, task);
    return wire.says[fate](question, { task, waitMs: habits.waitMs });
  }

  function ask(question: Question): Decision {
    const fate = fateOf(question, habits);
    const of = { what: "ask", question } as const;
    if (strikes(fate, `${question.source} ${question.prompt}`))
      return { ...of, did: fate, said: saidOf(fate, question, "") };
    return { ...of, did: "answer", said: wire.answer(question, "") };
  }

  function submit({ key = "", ...question }: Question & { key?: string }, way: NonNullable<Wire["tasks"]>): Decision {
    const of = { what: "submit", question } as const;
    const fate = fateOf(question, habits);
    const known = byKey.get(key);
    const isNow =
      fate !== undefined && !FATES_AT_POLL.has(fate) && strikes(fate, `submit ${question.source} ${question.prompt}`);
    if (isNow && fate !== "cut" && fate !== "hang") return { ...of, did: fate, said: saidOf(fate, question, "") };
    if (known) return { ...of, did: "known", said: way.known(question, known.id) };
    const isFirst = count(`task ${question.source} ${question.prompt}`) === 0;
    const taken = { id: `${wire.name}-${tasks.size + 1}`, key, question, atMs: Date.now(), isFirst };
    tasks.set(taken.id, taken);
    byKey.set(key, taken);
    return { ...of, did: isNow ? fate : "taken", said: way.taken(question, taken.id) };
  }

  function poll({ id, question, isFirst }: Taken, way: NonNullable<Wire["tasks"]>): Decision {
    const of = { what: "poll", question } as const;
    const fate = fateOf(question, habits);
    if (fate === "error" && isFirst) {
      const { micros = 0, ...said } = saidOf(fate, question, id);
      // A failed task reports its failure on every poll, and refunds its cost once.
      return { ...of, did: fate, said: { ...said, micros: count(`failed ${id}`) === 0 ? micros : 0 } };
    }
    const isHit = fate !== undefined && (LASTING_FATES.has(fate) || FATES_AT_BOTH.has(fate));
    if (isHit && strikes(fate, `poll ${question.source} ${question.prompt}`)) {
      return { ...of, did: fate, said: saidOf(fate, question, id) };
    }
    if (count(`pending ${id}`) < way.polls) return { ...of, did: "pending", said: way.pending(question, id) };
    return { ...of, did: "answer", said: wire.answer(question, id) };
  }

  return {
    wire,
    counter: openCounter(limitsOf(wire, habits)),
    limits: limitsOf(wire, habits),
    decide(asked: ProviderRequest): Decision {
      const question = wire.read(asked);
      if (question) return wire.tasks ? submit(question, wire.tasks) : ask(question);
      const task = tasks.get(wire.tasks?.polled(asked) ?? "");
      if (task && wire.tasks) return poll(task, wire.tasks);
      const list = wire.tasks?.listed?.(asked, [...tasks.values()]);
      if (list) return { what: "list", question: null, did: "listed", said: list };
      return { what: "ask", question: null, did: "unknown", said: { status: 404, body: {} } };
    },
    over: (): Decision => ({ what: "ask", question: null, did: "over", said: limited }),
  };
}

/** Fates that affect polls of an accepted task instead of its submission; FATES_AT_BOTH affect both. */
const FATES_AT_POLL: ReadonlySet<Fate> = new Set(["error", "garbled", "refusal"]);
const LASTING_FATES: ReadonlySet<Fate> = new Set(["garbled", "refusal"]);
const FATES_AT_BOTH: ReadonlySet<Fate> = new Set(["limited", "down"]);

function limitsOf({ name }: Wire, { limits }: ProviderBehavior): Limits {
  const own = limits[name];
  if (!own) throw new Error(`${name} has no limits`);
  return own;
}

/** All providers as one server on loopback, which appends each request and outcome to a log. */
export async function openOutside(habits: ProviderBehavior, logFile: string) {
  const providers = new Map(WIRES.map((wire) => [wire.base.split("/")[1] ?? "", openProvider(wire, habits)]));
  const log = createWriteStream(logFile, { flags: "a" });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const came = performance.now();
    const url = new URL(request.url ?? "", "http://outside");
    const provider = providers.get(url.pathname.split("/")[1] ?? "");
    if (!provider) return void response.writeHead(404).end();
    const { wire, counter, limits } = provider;
    const isWithin = counter.begin(came);
    const closed = new Promise<void>((resolve) => response.once("close", resolve));
    const text = await textOf(request).catch((error: unknown) => {
      counter.end();
      throw error;
    });
    const asked = {
      method: request.method ?? "",
      path: url.pathname.slice(wire.base.length),
      query: url.searchParams,
      body: text === "" ? undefined : (JSON.parse(text) as unknown),
    };
    const { said, ...decided } = isWithin ? provider.decide(asked) : provider.over();
    const left = { ...counter.left(came), limit: limits.requests, nowMs: Date.now() };
    const headers = { ...wire.limitHeaders?.(left), ...said.headers };
    if (decided.did === "hang") await closed;
    else {
      const [least, most] = habits.delayMs;
      await Promise.race([sleep(least + random() * (most - least)), closed]);
    }
    const out = performance.now();
    counter.end();
    const { micros = 0, waitMs = 0 } = said;
    const line: LogLine = { provider: wire.name, in: came, out, micros, waitMs, ...decided };
    log.write(`${JSON.stringify(line)}\n`);
    send(response, { ...said, headers }, decided.did);
  }

  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
      await new Promise<void>((resolve) => void log.end(resolve));
    },
  };
}

function send(response: ServerResponse, { status = 200, headers, body }: ProviderReply, did: LogLine["did"]): void {
  if (response.destroyed) return;
  if (did === "reset" || did === "hang") return void response.destroy();
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const type = { "content-type": "application/json", ...headers };
  if (did !== "cut") return void response.writeHead(status, type).end(text);
  response.writeHead(status, { ...type, "content-length": String(Buffer.byteLength(text)) });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
