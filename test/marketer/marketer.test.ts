import { afterAll, expect, test } from "vitest";
import { EXAMPLE_BASE_URL, toolTable } from "../../src/http/mcp/tools/tool-table.ts";
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

test("what no tool does is said by the tool that shows the nearest thing, with its address", () => {
  const { tools } = toolTable(endpoints, EXAMPLE_BASE_URL);
  const notes = tools.map(({ note }) => note ?? "");
  const writes = endpoints.filter(({ notATool }) => notATool === "write endpoint not marked for agents");
  expect(writes.length).toBeGreaterThan(10);
  const unsaid = writes.filter(({ summary }) => !notes.some((note) => note.includes(summary)));
  expect(unsaid.map(({ name }) => name)).toEqual([]);
});
