import { drawRequest, ENDPOINTS, randomFrom, type Endpoint, type Params } from "./selections.ts";
import type { MeasuredAnalysis } from "./scene.ts";

/** A request about an analysis, with the product's response. */
export interface Case {
  analysis: number;
  endpoint: Endpoint;
  params: Params;
  body: Record<string, unknown>;
  rows: Record<string, unknown>;
}

/** Random requests of each endpoint and analysis, with the product's responses. */
export async function drawCases(
  all: readonly MeasuredAnalysis[],
  of: { seed: number; selections: number },
): Promise<Case[]> {
  const cases: Case[] = [];
  for (const [analysis, measured] of all.entries()) {
    for (const endpoint of ENDPOINTS) {
      const random = randomFrom(of.seed + 100 * analysis + ENDPOINTS.indexOf(endpoint));
      for (let nth = 0; nth < of.selections; nth += 1) {
        const params = drawRequest(endpoint, measured, random);
        cases.push({ analysis, endpoint, params, ...(await readRows(measured, endpoint, params)) });
      }
    }
  }
  return cases;
}

/** The product's response, with the rows of all pages by name. */
async function readRows({ client, project, path, get }: MeasuredAnalysis, endpoint: Endpoint, params: Params) {
  const isOld = endpoint === "top-brands" || endpoint === "keywords-metrics";
  const query = new URLSearchParams(isOld ? { client_id: client, project_id: project } : { limit: "100" });
  if (endpoint === "top-brands") query.set("rows_per_page", "100");
  for (const name of endpoint === "keywords-metrics" ? ["sources", "thematics", "keyword_type"] : []) {
    if (!(name in params)) query.set(name, "");
  }
  for (const [name, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  }
  const at = isOld ? `/api/v1/${endpoint}` : `${path}/metrics/${endpoint}`;
  const rows: Record<string, unknown> = {};
  for (;;) {
    const { status, body } = await get(`${at}?${query.toString()}`);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)} ${query.toString()}`);
    for (const row of body.data) rows[nameOf(endpoint, row)] = row;
    if (body.next_cursor == null) {
      const { basis, citing_answers } = body;
      const total_count = body.total_count ?? body.data.length;
      const { answers: counted, left_out } = basis;
      return { rows, body: { total_count, answers: counted, left_out, citing_answers } };
    }
    query.set("cursor", body.next_cursor);
  }
}

const GROUPED = ["source", "channel", "collect", "topic", "thematic", "keyword", "persona", "country", "funnel_stage"];

/** The row name used by the other program. */
function nameOf(endpoint: Endpoint, row: Record<string, unknown>): string {
  if (endpoint === "top-brands") return String(row["brand"]);
  if (endpoint === "keywords-metrics") return String(row["keyword_id"]);
  if (endpoint === "citations") return String(row["url"] ?? row["domain"]);
  const names = GROUPED.filter((name) => name in row).toSorted();
  const group = names.map((name) => `${JSON.stringify(name)}: ${JSON.stringify(row[name])}`).join(", ");
  return `[${JSON.stringify(row["brand"])}, {${group}}]`;
}
