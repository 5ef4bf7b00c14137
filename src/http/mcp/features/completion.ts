import { listAnalyses } from "../../../../tools/analyses/list-analyses.ts";
import { listBrands } from "../../../../tools/brands/list-brands.ts";
import { createNameResolver, type Named } from "../../../../core/shared/names.ts";
import type { CallEndpoint } from "./call-endpoint.ts";
import { listFirstWorkspaces } from "./prompts.ts";

interface ArgumentChoice {
  value: string;
  label: string;
}

/** Max suggestions (2025-06-18, server/utilities/completion). */
const MAX_SUGGESTIONS = 100;
const MAX_SEARCHED_WORKSPACES = 10;

/**
 * Suggests values for an argument from the person's own data: names for prompt arguments, ids for
 * addresses. `chosen` has the arguments given so far. Unknown arguments get no suggestions.
 */
export async function complete(
  argument: { name: string; value: string },
  chosen: Record<string, string>,
  call: CallEndpoint,
): Promise<{ values: string[]; total: number; hasMore: boolean }> {
  const typed = argument.value.toLowerCase();
  const fitting = (await listChoices(argument.name, chosen, call)).filter(
    ({ value, label }) => value.toLowerCase().startsWith(typed) || label.toLowerCase().includes(typed),
  );
  const values = [...new Set(fitting.map(({ value }) => value))];
  return { values: values.slice(0, MAX_SUGGESTIONS), total: values.length, hasMore: values.length > MAX_SUGGESTIONS };
}

async function listChoices(
  name: string,
  chosen: Record<string, string>,
  call: CallEndpoint,
): Promise<ArgumentChoice[]> {
  const workspaces = await listFirstWorkspaces(call);
  const inOrganization = workspaces.filter(
    ({ organization_id: organization }) => (chosen["organization_id"] ?? organization) === organization,
  );
  const workspace = chosen["workspace_id"] ?? chosen["workspace"];
  const among = workspace === undefined ? inOrganization : createNameResolver(inOrganization)(workspace);
  if (name === "organization_id") return workspaces.map((one) => ({ value: one.organization_id, label: one.name }));
  if (name === "workspace_id") return toChoicesById(among);
  if (name === "workspace") return toChoicesByName(among);
  const places = among.slice(0, MAX_SEARCHED_WORKSPACES).map((one) => ({
    organization_id: one.organization_id,
    workspace_id: one.id,
    limit: MAX_SUGGESTIONS,
  }));
  if (name === "analysis_id" || name === "analysis") {
    const lists = await Promise.all(places.map((place) => call(listAnalyses, place)));
    const analyses = lists.flatMap(({ data }) => data);
    return name === "analysis" ? toChoicesByName(analyses) : toChoicesById(analyses);
  }
  if (name !== "brand") return [];
  const lists = await Promise.all(places.map((place) => call(listBrands, place)));
  return toChoicesByName(lists.flatMap(({ data }) => data));
}

function toChoicesById(rows: readonly Named[]): ArgumentChoice[] {
  return rows.map((one) => ({ value: one.id, label: one.name }));
}

/** Names as values, ids for ambiguous names. */
function toChoicesByName(rows: readonly Named[]): ArgumentChoice[] {
  const meanings = createNameResolver(rows);
  return rows.map((one) => ({ value: meanings(one.name).length === 1 ? one.name : one.id, label: one.name }));
}
