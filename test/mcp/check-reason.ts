import { SOURCE_NAMES } from "../../core/sources/sources.ts";
import { toToolName, type AnyEndpoint } from "../../tools/endpoint.ts";
import { toToolParameterName } from "../../src/http/mcp/tools/tool-parameter-names.ts";
import type { ToolClient } from "../support/tool-client.ts";
import type { Person } from "../support/world.ts";
import type { Fields } from "../whole/call.ts";

/** An empty list with the notes of its result. */
export interface EmptyList {
  client: ToolClient;
  person: Person;
  toolNames: ReadonlySet<string>;
  endpoint: AnyEndpoint;
  input: Fields;
  notes: readonly string[];
}

// oxlint-disable-next-line typescript/no-explicit-any -- rows of any tool
type Row = any;

/** Reads of other tools that confirm the reasons by pattern; the groups of the pattern are `found`. */
const CHECKS: [RegExp, (list: EmptyList, found: string[]) => Promise<boolean>][] = [
  [/No row matches (\w+)[^;]*; without \1 there are rows/, (list, [field = ""]) => hasRows(list, [field])],
  [/No row matches all of ([^;]+); without them there are rows/, (list, [all = ""]) => hasRows(list, all.split(", "))],
  [/No row matches (\w+)[^;]*; with another value of \1 there are rows/, (list, [field = ""]) => hasOther(list, field)],
  [/This analysis is a (\w+), so it has no such rows: (\w+) has its results/, isOfType],
  [/No completed run of this analysis asked (.+)\. It asked (.+); get_project_filters/, hasNotAsked],
  [/No prompt of this analysis matches (\w+)\./, hasNoPrompts],
  [/No run of this analysis ended .*The nearest is run (\d+), on ([\d-]+);/, hasNearestRun],
  [/No run \(collect\) of this analysis has|No answers are imported yet/, hasNoRuns],
  [/No facts of these brands are declared/, hasNoFacts],
  [/The audit (?:found no page|could read none of its pages \((\d+)\))/, hasReadNoPage],
];

/** The fault of the reason; undefined if another tool confirms it, and it names a tool or page that exists. */
export async function checkReason(list: EmptyList): Promise<string | undefined> {
  const notes = list.notes.join(" ");
  const named = [...notes.matchAll(/\b(?:list|get|price|create|await|explain)_[a-z_]+/g)].map(([name]) => name);
  const parameters = Object.keys(list.endpoint.input.shape);
  const unknown = named.filter((name) => !list.toolNames.has(name) && !parameters.includes(name));
  if (unknown.length > 0) return `names no tool: ${unknown.join(", ")}`;
  const pages = [...notes.matchAll(/(http:\/\/localhost:\d+)(\/\S*\w)/g)].map((match) => match[2] ?? "");
  if (named.length + pages.length === 0) return "names neither a tool nor a page";
  for (const page of new Set(pages)) {
    const { status } = await list.person.get(page);
    if (status >= 400) return `${page} returns ${status}`;
  }
  for (const [pattern, check] of CHECKS) {
    const found = pattern.exec(notes);
    if (found) return (await check(list, found.slice(1))) ? undefined : `is not true: ${found[0]}`;
  }
  const { whenEmpty } = list.endpoint;
  const start = typeof whenEmpty === "string" ? whenEmpty.split(" /")[0] : undefined;
  if (start === undefined || !notes.includes(start)) return "gives no known reason";
  return (await hasRows(list, Object.keys(list.input).filter(isFree(list))))
    ? "there are rows without filters"
    : undefined;
}

/** Names that another call can leave out. */
const isFree =
  ({ endpoint }: EmptyList) =>
  (name: string) =>
    !endpoint.path.includes(`:${name}`) &&
    !["client_id", "project_id", "statistics", "since", "until", "period"].includes(name);

const isMeasured = ({ status }: Row) => status === "completed" || status === "partial";

/** True if no measured run is in the dates of the list, and run `number` is one of the day `date`. */
async function hasNearestRun({ client, input }: EmptyList, [number, date]: string[]): Promise<boolean> {
  const { since, until, period, ...place } = input;
  const analysis = place["analysis_id"] ?? place["project_id"];
  const runs = async (dates: Fields): Promise<Row[]> => {
    const ids = { organization: place["organization_id"] ?? place["client_id"], workspace: place["workspace_id"] };
    return (await client.call("list_collects", { ...ids, analysis, ...dates })).structured?.data ?? [];
  };
  const within = (await runs({ since, until, period })).filter((run) => isMeasured(run) && !run.is_imported);
  const near = await runs({ since: date, until: date });
  return within.length === 0 && near.some((run) => run.number === Number(number));
}

async function readRows({ client, endpoint }: EmptyList, input: Fields): Promise<Row[]> {
  const { structured } = await client.call(toToolName(endpoint), input);
  return structured?.data ?? [];
}

/** `fields` are names of tool parameters or of REST. */
async function hasRows(list: EmptyList, fields: readonly string[]): Promise<boolean> {
  const isLeftOut = (name: string) => fields.includes(name) || fields.includes(toToolParameterName(name));
  const rest = Object.entries(list.input).filter(([name]) => !isLeftOut(name));
  return (await readRows(list, Object.fromEntries(rest))).length > 0;
}

const OTHER_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  collect: ["all"],
  workflow_status: ["open", "new", "confirmed", "dismissed"],
  still_observed: [true, false],
};

async function hasOther(list: EmptyList, field: string): Promise<boolean> {
  const key = Object.keys(list.endpoint.input.shape).find((name) => toToolParameterName(name) === field) ?? "";
  for (const value of OTHER_VALUES[field] ?? [])
    if ((await readRows(list, { ...list.input, [key]: value })).length > 0) return true;
  return false;
}

/** The input of a tool of the same analysis. */
function analysisOf({ input }: EmptyList): Fields {
  const { organization_id, client_id, workspace_id, analysis_id, project_id } = input;
  return {
    organization: organization_id ?? client_id,
    ...(workspace_id === undefined ? {} : { workspace: workspace_id }),
    analysis: analysis_id ?? project_id,
  };
}

async function isOfType(list: EmptyList, [type, tool = ""]: string[]): Promise<boolean> {
  const analysis = await list.client.call("get_analysis", analysisOf(list));
  const results = await list.client.call(tool, analysisOf(list));
  return analysis.structured.type === type && !results.isError;
}

async function hasNotAsked(list: EmptyList, [unasked = "", asked = ""]: string[]): Promise<boolean> {
  const { organization, analysis } = analysisOf(list);
  const filters = await list.client.call("get_project_filters", { organization, analysis, fields: ["sources"] });
  const names = (filters.structured.sources as (keyof typeof SOURCE_NAMES)[]).map((source) => SOURCE_NAMES[source]);
  return (
    names.toSorted().join() === asked.split(", ").toSorted().join() && !names.some((name) => unasked.includes(name))
  );
}

/** Columns of prompts by the parameter that selects them. */
const COLUMNS: Readonly<Record<string, string>> = {
  funnel_stages: "funnel_stage",
  personas: "persona_id",
  prompt_kinds: "kind",
};

async function hasNoPrompts(list: EmptyList, [field = ""]: string[]): Promise<boolean> {
  const key = Object.keys(list.input).find((name) => toToolParameterName(name) === field) ?? field;
  const [value] = list.input[key] as unknown[];
  const { organization, analysis } = analysisOf(list);
  const { structured } = await list.client.call("list_projects", { organization, fields: ["id", "workspace_id"] });
  const workspace = structured.data.find((one: Row) => one.id === analysis).workspace_id;
  const path = `/v1/organizations/${String(organization)}/workspaces/${workspace}`;
  const id =
    field === "personas"
      ? (await list.person.get(`${path}/personas`)).body.data.find((one: Row) => [one.id, one.name].includes(value)).id
      : value;
  const tool = field === "prompt_kinds" ? "prompts" : "keywords";
  const prompts = (await list.person.get(`${path}/analyses/${String(analysis)}/${tool}?limit=100`)).body.data as Row[];
  return prompts.every((one) => one[COLUMNS[field] ?? ""] !== id);
}

async function hasNoRuns(list: EmptyList): Promise<boolean> {
  const { organization, analysis } = analysisOf(list);
  const { structured } = await list.client.call("list_project_collects", { organization, analysis });
  return structured.data.every(({ status }: Row) => status !== "completed" && status !== "partial");
}

async function hasNoFacts({ client, person, input }: EmptyList): Promise<boolean> {
  const { organization_id: organization, workspace_id: workspace } = input;
  const path = `/v1/organizations/${String(organization)}/workspaces/${String(workspace)}`;
  const all = (await person.get(`${path}/brands`)).body.data as Row[];
  const brands = (input["brands"] as string[] | undefined) ?? all.map(({ id }) => id as string);
  const facts = brands.map((brand) => client.call("list_brand_facts", { organization, workspace, brand }));
  return (await Promise.all(facts)).every(({ structured }) => structured.data.length === 0);
}

async function hasReadNoPage(list: EmptyList, [skipped = "0"]: string[]): Promise<boolean> {
  const { structured } = await list.client.call("get_audit", analysisOf(list));
  const pages = await list.client.call("list_audit_pages", analysisOf(list));
  const isTold = skipped === "0" ? structured.remarks.length > 0 : true;
  return isTold && structured.pages.audited === 0 && pages.structured.data.length === Number(skipped);
}
