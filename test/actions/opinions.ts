import { unpackPerception } from "../../core/metrics/facts/collect-perception.ts";
import { createPerceptionGatherer } from "../../core/metrics/facts/perception-gatherer.ts";
import type { StoredPerception } from "../../core/metrics/facts/stored-perception.ts";
import { createAspectNamer } from "../../core/perception/attributes.ts";
import type { FactWithClaims, OpinionView } from "../../core/actions/opinion-view.ts";
import type { OpenedAnswers } from "../../core/actions/rules/opened-answer.ts";
import type { Source } from "../../core/sources/sources.ts";
import { OTHER_RIVAL, OWN, RIVAL } from "./collect-view.ts";

export const BRAND_NUMBERS = new Map([
  [OWN, 1],
  [RIVAL, 2],
  [OTHER_RIVAL, 3],
]);

/** An answer to a prompt with its extracted opinions; it also names the own brand. */
export interface OpinionAnswer {
  prompt: number;
  text?: string;
  source?: Source;
  /** Heads of cons of the own brand; the con is the text from `at` on. */
  cons?: string[];
  /** Preferences by brand and aspect. */
  prefers?: [better: number, worse: number, aspect: string | null][];
  /** Clause scores of attributes. */
  scores?: [brand: number, attribute: string, score: number][];
}

const ASSISTANT = "ASSISTANT_A";

/** Opinions whose spans are the whole text. */
function createPerception({ text = "", cons = [], prefers = [], scores = [] }: OpinionAnswer): StoredPerception {
  const place = { start: 0, end: text.length };
  return {
    language: "en",
    unjudged: null,
    judge: null,
    stances: [{ brand: 1, ...place, stance: "mentioned" }],
    points: cons.map((head) => ({ brand: 1, ...place, polarity: "con", head })),
    comparisons: prefers.map(([better, worse, aspect]) => ({ better, worse, ...place, aspect })),
    attributes: scores.map(([brand, attribute, score]) => ({ brand, ...place, attribute, score })),
  };
}

/** A collect of answers as it is stored, and the answers opened: the key of each is its place. */
export function createOpinionView(
  answers: readonly OpinionAnswer[],
  { attributes = [], facts = [] }: { attributes?: string[]; facts?: FactWithClaims[] } = {},
): { view: OpinionView; opened: OpenedAnswers } {
  const prompts = 1 + Math.max(...answers.map(({ prompt }) => prompt));
  const gathering = createPerceptionGatherer(prompts);
  const numbered = answers.map((answer, key) => ({ ...answer, key }));
  for (const answer of numbered.toSorted((a, b) => a.prompt - b.prompt)) {
    const { prompt: question, key, source = ASSISTANT, text = "" } = answer;
    const way = { collectionMethod: "api" as const, model: "m-1" };
    gathering.add({ question, key, source, ...way, isShown: true, text, perception: createPerception(answer) });
  }
  return {
    view: {
      prompts: Array.from({ length: prompts }, (_, at) => {
        return {
          id: `p${at}`,
          text: `prompt ${at}`,
          kind: "unaided",
          asksProsCons: false,
          questions: [at],
          brandIds: [],
        };
      }),
      sources: gathering.sources().map((one) => ({ source: one.source, perception: unpackPerception(one.pack()) })),
      numberByBrandId: BRAND_NUMBERS,
      facts,
      attributes,
      canonicalAspect: createAspectNamer(attributes),
    },
    opened: {
      answers: new Map(
        numbered.map((one) => {
          const answer = { id: `a${one.key}`, text: one.text ?? "", spans: createPerception(one), citations: [] };
          return [one.key, answer];
        }),
      ),
      ownHosts: new Map([["own.test", true]]),
    },
  };
}
