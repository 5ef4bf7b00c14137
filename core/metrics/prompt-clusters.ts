import type { CollectFacts } from "./facts/collect-facts.ts";

// What counts as one in intervals and changes is a prompt with all that was asked of it (docs/measurement.md, section 6). A keyword is one
// question. A prompt of a brand analysis is a question in each country and as each persona, and facts are by question.

/** Positions of the questions that are one prompt. */
export type Prompt = readonly number[];

/**
 * Which questions of an analysis are one, by position: the first position of the prompt, and that of the prompt in the same country and as
 * the same persona. Null where each question is a prompt.
 */
export type PromptClusters = { prompts: Uint32Array; cells: Uint32Array } | null;

/** What tells which prompt a question of a brand analysis is, and where and as whom it is asked. */
export interface PromptQuestion {
  position: number;
  promptKind: string | null;
  askedBrandId: string | null;
  lookAlike: string | null;
  text: string;
  country: string | null;
  personaId: string | null;
}

/** Prompts of one kind about one name and in one wording are one, wherever and as whomever it is asked. */
export function clustersOf(questions: readonly PromptQuestion[]): PromptClusters {
  const asked = questions.filter(({ promptKind }) => promptKind !== null);
  if (asked.length === 0) return null;
  const length = 1 + asked.reduce((most, { position }) => Math.max(most, position), 0);
  const prompts = Uint32Array.from({ length }, (_, position) => position);
  const cells = prompts.slice();
  const first = new Map<string, number>();
  const firstOf = (key: string, position: number) => {
    const known = first.get(key) ?? position;
    first.set(key, known);
    return known;
  };
  for (const { position, promptKind, askedBrandId, lookAlike, text, country, personaId } of asked) {
    const prompt = [promptKind, askedBrandId, lookAlike, text];
    prompts[position] = firstOf(JSON.stringify(prompt), position);
    cells[position] = firstOf(JSON.stringify([...prompt, country, personaId]), position);
  }
  return { prompts, cells };
}

/** The prompts of some questions, in the order of the first question of each. */
export function promptsIn(positions: readonly number[], clusters: PromptClusters): Prompt[] {
  return groupedBy(positions, clusters?.prompts);
}

/** The cells of a prompt at a source: one for each country and persona, mostly of one question. */
export function cellsIn(prompt: Prompt, clusters: PromptClusters): Prompt[] {
  return groupedBy(prompt, clusters?.cells);
}

function groupedBy(positions: readonly number[], firsts: Uint32Array | undefined): Prompt[] {
  if (!firsts) return positions.map((position) => [position]);
  const groups = new Map<number, number[]>();
  for (const position of positions) {
    const first = firsts[position] ?? position;
    const known = groups.get(first);
    if (known) known.push(position);
    else groups.set(first, [position]);
  }
  return [...groups.values()];
}

/** Which questions count: 1 at the position of each that does. Null if all do. */
export type KeywordMask = Uint8Array | null;

/** Positions that count of all that some collects have: later ones can have more. */
export function positionsIn(all: readonly Pick<CollectFacts, "answers">[], mask: KeywordMask): number[] {
  const length = all.reduce((most, { answers }) => Math.max(most, answers.length), 0);
  const positions: number[] = [];
  for (let position = 0; position < length; position += 1) {
    if (!mask || mask[position] === 1) positions.push(position);
  }
  return positions;
}
