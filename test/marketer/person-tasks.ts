import { RESOURCES_WITHOUT_TOOLS } from "../../src/http/mcp/tools/instructions.ts";
import type { Demo } from "./demo.ts";
import type { Task } from "./task.ts";

// Tasks without a tool. The instructions state that a person does them, so that an assistant does
// not guess.

/** True if the instructions state that people change these things. */
export const isManagedByPeople = (things: string) => RESOURCES_WITHOUT_TOOLS.includes(things);

/** Console page named in a result for changes. */
export function pageOf({ notes = [] }: { notes?: string[] }): string | undefined {
  return notes.map((note) => /^No tool can change this. A person can, at (\S+)$/.exec(note)?.[1]).find(Boolean);
}

/** True for an operation of REST that is no tool. */
export async function isForPeople({ person }: Demo, operationId: string): Promise<boolean> {
  const { paths } = (await person.get("/openapi.json")).body;
  const operations = Object.values(paths as Record<string, Record<string, Described>>).flatMap(
    Object.values<Described>,
  );
  const found = operations.find((one) => one.operationId === operationId);
  return found !== undefined && !("scope" in found["x-agent-tool"]);
}

interface Described {
  operationId: string;
  "x-agent-tool": object;
}

const manualTask = (question: string, things: string, operationId: string): Task => ({
  question,
  plan: async () => isManagedByPeople(things),
  truth: (demo) => isForPeople(demo, operationId),
});

export const PERSON_TASKS: Task[] = [
  manualTask('Tag this analysis as "Q4 review".', "tags", "replace_analysis_tags"),
  manualTask("Make a tag for it first.", "tags", "create_tag"),
  manualTask("Add Mondocup to the competitors we track.", "brands", "create_brand"),
  manualTask('Brindlecup also sells as "Brindle": count that name for it.', "brands", "update_brand"),
];
