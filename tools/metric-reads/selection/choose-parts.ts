import { isSimulated, selectOneMethod, type CollectedPart } from "../../../core/metrics/select-counted-parts.ts";
import {
  COLLECTION_METHODS,
  selectSummedSources,
  type CollectionMethod,
  type PresenceBasis,
  type Source,
} from "../../../core/sources/sources.ts";

// Selects the answers to count: one kind, and one method per source and collect.

export interface AnswersPart extends CollectedPart {
  collectId: string;
  answers: number;
}

export interface MethodCount {
  method: CollectionMethod;
  answers: number;
}

interface PartsWanted {
  sources: readonly Source[] | null;
  presence?: PresenceBasis | undefined;
  isSimulated: boolean | undefined;
  method?: CollectionMethod | undefined;
  everyMethod?: boolean | undefined;
}

/** `order` is the method order of the analysis. */
export function chooseParts<Part extends AnswersPart>(
  all: readonly Part[],
  wanted: PartsWanted,
  order: readonly CollectionMethod[],
) {
  const hasCollected = all.some((one) => !isSimulated(one) && one.answers > 0);
  const kind = wanted.isSimulated ?? (all.some(isSimulated) && !hasCollected);
  const together = (alike: readonly Part[]) => {
    const answering = alike.filter(({ answers }) => answers > 0).map(({ source }) => source);
    const sources = new Set(wanted.sources ?? selectSummedSources(answering, wanted.presence));
    return alike.filter(({ source }) => sources.has(source));
  };
  const ofKind = all.filter((one) => isSimulated(one) === kind);
  const byMethod = ofKind.filter(({ method }) => wanted.method === undefined || method === wanted.method);
  const selected = together(byMethod);
  const collects = [...new Set(selected.map(({ collectId }) => collectId))];
  const counted = collects.flatMap((id) => {
    const own = selected.filter(({ collectId }) => collectId === id);
    return wanted.everyMethod ? own : selectOneMethod(own, order, ({ answers }) => answers);
  });
  const others = together(ofKind).filter((one) => !counted.includes(one));
  return {
    counted,
    isSimulated: kind,
    omitted: sumAnswers(together(all.filter((one) => isSimulated(one) !== kind))),
    otherMethods: countMethods(others),
  };
}

export function countMethods(parts: readonly AnswersPart[]): MethodCount[] {
  return COLLECTION_METHODS.map((method) => {
    return { method, answers: sumAnswers(parts.filter((one) => one.method === method)) };
  }).filter(({ answers }) => answers > 0);
}

function sumAnswers(parts: readonly { answers: number }[]): number {
  return parts.reduce((sum, { answers }) => sum + answers, 0);
}
