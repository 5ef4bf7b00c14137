import { parseArgs } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { countNoun } from "../../core/audits/count-noun.ts";
import {
  JOB_SOURCES,
  findNamedMethod,
  toSource,
  type JobSource,
  overrideSourceNames,
  SOURCE_NAMES,
  type Source,
} from "../../core/sources/sources.ts";
import { KEYWORD_DATA_KINDS } from "../../core/analyses/keyword-data.ts";
import { toInstant } from "../../core/shared/time.ts";
import type { Store } from "../../db/engine/store.ts";
import { countUnreadBodies, listUnreadBodies } from "../../db/answers/unread-bodies.ts";
import type { Environment } from "../config/config.ts";
import { getMethod, openSources } from "../outside/sources/open-sources.ts";
import type {
  DeclaredProvider,
  NoProvider,
  Provider,
  ProviderAnswer,
  Question,
  Sources,
} from "../outside/sources/provider.ts";
import { findKeywordProvider } from "../outside/sources/keyword-tasks.ts";
import { describeExcessBills } from "./doctor-spending.ts";
import { ProviderError } from "../outside/sources/provider-error.ts";
import { checkProvider, describeFailure, MAX_SECONDS, type CheckResult } from "./check-provider.ts";
import type { CommandResult } from "./run-command.ts";

const DOCTOR_HELP = `Checks which provider answers each source, and prints a remedy for each failure. Sends no request that costs money.

  npx brand-visibility doctor                 checks every configured provider, all at once
  npx brand-visibility doctor --seconds 60    allows 60 seconds per provider instead of 15
  npx brand-visibility doctor --ask           also sends one prompt to each source whose provider responds, which costs money
  npx brand-visibility doctor --bodies NAME   prints the newest answers of a provider that could not be parsed

The exit code is 0 if every configured provider responds.
`;

const LABEL_WIDTH = 44;

const TEST_QUESTION: Omit<Question, "source"> = {
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

interface DoctorOptions {
  environment: Environment;
  declared: readonly DeclaredProvider[];
  store: Store | undefined;
}

export async function runDoctorCommand(doctor: DoctorOptions, args: string[]): Promise<CommandResult> {
  const { environment, store } = doctor;
  const { values } = parseArgs({
    args,
    options: {
      help: { type: "boolean" },
      ask: { type: "boolean" },
      bodies: { type: "string" },
      seconds: { type: "string", default: "15" },
    },
  });
  if (values.help) return { text: DOCTOR_HELP, ok: true };
  if (values.bodies !== undefined) return { text: await describeUnreadBodies(store, values.bodies), ok: true };
  overrideSourceNames(doctor.environment.SOURCE_NAMES);
  const seconds = Number(values.seconds);
  if (!(seconds > 0 && seconds <= MAX_SECONDS)) {
    return { text: `--seconds takes a number from 0 to ${MAX_SECONDS}.\n`, ok: false };
  }
  const sources = openSources(environment.providers, environment.chosenProviders);
  const checks = new Map<string, Promise<CheckResult>>();
  const checked = (provider: Provider) => {
    const known = checks.get(provider.name) ?? checkProvider(provider, { declared: doctor.declared, seconds });
    checks.set(provider.name, known);
    return known;
  };
  const idle = async (provider: Provider): Promise<CheckResult> => {
    const { text, ok } = await checked(provider);
    const [source] = Object.keys(provider.methods);
    return {
      text: `${provider.name} is not in use; to choose it, set SOURCE_${source}=${provider.name}: ${text}`,
      ok,
    };
  };
  const results = await Promise.all(
    listAskedSources(sources, environment).map((asked) =>
      checkSource(asked, sources[asked], { ...doctor, checked, asks: values.ask === true }),
    ),
  );
  const lines = [
    ...results.flat(),
    ...(await Promise.all(listUnusedProviders(environment.providers, sources).map(idle))),
  ];
  lines.push(await checkKeywords(environment.providers, doctor.declared, checked));
  const kept = store ? await store.read(countUnreadBodies) : [];
  const notes = kept.map(({ provider, bodies, newest }) => {
    return `${countNoun(bodies, "answer")} of ${provider} could not be parsed (newest: ${newest}). To print: npx brand-visibility doctor --bodies ${provider}`;
  });
  const spent = store
    ? await store.read((db) => describeExcessBills(db, { sources, providers: environment.providers }))
    : [];
  const ends = [
    ...(await summariseChecks(checks)),
    ...notes,
    ...spent,
    ...(values.ask ? [] : describeCosts(sources, environment)),
  ];
  const text = [...lines.map((line) => line.text), ...ends].join("\n");
  return { text: `${text}\n`, ok: lines.every(({ ok }) => ok) };
}

const KEYWORDS_LABEL = "Search volume of prompts".padEnd(LABEL_WIDTH);

async function checkKeywords(
  providers: readonly Provider[],
  declared: readonly DeclaredProvider[],
  checked: (provider: Provider) => Promise<CheckResult>,
): Promise<CheckResult> {
  const provider = findKeywordProvider(providers);
  if (provider) {
    const { text, ok } = await checked(provider);
    const knownFigures = KEYWORD_DATA_KINDS.filter((figures) => provider.keywords?.maxKeywords[figures] !== undefined);
    return { text: `${KEYWORDS_LABEL}${provider.name}, ${knownFigures.join(" and ")}: ${text}`, ok };
  }
  const can = declared.filter(({ hasKeywords }) => hasKeywords);
  const off = can.find(({ name }) => providers.some((one) => one.name === name));
  if (off)
    return { text: `${KEYWORDS_LABEL}none. ${off.title} is configured, but its keyword data is turned off.`, ok: true };
  const needs = can.map(({ needs: variables, title }) => `${variables.join(" and ")} (${title})`).join(", or ");
  return { text: `${KEYWORDS_LABEL}none${needs === "" ? "." : `. To enable it, set ${needs}.`}`, ok: true };
}

function listAskedSources(sources: Sources, { chosenProviders }: Environment): JobSource[] {
  return JOB_SOURCES.filter((asked) => {
    if (findNamedMethod(asked) === undefined || chosenProviders[asked] !== undefined) return true;
    return ![null, sources[toSource(asked)].name].includes(sources[asked].name);
  });
}

async function checkSource(
  asked: JobSource,
  provider: Provider | NoProvider,
  doctor: DoctorOptions & { checked: (provider: Provider) => Promise<CheckResult>; asks: boolean },
): Promise<CheckResult[]> {
  const source = toSource(asked);
  const by = findNamedMethod(asked) === undefined ? "" : `, by ${findNamedMethod(asked)}`;
  const label = `${SOURCE_NAMES[source]} (${source})${by}`.padEnd(LABEL_WIDTH);
  if (provider.name === null) {
    const isChosen = doctor.environment.chosenProviders[asked] !== undefined;
    return [
      { text: `${label}none. ${provider.reason}${describeMissingProvider(source, doctor.declared)}`, ok: !isChosen },
    ];
  }
  const method = getMethod(provider, source);
  if (method === "simulated")
    return [{ text: `${label}simulated.${describeMissingProvider(source, doctor.declared)}`, ok: true }];
  const { text, ok } = await doctor.checked(provider);
  const line = { text: `${label}${provider.name}, ${method}: ${text}`, ok };
  return doctor.asks && ok ? [line, await sendTestQuestion(provider, source)] : [line];
}

/** Some providers need explicit selection. */
function listUnusedProviders(providers: readonly Provider[], sources: Sources): Provider[] {
  const used = new Set(JOB_SOURCES.map((asked) => sources[asked].name));
  return providers.filter(({ name, methods }) => {
    return !used.has(name) && Object.values(methods).some((method) => method !== "simulated");
  });
}

async function summariseChecks(checks: ReadonlyMap<string, Promise<CheckResult>>): Promise<string[]> {
  const found = await Promise.all([...checks].map(async ([name, finding]) => ({ name, ok: (await finding).ok })));
  const silent = found.filter(({ ok }) => !ok).map(({ name }) => name);
  if (found.length === 0) return [];
  const count = `${found.length - silent.length} of ${countNoun(found.length, "configured provider")}`;
  const verb = found.length === 1 ? "answers" : "answer";
  return [`${count} ${verb}.${silent.length === 0 ? "" : ` Failing: ${silent.join(", ")}.`}`];
}

function describeMissingProvider(source: Source, declared: readonly DeclaredProvider[]): string {
  const can = declared.filter(({ serves, needs }) => source in serves && needs.length > 0);
  if (can.length === 0) return " No provider supports this source yet.";
  return ` For real answers, set ${can.map(({ needs, title }) => `${needs.join(" and ")} (${title})`).join(", or ")}.`;
}

async function sendTestQuestion(provider: Provider, source: Source): Promise<CheckResult> {
  try {
    const { text, results, citations, costUsd, model } = await fetchAnswer(provider, { ...TEST_QUESTION, source });
    const cost = costUsd === null ? "an unknown amount" : `$${costUsd}`;
    const what = `${text.length} characters, ${results.length} results, ${citations.length} citations`;
    return { text: `  answered: ${what}, by ${model ?? "no named model"}, for ${cost}`, ok: true };
  } catch (error) {
    return {
      text: `  ${describeFailure(error, provider)}`,
      ok: false,
    };
  }
}

async function fetchAnswer(provider: Provider, question: Question): Promise<ProviderAnswer> {
  const { signal } = new AbortController();
  if (provider.ask) return provider.ask(question, { signal });
  const { submit, poll, pollEveryMs, maxTaskMs } = provider.tasks;
  const began = Date.now();
  const begun = { key: crypto.randomUUID(), begunAt: toInstant(began) };
  let state = await submit(question, begun, { signal });
  while (state.state === "pending" && Date.now() - began < maxTaskMs) {
    await sleep(state.pollAfterMs ?? pollEveryMs);
    state = await poll(state.taskId, question, { signal });
  }
  if (state.state === "answered") return state.answer;
  throw state.state === "failed" ? state.error : new ProviderError("timeout");
}

function describeCosts(sources: Sources, environment: Environment): string[] {
  const real = listAskedSources(sources, environment).flatMap((asked) => {
    const [provider, source] = [sources[asked], toSource(asked)];
    return provider.name === null || provider.methods[source] === "simulated" ? [] : [provider.price(source)];
  });
  if (real.length === 0) return [];
  const known = real.reduce((sum, { expectedUsd }) => sum + (expectedUsd ?? 0), 0);
  const unknown = real.filter(({ expectedUsd }) => expectedUsd === null).length;
  const amounts = [
    ...(known > 0 ? [`about $${known}`] : []),
    ...(unknown > 0 ? [`the unknown price of ${countNoun(unknown, "answer")}`] : []),
  ];
  return [
    `npx brand-visibility doctor --ask sends ${countNoun(real.length, "prompt")}, for ${amounts.join(" and ") || "nothing"}.`,
  ];
}

async function describeUnreadBodies(store: Store | undefined, provider: string): Promise<string> {
  const bodies = store ? await store.read((db) => listUnreadBodies(db, provider)) : [];
  if (bodies.length === 0) return `No unparsed answers of ${provider} are stored.\n`;
  return bodies.map(({ at, kind, jobId, body }) => `${at} ${kind}, prompt ${jobId}\n${body}\n`).join("\n");
}
