import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type {
  DeclaredProvider,
  Price,
  Provider,
  ProviderAnswer,
  Question,
} from "../../src/outside/sources/provider.ts";
import { startFakeProvider, type Reply, type SentRequest } from "./fake-provider.ts";

export const QUESTION: Question = {
  prompt: "best phone",
  source: "ASSISTANT_A",
  run: 1,
  collectNumber: 1,
  thematic: "Phones",
  topic: "All",
  persona: null,
  country: "DE",
  language: "de",
  brands: [],
};

export interface Scene {
  declared: DeclaredProvider;
  /** Prefix of the provider's settings. */
  prefix: string;
  /** Its settings without its address. */
  env: Record<string, string>;
  question?: Partial<Question>;
}

/**
 * Sends one prompt to a provider that answers with `replies`; returns the answer and the requests
 * sent.
 */
export async function askProvider(
  { declared, prefix, env, question }: Scene,
  replies: readonly Reply[] | ((sent: SentRequest, nth: number) => Reply),
): Promise<{ answer: ProviderAnswer; sent: SentRequest[] }> {
  await using server = await startFakeProvider(replies);
  const variables = { [`${prefix}_BASE_URL`]: server.url, ...env };
  const provider = declared.open(variables, { concurrency: 1 });
  if (!provider) throw new Error(`${declared.name} is not configured`);
  return { answer: await waitForAnswer(provider, { ...QUESTION, ...question }), sent: server.sent };
}

/** The price of the scene's prompt. */
export function expectedPrice({ declared, env, question }: Scene): Price | undefined {
  return declared.open(env, { concurrency: 1 })?.price({ ...QUESTION, ...question }.source);
}

const MAX_POLLS = 20;

/**
 * Asks a provider until there is an answer: of a task, poll after poll, without the waits between
 * them.
 */
export async function waitForAnswer(provider: Provider, question: Question): Promise<ProviderAnswer> {
  const { signal } = new AbortController();
  if (provider.ask) return provider.ask(question, { signal });
  const begun = { key: "key-1", begunAt: "2026-11-01T08:00:00.000Z" };
  let state = await provider.tasks.submit(question, begun, { signal });
  for (let polls = 0; state.state === "pending" && polls < MAX_POLLS; polls++) {
    state = await provider.tasks.poll(state.taskId, question, { signal });
  }
  if (state.state === "failed") throw state.error;
  if (state.state === "pending") throw new Error("the task did not end");
  return state.answer;
}

/** Collects garbage again and again while `work` runs. */
export async function withGarbageCollection<T>(work: Promise<T>): Promise<T> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const collecting = setInterval(collect, 50);
  return work.finally(() => clearInterval(collecting));
}

/**
 * The outcome of a prompt: the answer with its raw body apart, or the failure, and the requests
 * sent.
 */
export async function settleAnswer(asked: ReturnType<typeof askProvider>) {
  try {
    const { answer, sent } = await asked;
    const { rawBody, ...stored } = answer;
    return { answer: stored, rawBody, sent };
  } catch (failure) {
    return { failure };
  }
}

/** The provider's check result for the operator, and the requests sent. */
export async function runProviderCheck(
  { declared, prefix, env }: Scene,
  replies: readonly Reply[],
): Promise<{ said: string[]; sent: SentRequest[] }> {
  await using server = await startFakeProvider(replies);
  const provider = declared.open({ [`${prefix}_BASE_URL`]: server.url, ...env }, { concurrency: 1 });
  if (!provider?.check) throw new Error(`${declared.name} cannot be checked`);
  const said = await provider.check({ signal: new AbortController().signal });
  return { said, sent: server.sent };
}
