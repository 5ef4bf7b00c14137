import { listAnalyses } from "../../../../tools/analyses/list-analyses.ts";
import { listBrands } from "../../../../tools/brands/list-brands.ts";
import { meaningsIn, type Named } from "../../../../core/shared/names.ts";
import type { CallEndpoint } from "./call-endpoint.ts";
import { allWorkspaces } from "./prompts.ts";

/** Value of an argument with its display name. */
interface Choice {
  value: string;
  called: string;
}

/** Max suggestions (2025-06-18, server/utilities/completion). */
const MOST = 100;
/** Max workspaces searched if none is chosen. */
const SEARCHED = 10;

/**
 * Suggests values for an argument from the person's own data: names for prompt arguments, ids for
 * addresses. `chosen` has the arguments given so far. Unknown arguments get no suggestions.
 */
export async function complete(
  argument: { name: string; value: string },
  chosen: Record<string, string>,
  ask: CallEndpoint,
): Promise<{ values: string[]; total: number; hasMore: boolean }> {
  const typed = argument.value.toLowerCase();
  const fitting = (await choicesOf(argument.name, chosen, ask)).filter(
    ({ value, called }) => value.toLowerCase().startsWith(typed) || called.toLowerCase().includes(typed),
  );
  const values = [...new Set(fitting.map(({ value }) => value))];
  return { values: values.slice(0, MOST), total: values.length, hasMore: values.length > MOST };
}

async function choicesOf(name: string, chosen: Record<string, string>, ask: CallEndpoint): Promise<Choice[]> {
  const workspaces = await allWorkspaces(ask);
  const inOrganization = workspaces.filter(
    ({ organization_id: organization }) => (chosen["organization_id"] ?? organization) === organization,
  );
  const workspace = chosen["workspace_id"] ?? chosen["workspace"];
  const among = workspace === undefined ? inOrganization : meaningsIn(inOrganization)(workspace);
  if (name === "organization_id") return workspaces.map((one) => ({ value: one.organization_id, called: one.name }));
  if (name === "workspace_id") return byId(among);
  if (name === "workspace") return byName(among);
  const places = among.slice(0, SEARCHED).map((one) => ({
    organization_id: one.organization_id,
    workspace_id: one.id,
    limit: MOST,
  }));
  if (name === "analysis_id" || name === "analysis") {
    const lists = await Promise.all(places.map((place) => ask(listAnalyses, place)));
    const analyses = lists.flatMap(({ data }) => data);
    return name === "analysis" ? byName(analyses) : byId(analyses);
  }
  if (name !== "brand") return [];
  const lists = await Promise.all(places.map((place) => ask(listBrands, place)));
  return byName(lists.flatMap(({ data }) => data));
}

function byId(rows: readonly Named[]): Choice[] {
  return rows.map((one) => ({ value: one.id, called: one.name }));
}

/** Names as values, ids for ambiguous names. */
function byName(rows: readonly Named[]): Choice[] {
  const meanings = meaningsIn(rows);
  return rows.map((one) => ({ value: meanings(one.name).length === 1 ? one.name : one.id, called: one.name }));
}
