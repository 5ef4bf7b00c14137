import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RESOURCES_WITHOUT_TOOLS, instructions } from "../../src/http/mcp/tools/instructions.ts";
import { EXAMPLE_BASE_URL, buildToolTable } from "../../src/http/mcp/tools/tool-table.ts";
import { isReadEndpoint } from "../../tools/endpoint.ts";
import { endpoints } from "../../tools/index.ts";
import { once } from "../interface/rule.ts";
import { ACTION_TASKS } from "./action-tasks.ts";
import { ANSWER_TASKS } from "./answer-tasks.ts";
import { ANSWERABLE } from "./answerable.ts";
import { marketerDemo } from "./demo.ts";
import { MONEY_TASKS } from "./money-tasks.ts";
import { OPINION_TASKS } from "./opinion-tasks.ts";
import { PARAPHRASES } from "./paraphrases.ts";
import { PERSON_TASKS } from "./person-tasks.ts";
import { MAX_CALLS, play, type Played } from "./player.ts";
import {
  CONTEXT_SENTENCE,
  findInventedMetrics,
  hasAllFacts,
  isExplained,
  type Question,
  type Reasoned,
  type Unanswerable,
} from "./question.ts";
import type { Call } from "./task.ts";
import { UNANSWERABLE } from "./unanswerable.ts";
import { VISIBILITY_TASKS } from "./visibility-tasks.ts";
import { PENDING_QUESTIONS } from "./pending-questions.ts";

// Questions to an assistant on the demo, checked against a truth independent of tools. A fixed
// player that only knows the tool list plays them (player.ts). Handwritten plans show the minimum
// number of calls, and questions that spend or need a person.

const TASKS = [
  ...VISIBILITY_TASKS,
  ...ANSWER_TASKS,
  ...OPINION_TASKS,
  ...ACTION_TASKS,
  ...MONEY_TASKS,
  ...PERSON_TASKS,
];
/** This share of the questions in other words is answered at least. */
const ANSWERED_IN_OTHER_WORDS = 0.8;
/** Max tokens that a question may make a model read. */
const MOST_TOKENS = 8000;

const demo = once(marketerDemo);
const calls = new Map<string, string[]>();
const priceTokens: number[] = [];

beforeAll(async () => void (await demo()), 120_000);
afterAll(() => demo.close());

/**
 * Plays a question; true if results contain the answer, or state why there is none without values.
 */
async function playOn(asked: Question | Reasoned | Unanswerable, words = asked.question) {
  const scene = await demo();
  const facts = "facts" in asked ? await asked.facts(scene) : [];
  const isAnswered = (seen: readonly Played[]) =>
    "facts" in asked ? hasAllFacts(seen, facts) : isExplained(seen, asked);
  const call = (tool: string, given: Record<string, unknown>) => scene.client.call(tool, given);
  const seen = await play(words, CONTEXT_SENTENCE, { tools: await scene.client.list(), call, isAnswered });
  const tokens = seen.reduce((sum, one) => sum + tokensOf(one), 0);
  const figures = "without" in asked ? findInventedMetrics(seen, asked) : [];
  return { question: words, facts, seen, tokens, figures, isAnswered: isAnswered(seen) };
}

/** Tokens of a result in its heavier form. */
function tokensOf({ text, structured = null }: Played): number {
  return Math.max(countTokens(text), countTokens(JSON.stringify(structured)));
}

type Outcome = Awaited<ReturnType<typeof playOn>>;

function lineOf({ question, seen, tokens }: Outcome): string {
  return `${seen.length} ${String(tokens).padStart(5)}  ${question}  ${seen.map(({ tool }) => tool).join(" → ")}`;
}

const outcomes: Outcome[] = [];

/** Median tokens of the results that are no errors: as text, and in the heavier form. */
function resultsLine(): string {
  const results = outcomes.flatMap(({ seen }) => seen).filter(({ isError }) => !isError);
  const [asText, asHeavier] = [({ text }: Played) => countTokens(text), tokensOf].map((measure) => {
    const sorted = results.map(measure).toSorted((a, b) => a - b);
    return sorted[sorted.length >> 1];
  });
  return `${results.length} results: median ${asText} tokens as text, ${asHeavier} in the heavier form`;
}

for (const asked of [...ANSWERABLE, ...UNANSWERABLE]) {
  test(`played: ${asked.question}`, async () => {
    const outcome = await playOn(asked);
    outcomes.push(outcome);
    const made = outcome.seen.map(({ tool, given }) => ({ tool, given }));
    expect({ ...outcome, seen: made }).toMatchObject({ isAnswered: true, figures: [] });
    expect(made.length).toBeLessThanOrEqual(MAX_CALLS);
    expect(outcome.tokens).toBeLessThanOrEqual(MOST_TOKENS);
  });
}

for (const waiting of PENDING_QUESTIONS) {
  test(`not answered yet, for want of ${waiting.waitsFor}: ${waiting.question}`, async () => {
    const { facts, isAnswered } = await playOn(waiting);
    // A fact without a value could never match.
    expect(facts.flat()).not.toContain(undefined);
    expect("facts" in waiting).toBe(facts.length > 0);
    expect(isAnswered, "It is answered now: move it to the questions that are.").toBe(false);
  });
}

test("four fifths of the questions that are put in other words are answered", async () => {
  const asked = [...ANSWERABLE, ...UNANSWERABLE].filter(({ question }) => question in PARAPHRASES);
  const played = await Promise.all(asked.map((one) => playOn(one, PARAPHRASES[one.question])));
  const answered = played.filter(({ isAnswered, figures }) => isAnswered && figures.length === 0);
  const lines = played.map((one) => `${answered.includes(one) ? " " : "✗"} ${lineOf(one)}`);
  console.info([...lines, `in other words: ${answered.length} of ${played.length}`].join("\n"));
  expect(played.length).toBe(Object.keys(PARAPHRASES).length);
  expect(answered.length / played.length).toBeGreaterThanOrEqual(ANSWERED_IN_OTHER_WORDS);
});

test("sixty questions and more are played, twenty of them without an answer", () => {
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const all = `${outcomes.length} questions: ${sum(({ seen }) => seen.length)} calls, ${sum(({ tokens }) => tokens)} tokens`;
  console.info([...outcomes.map(lineOf), all, resultsLine()].join("\n"));
  expect(ANSWERABLE.length + UNANSWERABLE.length).toBeGreaterThanOrEqual(60);
  expect(UNANSWERABLE.length).toBeGreaterThanOrEqual(20);
});

for (const task of TASKS) {
  test(`marketer: ${task.question}`, async () => {
    const scene = await demo();
    const made: string[] = [];
    calls.set(task.question, made);
    const call: Call = async (tool, given = {}) => {
      made.push(tool);
      const { isError, text, structured } = await scene.client.call(tool, given);
      if (tool.startsWith("price_")) priceTokens.push(tokensOf({ tool, given, text, isError, structured }));
      if (isError) throw new Error(`${tool}: ${text}`);
      // Notes also appear in the text, for text-only clients.
      for (const note of structured.notes ?? []) expect(text).toContain(note);
      return structured;
    };
    const answer = await task.plan(call);
    expect(answer).toEqual(await task.truth(scene));
    expect([undefined, []]).not.toContainEqual(answer);
    expect(made.length).toBeLessThanOrEqual(MAX_CALLS);
  });
}

test("answers more than twenty questions, each with at most five calls", () => {
  const lines = TASKS.map(({ question }) => {
    const made = calls.get(question) ?? [];
    return `${made.length}  ${question}  ${made.join(" → ")}`;
  });
  console.info([...lines, `price results: at most ${Math.max(...priceTokens)} tokens`].join("\n"));
  expect(TASKS.length).toBeGreaterThan(21);
  expect(calls.size).toBe(TASKS.length);
});

test("the instructions list exactly the writes that no tool performs, and no result repeats them", () => {
  // Fault: results of fifteen tools listed writes for people that no question needed.
  const { tools } = buildToolTable(endpoints, EXAMPLE_BASE_URL);
  const shown = endpoints.filter((one) => isReadEndpoint(one)).map(({ path }) => bare(path));
  const writes = endpoints.filter(({ notATool }) => notATool === "write endpoint not marked for agents");
  expect(new Set(writes.map((write) => thingsAt(nearest(bare(write.path), shown))))).toEqual(
    new Set(RESOURCES_WITHOUT_TOOLS),
  );
  const told = / in the console or over REST \(\S+\), and send briefs: ([^.]+)\./.exec(instructions(EXAMPLE_BASE_URL));
  expect(told?.[1]?.split(", ")).toEqual(RESOURCES_WITHOUT_TOOLS);
  expect(tools.flatMap(({ name, resultNote }) => (resultNote === null ? [] : [name]))).toEqual([
    "price_search_analysis",
    "create_search_analysis",
    "create_brand_analysis",
    "price_brand_analysis",
    "create_geo_audit",
    "price_geo_audit",
    "price_asset_evaluation",
  ]);
});

const bare = (path: string) => path.replaceAll(/:\w+/g, ":");

/** The longest of the addresses that a path is at or below. */
function nearest(path: string, addresses: readonly string[]): string {
  const above = addresses.filter((one) => path === one || path.startsWith(`${one}/`));
  return above.toSorted((a, b) => b.length - a.length)[0] ?? "";
}

/** Things at an address, in words: `content briefs`. */
function thingsAt(address: string): string {
  const last = address.split("/").findLast((part) => part !== ":") ?? "";
  return `${last.replaceAll("-", " ").replace(/s$/, "")}s`;
}
