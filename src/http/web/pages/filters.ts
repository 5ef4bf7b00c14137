import type { z } from "zod";
import type { Analysis } from "../../../../tools/analyses/analysis.ts";
import type { Collect } from "../../../../tools/analyses/collect.ts";
import type { getProjectFilters } from "../../../../tools/search-metrics/get-project-filters.ts";
import { html, type Html } from "../html.ts";
import { dayShown } from "./days.ts";

export type ShownAnalysis = z.output<typeof Analysis>;
export type ShownCollect = z.output<typeof Collect>;
export type Filters = z.output<typeof getProjectFilters.output>;

/** What a page of figures is narrowed by: parameters of its address. */
export const FILTER_NAMES = ["source", "topic", "persona", "stage"] as const;

/** The filters of an address as the endpoints of figures take them. Empty ones narrow nothing. */
export function figureFilters(query: URLSearchParams) {
  const one = (name: (typeof FILTER_NAMES)[number]) => query.get(name) || undefined;
  const [source, topic, persona, stage] = FILTER_NAMES.map(one);
  return {
    ...(source === undefined ? {} : { sources: [source] }),
    ...(topic === undefined ? {} : { topics: [topic] }),
    ...(persona === undefined ? {} : { personas: [persona] }),
    ...(stage === undefined ? {} : { funnel_stages: [stage] }),
  };
}

/** A choice of a form; `any` is what stands for none. */
export interface Choice {
  name: string;
  label: string;
  any?: string | undefined;
  options: readonly (readonly [value: string, shown: string])[];
}

/** The choices of analysis and collect. */
export function analysisChoices(of: {
  analyses: readonly ShownAnalysis[];
  measured: readonly ShownCollect[];
  latest: string;
}): Choice[] {
  return [
    { name: "analysis", label: "Analysis", options: of.analyses.map(({ id, name }) => [id, name] as const) },
    {
      name: "collect",
      label: "Collect",
      any: of.latest,
      options: of.measured.map(
        (one) => [one.id, `${one.number}: ${dayShown(one.collected_to ?? one.finished_at)}`] as const,
      ),
    },
  ];
}

function named(list: readonly { id: string; name: string }[]) {
  return list.map(({ id, name }) => [id, name] as const);
}

/** The choices of what figures are narrowed to, by name; those alone that the analysis has. */
export function narrowingChoices({ source_names, topics, personas, funnel_stages }: Filters): Choice[] {
  const all: Choice[] = [
    {
      name: "source",
      label: "Source",
      any: "All",
      options: source_names.map(({ source, name }) => [source, name] as const),
    },
    { name: "topic", label: "Topic", any: "All", options: named(topics) },
    { name: "persona", label: "Persona", any: "All", options: named(personas) },
    {
      name: "stage",
      label: "Funnel stage",
      any: "All",
      options: funnel_stages.map((one) => [one, stageShown(one)] as const),
    },
  ];
  return all.filter(({ options }) => options.length > 0);
}

function stageShown(stage: string): string {
  const words = stage.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * A form whose choices become the address, so that a view can be sent to a colleague. `chosen` is what stands for what the
 * address leaves out, and `held` stays in it though it is no choice.
 */
export function choiceForm(
  path: string,
  query: URLSearchParams,
  choices: readonly Choice[],
  { chosen, held = {} }: { chosen: Readonly<Record<string, string>>; held?: Readonly<Record<string, string>> },
): Html {
  return html`<form method="get" action="${path}" class="choices">
    ${Object.entries(held).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    ${choices.map((choice) => select(choice, query.get(choice.name) ?? chosen[choice.name] ?? ""))}
    <button class="secondary">Show</button>
  </form>`;
}

function select({ name, label, any, options }: Choice, chosen: string): Html {
  return html`<label class="field"
    >${label}
    <select name="${name}">
      ${any !== undefined && html`<option value="">${any}</option>`}
      ${options.map(([value, shown]) => html`<option value="${value}" ${value === chosen && html` selected`}>${shown}</option>`)}
    </select></label
  >`;
}
