import { findAction } from "../../db/actions/recommended-actions.ts";
import { listAnalysisMethods } from "../../db/analyses/analysis-methods.ts";
import { removeInvisible } from "../../core/shared/fields.ts";
import type { AnyEndpoint, Context } from "../../tools/endpoint.ts";

type Fields = Record<string, unknown>;

const SIMULATED_ANSWERS = "Simulated answers: invented, not measured.";
const SIMULATED_SITE = "Simulated site: invented pages, not measured.";

/**
 * Note of a result that rests on simulated answers. The result's own collection methods decide;
 * without any, those of the analyses that the call or the result names.
 */
export async function findSimulatedNote(
  endpoint: AnyEndpoint,
  input: Fields,
  result: Fields,
  context: Context,
): Promise<string | undefined> {
  // Credits and providers are real, even for simulated answers.
  if (endpoint.group === "Organizations") return undefined;
  const { run, basis } = result as { run?: Fields | null; basis?: Fields };
  if ((run ?? result)["is_simulated"] === true) return SIMULATED_SITE;
  const rows = Array.isArray(result["data"]) ? (result["data"] as Fields[]) : [result];
  const stated = (basis ? [basis] : rows).map(listStatedMethods).filter((methods) => methods.length > 0);
  if (stated.length > 0) return describeMethods(stated);
  const actionId = input["result_id"];
  const action = typeof actionId === "string" ? await findAction(context.tenant, actionId) : undefined;
  return action ? describeMethods([action.collectionMethods]) : describeAnalyses(endpoint, input, rows, context);
}

function listStatedMethods({ collection_method: one, collection_methods: several }: Fields): readonly unknown[] {
  return typeof one === "string" ? [one] : Array.isArray(several) ? several : [];
}

function describeMethods(stated: readonly (readonly unknown[])[]): string | undefined {
  const simulated = stated.filter((methods) => methods.includes("simulated"));
  if (simulated.length === 0) return undefined;
  const isWhole = simulated.length === stated.length && simulated.every((methods) => methods.length === 1);
  return isWhole ? SIMULATED_ANSWERS : `${SIMULATED_ANSWERS} This holds where the collection method is simulated.`;
}

async function describeAnalyses(endpoint: AnyEndpoint, input: Fields, rows: readonly Fields[], { tenant }: Context) {
  const named = input["analysis_id"] ?? input["project_id"];
  const ids = named === undefined ? rows.flatMap(listAnalysisIds) : [named];
  const among = endpoint.restsOnWorkspace ? { workspaceId: tenant.workspaceId } : { id: ids.map(String) };
  if (among.id?.length === 0) return undefined;
  const analyses = await listAnalysisMethods(tenant, among);
  // An analysis with both kinds counts only its collected answers.
  const simulated = analyses.filter(({ methods }) => methods.size === 1 && methods.has("simulated"));
  if (simulated.length === 0) return undefined;
  if (simulated.length === analyses.length) return SIMULATED_ANSWERS;
  const names = simulated.map(({ name }) => JSON.stringify(removeInvisible(name))).join(", ");
  return `${SIMULATED_ANSWERS} This holds for the analyses ${names}.`;
}

/** Ids in a row that can be those of an analysis, such as those of the examples of a suggestion. */
function listAnalysisIds({ id, analysis_id: analysisId, examples }: Fields): unknown[] {
  const others = Array.isArray(examples) ? (examples as Fields[]).map((one) => one["analysis_id"]) : [];
  return [id, analysisId, ...others].filter((one) => typeof one === "string");
}
