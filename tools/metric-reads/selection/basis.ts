import { z } from "zod";
import {
  COLLECTION_METHODS,
  getPresenceBasis,
  SOURCE_NAMES,
  SOURCES,
  type CollectionMethod,
  type Source,
} from "../../../core/sources/sources.ts";
import { Id, InstantField, outsideTextSchema, SourceField, removeInvisible } from "../../../core/shared/fields.ts";
import type { AnswerCounts } from "../../../core/metrics/metrics.ts";
import { isBackgroundJobActive } from "../../../db/jobs/background-jobs.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import type { MeasuredCollect } from "../../../db/metrics/search-metrics.ts";
import type { ChosenCollects } from "./choose-collects.ts";
import type { MethodCount } from "./choose-parts.ts";

const BasisCollectSchema = z.object({
  collect_id: Id,
  number: z.int(),
  status: z.enum(["completed", "partial"]).describe("partial: some prompts failed, so answers are missing."),
  answers: z.int().describe("Answers of the run counted in this selection."),
  collected_from: InstantField.nullable(),
  collected_to: InstantField.nullable(),
  finished_at: InstantField.nullable(),
  collection_methods: z.array(z.enum(COLLECTION_METHODS)),
  models: z.array(outsideTextSchema()).describe("Models, as their providers name them."),
  reading_version: z.int().nullable().describe("Version of the extraction rules; null if answers differ."),
  catalog_version: z.int().nullable().describe("Version of the brand catalog; null if answers differ."),
});

export const Basis = z
  .object({
    legend: z.string().describe("Summary in one line: metrics, number of answers, period."),
    answers: z.int().describe("Answers counted in this selection."),
    informative: z.int().nullable().describe("Counted answers that name a tracked brand or link to a known site."),
    not_shown: z.int().nullable().describe("Times a source showed no answer, such as no AI overview (not counted)."),
    prompts: z.int().nullable().describe("Prompts with an answer."),
    runs_per_prompt: z
      .object({ least: z.int(), most: z.int() })
      .nullable()
      .describe("Answers per prompt and source (repeats)."),
    kind: z.enum(["collected", "simulated"]).describe("simulated: invented answers, never mixed with collected ones."),
    left_out: z.int().describe("Answers of the other kind, not counted."),
    other_methods: z
      .array(z.object({ method: z.enum(COLLECTION_METHODS), answers: z.int() }))
      .optional()
      .describe("Answers of the same sources by another method, not counted; set `method` to count them."),
    collects: z.array(BasisCollectSchema),
    previous_collects: z.array(BasisCollectSchema).describe("Previous run; a change names its own in compared_with."),
    sources: z
      .array(
        z.object({
          source: SourceField,
          name: z.string(),
          answers: z.int(),
          presence: z
            .enum(["name", "domain"])
            .describe("Rule for presence: by name (answers) or by domain (search results)."),
        }),
      )
      .describe("Sources with counted answers."),
    collection_methods: z.array(z.enum(COLLECTION_METHODS)).describe("simulated: invented answers."),
    brands: z.int().describe("Number of tracked brands without sub-brands; ranks depend on it."),
    judges: z
      .array(z.object({ model: outsideTextSchema(), answers: z.int() }))
      .optional()
      .describe("Language models that extracted opinions in addition to the rules, with their number of answers."),
    keyword_figures: z
      .array(
        z.object({
          from: z.string().describe("setup, import, or the name of a provider."),
          keywords: z.int().describe("Prompts with a search volume from this origin."),
          country: z.string(),
          language: z.string(),
          first_at: InstantField.nullable(),
          last_at: InstantField.nullable().describe("Time of the request or import; null for the setup."),
        }),
      )
      .optional()
      .describe("Origin of the search volumes."),
    is_rereading: z.boolean().describe("true: stored answers are being processed again, so values can still change."),
    chosen: z.array(z.string()).describe("Runs and filters chosen in the request."),
  })
  .meta({ id: "MetricsBasis" });
type Basis = z.input<typeof Basis>;

/** Fields that tools show by default. The legend has numbers of answers, sources, runs, dates and methods. */
export const BASIS_SUMMARY = ["legend", "chosen"] as const satisfies readonly (keyof Basis)[];

export interface CountedAnswers {
  collectId: string;
  source: Source;
  /** Absent if all answers of the source in the collect share one method. */
  method?: CollectionMethod | undefined;
  answers: number;
}

export interface CountedSelection {
  /** Undefined if no brands were summed. */
  sums: AnswerCounts | undefined;
  isSimulated: boolean;
  omitted: number;
  otherMethods: readonly MethodCount[];
  current: readonly CountedAnswers[];
  previousAnswers: readonly CountedAnswers[];
  familyCount: number;
  judges?: Basis["judges"] | undefined;
  keywordFigures?: Basis["keyword_figures"] | undefined;
  filters: readonly string[];
  /** True if rows have changes, which name their own baselines. */
  hasChanges?: boolean;
  /** Extraction is incomplete: some answers are missing from the metrics. */
  isReading?: boolean;
}

/** Ends the legend of metrics that raise the question why. */
export const CAUSE_NOTE = "cause not measured";
export const GAP_LEGEND = `gap = value minus that of versus over the same answers, paired by prompt, ${CAUSE_NOTE}`;
/** Ends the legend of rows that are prompts. */
export const PROMPT_NOTE = `a prompt alone has too few answers for a verdict, so compare its counts; ${CAUSE_NOTE}`;

/** `figures` names the metrics in a few words; `counted` can include other collects. */
export async function readBasis(
  tenant: Tenant,
  figures: string,
  chosen: ChosenCollects,
  counted: CountedSelection,
): Promise<Basis> {
  const isRereading = await isBackgroundJobActive(tenant, "reread_answers", tenant.workspaceId);
  const shape = (collects: readonly MeasuredCollect[], among: readonly CountedAnswers[]) =>
    collects.map((collect) =>
      shapeBasisCollect(collect, {
        isSimulated: counted.isSimulated,
        counted: among.filter(({ collectId }) => collectId === collect.id),
        otherMethods: counted.otherMethods,
      }),
    );
  const ids = new Set(chosen.current.map(({ id }) => id));
  const current = counted.current.filter(({ collectId }) => ids.has(collectId));
  const collects = shape(chosen.current, current);
  const previous = shape(chosen.previous, counted.previousAnswers);
  const methods = new Set([...collects, ...previous].flatMap(({ collection_methods }) => collection_methods));
  const { sums } = counted;
  const basis: Omit<Basis, "legend"> = {
    answers: countAnswersWhere(current, () => true),
    informative: sums?.informative ?? null,
    not_shown: sums?.not_shown ?? null,
    prompts: sums?.keywords ?? null,
    runs_per_prompt: sums && sums.total > 0 ? { least: sums.runs_least, most: sums.runs_most } : null,
    kind: counted.isSimulated ? "simulated" : "collected",
    left_out: counted.omitted,
    ...(counted.otherMethods.length > 0 ? { other_methods: [...counted.otherMethods] } : {}),
    collects,
    previous_collects: previous,
    sources: SOURCES.map((source) => ({
      source,
      name: SOURCE_NAMES[source],
      answers: countAnswersWhere(current, (one) => one.source === source),
      presence: getPresenceBasis(source),
    })).filter(({ answers }) => answers > 0),
    collection_methods: COLLECTION_METHODS.filter((method) => methods.has(method)),
    brands: counted.familyCount,
    ...(counted.judges ? { judges: counted.judges } : {}),
    ...(counted.keywordFigures ? { keyword_figures: counted.keywordFigures } : {}),
    is_rereading: isRereading || counted.isReading === true,
    chosen: [...chosen.chosen, ...counted.filters],
  };
  return {
    legend: formatLegend(figures, basis, { hasChanges: counted.hasChanges === true, missing: chosen.missing }),
    ...basis,
  };
}

function countAnswersWhere(counted: readonly CountedAnswers[], counts: (one: CountedAnswers) => boolean): number {
  return counted.filter(counts).reduce((sum, { answers }) => sum + answers, 0);
}

function shapeBasisCollect(
  collect: MeasuredCollect,
  {
    counted,
    isSimulated,
    otherMethods,
  }: { counted: readonly CountedAnswers[]; isSimulated: boolean; otherMethods: readonly MethodCount[] },
): Basis["collects"][number] {
  const { id, number, status, collectedFrom, collectedTo, finishedAt, ways, summedVersion } = collect;
  const ofKind = ways.filter(({ method }) => (method === "simulated") === isSimulated);
  const isCounted = ({ source, method }: (typeof ways)[number]) => {
    const methods = counted.filter((one) => one.source === source).map((one) => one.method);
    if (methods.length === 0) return otherMethods.length === 0;
    return methods.includes(method) || methods.includes(undefined);
  };
  const own = ofKind.filter(isCounted);
  const models = new Set(own.flatMap(({ model }) => (model === null ? [] : [removeInvisible(model)])));
  const [reading, ...others] = summedVersion?.split(".").map(Number) ?? [];
  return {
    collect_id: id,
    number,
    status: status === "partial" ? "partial" : "completed",
    answers: countAnswersWhere(counted, () => true),
    collected_from: collectedFrom,
    collected_to: collectedTo,
    finished_at: finishedAt,
    collection_methods: COLLECTION_METHODS.filter((method) => own.some((way) => way.method === method)),
    models: [...models].toSorted(),
    reading_version: reading ?? null,
    catalog_version: others.at(-1) ?? null,
  };
}

/** One line, free of characters that a tool's text would quote. */
function formatLegend(
  figures: string,
  basis: Omit<Basis, "legend">,
  { hasChanges, missing }: { hasChanges: boolean; missing: string | null },
): string {
  if (basis.collects.length === 0) return `${figures}. ${missing ?? "Nothing is measured yet."}`;
  const sources = basis.sources.map(({ source, name, answers }) => `${name} (${source}) ${answers}`).join(", ");
  const compared = basis.previous_collects.map(collectText).join(", ");
  return [
    figures,
    ...(hasChanges
      ? [`change = after minus before over common cells, p adjusted for the number of rows, ${CAUSE_NOTE}`]
      : []),
    `n = ${basis.answers} answers${sources === "" ? "" : `: ${sources}`}`,
    basis.collects.map(collectText).join(", "),
    ...(compared === "" || hasChanges ? [] : [`compared with ${compared}`]),
    `collected by ${basis.collection_methods.join(", ") || "no method"}`,
    ...(basis.left_out === 0
      ? []
      : [`${basis.left_out} ${basis.kind === "simulated" ? "other" : "simulated"} answers are not counted`]),
    ...(basis.other_methods ?? []).map(({ method, answers }) => `${answers} answers by ${method} are not counted`),
    ...(basis.judges ?? []).map(
      ({ model, answers }) => `the model ${removeInvisible(model)} also extracted opinions from ${answers} answers`,
    ),
    ...(basis.is_rereading
      ? ["brands changed, so past answers are being processed again: values can still change"]
      : []),
  ].join("; ");
}

function collectText({
  number,
  status,
  answers,
  collected_from,
  collected_to,
  finished_at,
}: Basis["collects"][number]): string {
  const [from, to] = [collected_from ?? finished_at, collected_to ?? finished_at].map((at) => at?.slice(0, 10));
  const when = from === undefined ? "" : ` on ${from === to ? from : `${from} to ${to}`}`;
  const partial = status === "partial" ? ", partial" : "";
  return `run ${number}${when} (${answers} answers${partial})`;
}
