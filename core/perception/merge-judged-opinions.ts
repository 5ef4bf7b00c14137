import { findQuote } from "../assets/check-quotes.ts";
import type { JudgedOpinions, PerceptionReading, Span, TrackedBrand } from "../reading/capture.ts";
import type { CompiledCatalog } from "../reading/catalog.ts";
import { toHeadNoun } from "./head-nouns.ts";

export interface JudgingContext {
  brands: readonly Pick<TrackedBrand, "id" | "name">[];
  category: string | undefined;
  attributes: readonly string[];
}

/** Language model that extracts opinions in addition to the rules. */
export interface OpinionJudge {
  /** Name of the model, which fields named `basis` report. */
  name: string;
  /** Throws ScorerError if the response does not have the requested form. */
  judge(text: string, of: JudgingContext, options: { signal: AbortSignal }): Promise<JudgedOpinions>;
}

type RulesReading = Omit<PerceptionReading, "awareness">;

/**
 * Adds a model's findings to those of the rules. A finding counts only if its quote is in the text,
 * its brands are mentioned, and the rules found nothing for the brand in the same span.
 */
export function mergeJudgedOpinions(
  read: RulesReading,
  judged: JudgedOpinions,
  answer: { text: string; catalog: CompiledCatalog },
): RulesReading {
  const brandIds = new Set(read.stances.map(({ brandId }) => brandId));
  const isNamed = (id: string) => answer.catalog.indexById.has(id) && brandIds.has(id);
  const place = ({ quote }: { quote: string }): Span | undefined => {
    const found = findQuote(answer.text, quote);
    return found && { start: found.start, end: found.end };
  };
  const points = judged.points.flatMap(({ brand: brandId, polarity, ...one }) => {
    const span = place(one);
    if (!span || !isNamed(brandId)) return [];
    if (read.points.some((known) => known.brandId === brandId && areOverlapping(known, span))) return [];
    const head = toHeadNoun(answer.text.slice(span.start, span.end), read.language === "en");
    return [{ brandId, ...span, polarity, head }];
  });
  const comparisons = judged.comparisons.flatMap(({ better, worse, aspect, ...one }) => {
    const span = place(one);
    if (!span || better === worse || !isNamed(better) || !isNamed(worse)) return [];
    const isSame = (known: RulesReading["comparisons"][number]) =>
      [known.better, known.worse].every((id) => id === better || id === worse) && areOverlapping(known, span);
    return read.comparisons.some(isSame) ? [] : [{ better, worse, aspect, ...span }];
  });
  const attributes = judged.attributes.flatMap(({ brand: brandId, attribute, score, ...one }) => {
    const span = place(one);
    if (!span || !isNamed(brandId)) return [];
    const isSame = (known: RulesReading["attributes"][number]) =>
      known.brandId === brandId && known.attribute === attribute && areOverlapping(known, span);
    return read.attributes.some(isSame) ? [] : [{ brandId, attribute, score, ...span }];
  });
  return {
    ...read,
    judge: judged.judge,
    // Says that clauses were judged, since the model also covers languages without rules.
    unjudged: null,
    points: sortSpans([...read.points, ...points]),
    comparisons: sortSpans([...read.comparisons, ...comparisons]),
    attributes: sortSpans([...read.attributes, ...attributes]),
  };
}

function areOverlapping(one: Span, other: Span): boolean {
  return one.start < other.end && other.start < one.end;
}

function sortSpans<One extends Span>(spans: readonly One[]): One[] {
  return spans.toSorted((a, b) => a.start - b.start || a.end - b.end);
}
