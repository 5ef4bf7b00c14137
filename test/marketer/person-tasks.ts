import type { Demo } from "./demo.ts";
import { analysisIds, named, workspaceIds, type Task } from "./task.ts";

// What no tool does. The results say where a person does it, so that an assistant does not guess or pretend.

interface Place {
  method: string;
  path: string;
  /** Fields that the person has to give. */
  needs: string[];
}

/** Where the notes of a result say that a person does something. */
export function placeOf({ notes = [] }: { notes?: string[] }, wanted: RegExp): Place | undefined {
  for (const note of notes) {
    const base = /over REST at (\S+):/.exec(note)?.[1];
    const each = note.slice(note.indexOf(": ")).split("; ");
    const found = each
      .map((one) => /(.*) \((\w+)(?: (\/\S+?))?(?:, with (.*))?\)\.?$/.exec(one))
      .find((one) => wanted.test(one?.[1] ?? ""));
    if (base === undefined || !found) continue;
    const [, , method = "", below = "", needs = ""] = found;
    return { method, path: base + below, needs: needs === "" ? [] : needs.split(", ") };
  }
  return undefined;
}

/** The page on which a person does it, with the ids that the assistant knows. */
export function pageOf({ notes = [] }: { notes?: string[] }, ids: Record<string, string>): string | undefined {
  const page = notes.map((note) => /in the browser at (\S+)/.exec(note)?.[1]).find((found) => found !== undefined);
  return page?.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? name);
}

/** The operation as the reference has it, which is no tool. */
export async function operation({ person }: Demo, operationId: string): Promise<Place | undefined> {
  const { paths, components } = (await person.get("/openapi.json")).body;
  for (const [path, byMethod] of Object.entries(paths as Record<string, Record<string, Described>>)) {
    for (const [method, one] of Object.entries(byMethod)) {
      if (one.operationId !== operationId || "scope" in one["x-agent-tool"]) continue;
      const body = one.requestBody?.content["application/json"].schema.$ref.split("/").at(-1);
      const needs = body === undefined ? [] : components.schemas[body].required;
      return { method: method.toUpperCase(), path, needs };
    }
  }
  return undefined;
}

interface Described {
  operationId: string;
  "x-agent-tool": object;
  requestBody?: { content: { "application/json": { schema: { $ref: string } } } };
}

export const PERSON_TASKS: Task[] = [
  {
    question: 'Tag this analysis as "Q4 review".',
    async plan(call) {
      return placeOf(await call("get_analysis", await analysisIds(call)), /tags of an analysis/);
    },
    truth: (demo) => operation(demo, "replace_analysis_tags"),
  },
  {
    question: "Make a tag for it first.",
    async plan(call) {
      return placeOf(await call("list_tags", await workspaceIds(call)), /Create a workspace tag/);
    },
    truth: (demo) => operation(demo, "create_tag"),
  },
  {
    question: "Add Mondocup to the competitors we track.",
    async plan(call) {
      return placeOf(await call("list_brands", await workspaceIds(call)), /Add a brand/);
    },
    truth: (demo) => operation(demo, "create_brand"),
  },
  {
    question: 'Brindlecup also sells as "Brindle": count that name for it.',
    async plan(call) {
      const ids = await workspaceIds(call);
      const { data } = await call("list_brands", ids);
      const { id } = named<{ name: string; id: string }>(data, "Brindlecup");
      return placeOf(await call("get_brand", { ...ids, brand_id: id }), /Change a brand/);
    },
    truth: (demo) => operation(demo, "update_brand"),
  },
];
