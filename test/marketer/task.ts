import type { Demo } from "./demo.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- a plan says what it reads of a result
type Result = any;

/** Calls a tool as an assistant does; a refusal ends the plan. */
export type Call = (tool: string, given?: Record<string, unknown>) => Promise<Result>;

/** A marketer's question on the demo, with the shortest plan of tool calls. */
export interface Task {
  question: string;
  /** Calls of an assistant; ids come from results, names from the question. */
  plan(call: Call): Promise<unknown>;
  /** The answer, computed without tools. */
  truth(demo: Demo): unknown;
}

interface Named {
  name: string;
}

/** The row of that name, as a model picks it from a list. */
export function findByName<T extends Named>(rows: T[], name: string): T {
  const row = rows.find((one) => one.name === name);
  if (!row) throw new Error(`no ${name} in the list`);
  return row;
}

/** The marketer's workspace; one call. */
export async function workspaceIds(call: Call): Promise<{ organization: string; workspace: string }> {
  const { data } = await call("list_workspaces");
  const { name, organization_id } = findByName<Named & { organization_id: string }>(data, "Espresso machines");
  return { organization: organization_id, workspace: name };
}

/** The analysis that runs there; two calls. */
export async function analysisIds(call: Call) {
  const ids = await workspaceIds(call);
  const { data } = await call("list_analyses", ids);
  return { ...ids, analysis: data[0].name as string };
}

/** Ids for metrics, which need no workspace; two calls. */
export async function readProjectIds(call: Call): Promise<{ organization: string; analysis: string }> {
  const { organization, analysis } = await analysisIds(call);
  return { organization, analysis };
}
