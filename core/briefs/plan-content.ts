import type { Evidence } from "../actions/action.ts";
import type { Audience, CitedSource, NamedEntity, OutlineSection, TargetPrompt } from "./content-brief.ts";

export interface ContentMaterial {
  own: string;
  subject: string;
  prompts: readonly (TargetPrompt & { relatedQueries: readonly string[] })[];
  persona: (Audience & { coreQuestions: readonly string[] }) | null;
  sources: readonly CitedSource[];
  entities: readonly NamedEntity[];
  /** Counted by the figures of the plan. */
  answerNoun: "AI answers" | "result pages";
}

export interface ContentPlan {
  title: string;
  audience: Audience;
  outline: OutlineSection[];
  questions: string[];
}

const MAX_SECTIONS = 8;
const MAX_QUESTIONS = 20;

export function planContent(material: ContentMaterial): ContentPlan {
  const { own, subject, prompts, persona, entities, sources, answerNoun } = material;
  const rivals = entities.filter((entity) => !entity.own).slice(0, 5);
  return {
    title: `${subject.charAt(0).toUpperCase()}${subject.slice(1)}: what to know, by ${own}`
      .slice(0, 255)
      .toWellFormed(),
    audience: persona === null ? buildDefaultAudience(prompts) : toAudience(persona),
    outline: [
      { heading: "The short answer", points: planShortAnswer(material) },
      ...prompts.slice(0, MAX_SECTIONS).map((prompt) => planSection(prompt, own, answerNoun)),
      ...(rivals.length === 0 ? [] : [planComparison(own, rivals, answerNoun)]),
      {
        heading: "Facts and sources",
        points: [
          "Verifiable figures, each with its source and date.",
          ...sources.slice(0, 3).map(({ domain }) => `Statements of ${domain}, confirmed or corrected.`),
        ],
      },
    ],
    questions: selectQuestions(material),
  };
}

function planShortAnswer({ own, subject, persona }: ContentMaterial): string[] {
  const points = [`The offer of ${own} for ${subject}, in two or three sentences.`];
  if (persona !== null) points.push(`Suitable for: ${persona.name}.`);
  return [...points, "Price and limitations."];
}

function planSection(prompt: TargetPrompt, own: string, answerNoun: string): OutlineSection {
  const { keyword, answers, occurrences, search_volume } = prompt;
  const searched = search_volume === null ? "" : `, searched for ${search_volume} times a month`;
  return {
    heading: keyword,
    points: [
      `Answer it in the first two sentences${searched}.`,
      `Today ${own} is in ${occurrences} of ${answers} ${answerNoun}.`,
    ],
  };
}

function planComparison(own: string, rivals: readonly NamedEntity[], answerNoun: string): OutlineSection {
  return {
    heading: "How it compares",
    points: rivals.map(
      ({ brand, occurrences }) => `${own} and ${brand}, which ${occurrences} of these ${answerNoun} name.`,
    ),
  };
}

/** Questions among keywords and related queries, then those of the persona. */
function selectQuestions({ prompts, persona }: ContentMaterial): string[] {
  const asked = prompts
    .flatMap(({ keyword, relatedQueries }) => [keyword, ...relatedQueries])
    .filter((text) => QUESTION_PATTERN.test(text.trim()));
  const all = [...asked, ...(persona?.coreQuestions ?? [])];
  const chosen = all.length > 0 ? all : prompts.map(({ keyword }) => keyword);
  return [...new Set(chosen)].slice(0, MAX_QUESTIONS);
}

const QUESTION_PATTERN =
  /\?\s*$|^(?:who|what|which|when|where|why|how|is|are|can|do|does|should|will|wer|was|welche[rs]?|wann|wo|warum|wie|ist|sind|kann|soll)\b/i;

function buildDefaultAudience(prompts: readonly TargetPrompt[]): Audience {
  const stages = [...new Set(prompts.flatMap(({ funnel_stage }) => funnel_stage ?? []))];
  const where = stages.length === 0 ? "" : ` Stages: ${stages.join(", ")}.`;
  return {
    persona_id: null,
    name: "People who ask these questions",
    description: `These prompts have no persona.${where}`,
    motivations: [],
    pain_points: [],
  };
}

function toAudience({ coreQuestions: _asked, ...audience }: NonNullable<ContentMaterial["persona"]>): Audience {
  return audience;
}

export function toPromptEvidence(
  prompt: TargetPrompt,
  base: Pick<Evidence, "collect_id" | "brand_id" | "brand" | "brand_occurrences" | "answer_ids">,
): Evidence {
  return {
    rule: null,
    counted: true,
    previous_collect_id: null,
    keyword_id: prompt.keyword_id,
    keyword: prompt.keyword,
    topic_id: null,
    topic: null,
    source: null,
    search_volume: prompt.search_volume,
    answers: prompt.answers,
    occurrences: prompt.occurrences,
    previous_answers: null,
    previous_occurrences: null,
    rank: null,
    previous_rank: null,
    brand_rank: null,
    domain: null,
    url: null,
    opinion: null,
    ...base,
  };
}
