import { parseArgs } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { counted } from "../../core/audit/plural.ts";
import { SOURCE_NAMES, SOURCES, type Source } from "../../core/sources.ts";
import { instantOf } from "../../core/time.ts";
import type { Store } from "../../db/engine/store.ts";
import { countUnreadBodies, listUnreadBodies } from "../../db/measuring/unread-bodies.ts";
import type { Environment } from "../config.ts";
import { openSources } from "../outside/sources/open-sources.ts";
import type { DeclaredProvider, Provider, ProviderAnswer, Question } from "../outside/sources/provider.ts";
import { ProviderError } from "../outside/sources/provider-error.ts";
import type { CommandEnd } from "./run-command.ts";

const HELP = `Says which provider answers each source, and whether it does. Asks nothing that costs.

  npm run doctor                      checks every configured provider
  npm run doctor -- --ask             also asks one question of each source that has a real provider, which costs
  npm run doctor -- --bodies NAME     prints the newest answers of a provider that could not be read
`;

/** A model whose name ends with a day does not change under us. */
const PINNED = /(?:^|[-@])20\d{2}-?\d{2}-?\d{2}$/;
const QUESTION: Omit<Question, "source"> = {
  prompt: "Which brands of electric kettles are the best?",
  run: 1,
  collectNumber: 1,
  thematic: "",
  topic: "",
  persona: null,
  country: "US",
  language: "en",
  brands: [],
};

interface Doctor {
  environment: Environment;
  declared: readonly DeclaredProvider[];
  /** Undefined before the first start of the service. */
  store: Store | undefined;
}

/** Says of each source who answers it and whether that works. It succeeds where all that is configured answers. */
export async function doctorCommand({ environment, declared, store }: Doctor, args: string[]): Promise<CommandEnd> {
  const options = { help: { type: "boolean" }, ask: { type: "boolean" }, bodies: { type: "string" } } as const;
  const { values } = parseArgs({ args, options });
  if (values.help) return { text: HELP, ok: true };
  if (values.bodies !== undefined) return { text: await bodiesOf(store, values.bodies), ok: true };
  const sources = openSources(environment.providers, environment.chosenProviders);
  const lines: Line[] = [];
  const checked = new Map<string, Line>();
  for (const source of SOURCES) {
    const provider = sources[source];
    const label = `${SOURCE_NAMES[source]} (${source})`.padEnd(44);
    if (provider.name === null) {
      const isChosen = environment.chosenProviders[source] !== undefined;
      lines.push({ text: `${label}none. ${provider.reason}${wanted(source, declared)}`, ok: !isChosen });
      continue;
    }
    const method = provider.methods[source] ?? "";
    if (method === "simulated") {
      lines.push({ text: `${label}simulated.${wanted(source, declared)}`, ok: true });
      continue;
    }
    const known = checked.get(provider.name) ?? (await check(provider, declared));
    checked.set(provider.name, known);
    lines.push({ text: `${label}${provider.name}, ${method}: ${known.text}`, ok: known.ok });
    if (values.ask) lines.push(await ask(provider, source));
  }
  const kept = store ? await store.read(countUnreadBodies) : [];
  const notes = kept.map(({ provider, bodies, newest }) => {
    return `${counted(bodies, "answer")} of ${provider} could not be read, the newest of ${newest}: npm run doctor -- --bodies ${provider}`;
  });
  const text = [...lines.map((line) => line.text), ...notes, ...(values.ask ? [] : costs(sources))].join("\n");
  return { text: `${text}\n`, ok: lines.every(({ ok }) => ok) };
}

interface Line {
  text: string;
  ok: boolean;
}

/** What to set so that a real provider answers a source. */
function wanted(source: Source, declared: readonly DeclaredProvider[]): string {
  const can = declared.filter(({ serves, needs }) => source in serves && needs.length > 0);
  if (can.length === 0) return " No real provider can answer it yet.";
  return ` To ask a real one set ${can.map(({ needs, title }) => `${needs.join(" and ")} (${title})`).join(", or ")}.`;
}

async function check(provider: Provider, declared: readonly DeclaredProvider[]): Promise<Line> {
  const { name, model } = provider;
  const recorded = declared.find((one) => one.name === name)?.recorded ?? "no day";
  const facts = [
    ...(model === null ? [] : [`Model ${model}, ${PINNED.test(model) ? "pinned" : "not pinned: it can change"}.`]),
    `Tested with answers of ${recorded}.`,
  ];
  if (!provider.check) return { text: ["configured; it has no check that is free.", ...facts].join(" "), ok: true };
  try {
    const notes = await provider.check({ signal: new AbortController().signal });
    return { text: ["ok.", ...facts, ...notes].join(" "), ok: true };
  } catch (error) {
    return { text: [failureOf(error), ...facts].join(" "), ok: false };
  }
}

async function ask(provider: Provider, source: Source): Promise<Line> {
  try {
    const { text, results, citations, costUsd, model } = await answerOf(provider, { ...QUESTION, source });
    const cost = costUsd === null ? "an unknown amount" : `$${costUsd}`;
    const what = `${text.length} characters, ${results.length} results, ${citations.length} citations`;
    return { text: `  answered: ${what}, by ${model ?? "no named model"}, for ${cost}`, ok: true };
  } catch (error) {
    return { text: `  ${failureOf(error)}`, ok: false };
  }
}

/** Asks a provider, and waits for its answer where it takes tasks. */
async function answerOf(provider: Provider, question: Question): Promise<ProviderAnswer> {
  const { signal } = new AbortController();
  if (provider.ask) return provider.ask(question, { signal });
  const { submit, poll, pollEveryMs, giveUpAfterMs } = provider.tasks;
  const began = Date.now();
  const begun = { key: crypto.randomUUID(), begunAt: instantOf(began) };
  let state = await submit(question, begun, { signal });
  while (state.state === "pending" && Date.now() - began < giveUpAfterMs) {
    await sleep(state.pollAfterMs ?? pollEveryMs);
    state = await poll(state.task, question, { signal });
  }
  if (state.state === "answered") return state.answer;
  throw state.state === "failed" ? state.error : new ProviderError("timeout");
}

function failureOf(error: unknown): string {
  if (error instanceof ProviderError) return `${error.kind}. ${error.message}`;
  throw error;
}

/** What asking would cost. */
function costs(sources: ReturnType<typeof openSources>): string[] {
  const real = SOURCES.flatMap((source) => {
    const provider = sources[source];
    return provider.name === null || provider.methods[source] === "simulated" ? [] : [provider.price(source)];
  });
  if (real.length === 0) return [];
  const known = real.reduce((sum, { expectedUsd }) => sum + (expectedUsd ?? 0), 0);
  const unknown = real.filter(({ expectedUsd }) => expectedUsd === null).length;
  const amounts = [
    ...(known > 0 ? [`about $${known}`] : []),
    ...(unknown > 0 ? [`the unknown price of ${counted(unknown, "answer")}`] : []),
  ];
  return [
    `npm run doctor -- --ask asks ${counted(real.length, "question")}, for ${amounts.join(" and ") || "nothing"}.`,
  ];
}

async function bodiesOf(store: Store | undefined, provider: string): Promise<string> {
  const bodies = store ? await store.read((db) => listUnreadBodies(db, provider)) : [];
  if (bodies.length === 0) return `No answers of ${provider} are kept.\n`;
  return bodies.map(({ at, kind, jobId, body }) => `${at} ${kind}, question ${jobId}\n${body}\n`).join("\n");
}
