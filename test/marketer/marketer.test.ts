import { afterAll, expect, test } from "vitest";
import { HELD_BY_PEOPLE, instructions } from "../../src/http/mcp/tools/instructions.ts";
import { EXAMPLE_BASE_URL, toolTable } from "../../src/http/mcp/tools/tool-table.ts";
import { reads } from "../../tools/endpoint.ts";
import { endpoints } from "../../tools/index.ts";
import { once } from "../interface/rule.ts";
import { ACTION_TASKS } from "./action-tasks.ts";
import { ANSWER_TASKS } from "./answer-tasks.ts";
import { marketersDemo } from "./demo.ts";
import { MONEY_TASKS } from "./money-tasks.ts";
import { PERSON_TASKS } from "./person-tasks.ts";
import type { Call } from "./task.ts";
import { VISIBILITY_TASKS } from "./visibility-tasks.ts";

// What an assistant is asked on the demo data: each question by the shortest sequence of tool calls, against a truth
// that no tool had a part in.

const TASKS = [...VISIBILITY_TASKS, ...ANSWER_TASKS, ...ACTION_TASKS, ...MONEY_TASKS, ...PERSON_TASKS];
const MOST_CALLS = 5;

const demo = once(marketersDemo);
const calls = new Map<string, string[]>();

afterAll(() => demo.close());

for (const task of TASKS) {
  test(`marketer: ${task.question}`, async () => {
    const scene = await demo();
    const made: string[] = [];
    calls.set(task.question, made);
    const call: Call = async (tool, given = {}) => {
      made.push(tool);
      const { isError, text, structured } = await scene.client.call(tool, given);
      if (isError) throw new Error(`${tool}: ${text}`);
      // What is said beside the rows is said to clients that show only text, too.
      for (const note of structured.notes ?? []) expect(text).toContain(note);
      return structured;
    };
    const answer = await task.plan(call);
    expect(answer).toEqual(await task.truth(scene));
    expect([undefined, []]).not.toContainEqual(answer);
    expect(made.length).toBeLessThanOrEqual(MOST_CALLS);
  });
}

test("more than twenty questions are answered, none with more than five calls", () => {
  const lines = TASKS.map(({ question }) => {
    const made = calls.get(question) ?? [];
    return `${made.length}  ${question}  ${made.join(" → ")}`;
  });
  console.info(lines.join("\n"));
  expect(TASKS.length).toBeGreaterThan(21);
  expect(calls.size).toBe(TASKS.length);
});

test("what no tool does is said in the instructions, of every write and of nothing else, and no result repeats it", () => {
  // Fault: every result of fifteen tools listed what a person does elsewhere, of which a question needed nothing.
  const { tools } = toolTable(endpoints, EXAMPLE_BASE_URL);
  const shown = endpoints.filter((one) => reads(one)).map(({ path }) => bare(path));
  const writes = endpoints.filter(({ notATool }) => notATool === "write endpoint not marked for agents");
  expect(new Set(writes.map((write) => thingsAt(nearest(bare(write.path), shown))))).toEqual(new Set(HELD_BY_PEOPLE));
  const told = / in the console or over REST \(\S+\), and sends briefs there: ([^.]+)\./.exec(
    instructions(EXAMPLE_BASE_URL),
  );
  expect(told?.[1]?.split(", ")).toEqual(HELD_BY_PEOPLE);
  expect(tools.flatMap(({ name, note }) => (note === null ? [] : [name]))).toEqual([
    "price_search_analysis",
    "price_asset_evaluation",
  ]);
});

const bare = (path: string) => path.replaceAll(/:\w+/g, ":");

/** The longest of the addresses that a path is at or below. */
function nearest(path: string, addresses: readonly string[]): string {
  const above = addresses.filter((one) => path === one || path.startsWith(`${one}/`));
  return above.toSorted((a, b) => b.length - a.length)[0] ?? "";
}

/** What stands at an address, in words: `content briefs`. */
function thingsAt(address: string): string {
  const last = address.split("/").findLast((part) => part !== ":") ?? "";
  return `${last.replaceAll("-", " ").replace(/s$/, "")}s`;
}
