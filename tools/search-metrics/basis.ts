import { z } from "zod";
import { COLLECTION_METHODS, SOURCE_NAMES, SOURCES, type Source } from "../../core/sources.ts";
import { Id, InstantField, SourceField } from "../../core/fields.ts";
import type { MeasuredCollect } from "../../db/measuring/search-metrics.ts";
import type { ChosenCollects } from "./choose-collects.ts";

const BasisCollect = z.object({
  collect_id: Id,
  number: z.int(),
  answers: z.int().describe("Those of it that were counted in this selection."),
  collected_from: InstantField.nullable(),
  collected_to: InstantField.nullable(),
  finished_at: InstantField.nullable(),
});

/** What metrics rest on, so that no figure stands without its period, its sources and how its answers came to be. */
export const Basis = z
  .object({
    legend: z.string().describe("What the figures are, how many answers they rest on, of when: one line."),
    answers: z.int().describe("Answers counted in this selection."),
    collects: z.array(BasisCollect),
    previous_collects: z.array(BasisCollect),
    sources: z
      .array(z.object({ source: SourceField, name: z.string(), answers: z.int() }))
      .describe("With answers that were counted."),
    collection_methods: z.array(z.enum(COLLECTION_METHODS)).describe("simulated: invented answers."),
  })
  .meta({ id: "MetricsBasis" });
type Basis = z.input<typeof Basis>;

/** Answers of one collect and source that a selection counts. */
export interface CountedAnswers {
  collectId: string;
  source: Source;
  answers: number;
}

/** `figures` says in a few words what the figures are; what is counted can be of other collects too. */
export function basisOf(
  figures: string,
  chosen: ChosenCollects,
  counted: { current: readonly CountedAnswers[]; previous: readonly CountedAnswers[] },
): Basis {
  const shape = (collects: readonly MeasuredCollect[], among: readonly CountedAnswers[]) =>
    collects.map((collect) =>
      shapeBasisCollect(
        collect,
        countOf(among, ({ collectId }) => collectId === collect.id),
      ),
    );
  const methods = new Set([...chosen.current, ...chosen.previous].flatMap((collect) => collect.collectionMethods));
  const ids = new Set(chosen.current.map(({ id }) => id));
  const current = counted.current.filter(({ collectId }) => ids.has(collectId));
  const basis = {
    answers: countOf(current, () => true),
    collects: shape(chosen.current, current),
    previous_collects: shape(chosen.previous, counted.previous),
    sources: SOURCES.map((source) => {
      return { source, name: SOURCE_NAMES[source], answers: countOf(current, (one) => one.source === source) };
    }).filter(({ answers }) => answers > 0),
    collection_methods: COLLECTION_METHODS.filter((method) => methods.has(method)),
  };
  return { legend: legendOf(figures, basis), ...basis };
}

function countOf(counted: readonly CountedAnswers[], counts: (one: CountedAnswers) => boolean): number {
  return counted.filter(counts).reduce((sum, { answers }) => sum + answers, 0);
}

function shapeBasisCollect(collect: MeasuredCollect, answers: number): Basis["collects"][number] {
  const { id, number, collectedFrom, collectedTo, finishedAt } = collect;
  const period = { collected_from: collectedFrom, collected_to: collectedTo };
  return { collect_id: id, number, answers, ...period, finished_at: finishedAt };
}

/** In one line, without what a tool's text would have to quote. */
function legendOf(figures: string, basis: Omit<Basis, "legend">): string {
  if (basis.collects.length === 0) return `${figures}. Nothing is measured yet.`;
  const sources = basis.sources.map(({ source, name, answers }) => `${name} (${source}) ${answers}`).join(", ");
  const compared = basis.previous_collects.map(collectText).join(", ");
  return [
    figures,
    `n = ${basis.answers} answers${sources === "" ? "" : ` of ${sources}`}`,
    basis.collects.map(collectText).join(", "),
    ...(compared === "" ? [] : [`compared with ${compared}`]),
    `collected by ${basis.collection_methods.join(", ") || "no method"}`,
  ].join("; ");
}

function collectText({
  number,
  answers,
  collected_from,
  collected_to,
  finished_at,
}: Basis["collects"][number]): string {
  const [from, to] = [collected_from ?? finished_at, collected_to ?? finished_at].map((at) => at?.slice(0, 10));
  const when = from === undefined ? "" : ` on ${from === to ? from : `${from} to ${to}`}`;
  return `collect ${number}${when} (${answers} answers)`;
}
