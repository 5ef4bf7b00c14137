import type { CollectFacts } from "./facts/collect-facts.ts";

// Intervals and changes cluster answers by prompt (docs/measurement.md, section 6). A keyword is
// one question; a prompt of a brand analysis is one question per country and persona. Facts are
// stored by question.

export type PromptPositions = readonly number[];

/** By question position, the first position of the group; null if each question is a prompt. */
export type PromptClusters = { prompts: Uint32Array; cells: Uint32Array } | null;

export interface ClusterQuestion {
  position: number;
  promptKind: string | null;
  askedBrandId: string | null;
  lookAlike: string | null;
  text: string;
  country: string | null;
  personaId: string | null;
}

/** Questions of equal kind, name and wording are one prompt, for all countries and personas. */
export function buildPromptClusters(questions: readonly ClusterQuestion[]): PromptClusters {
  const asked = questions.filter(({ promptKind }) => promptKind !== null);
  if (asked.length === 0) return null;
  const length = 1 + asked.reduce((most, { position }) => Math.max(most, position), 0);
  const prompts = Uint32Array.from({ length }, (_, position) => position);
  const cells = prompts.slice();
  const first = new Map<string, number>();
  const findFirst = (key: string, position: number) => {
    const known = first.get(key) ?? position;
    first.set(key, known);
    return known;
  };
  for (const { position, promptKind, askedBrandId, lookAlike, text, country, personaId } of asked) {
    const prompt = [promptKind, askedBrandId, lookAlike, text];
    prompts[position] = findFirst(JSON.stringify(prompt), position);
    cells[position] = findFirst(JSON.stringify([...prompt, country, personaId]), position);
  }
  return { prompts, cells };
}

/** In the order of first questions. */
export function groupPositionsByPrompt(positions: readonly number[], clusters: PromptClusters): PromptPositions[] {
  return groupPositions(positions, clusters?.prompts);
}

/** One cell per country and persona, usually with one question. */
export function groupByCell(prompt: PromptPositions, clusters: PromptClusters): PromptPositions[] {
  return groupPositions(prompt, clusters?.cells);
}

function groupPositions(positions: readonly number[], firsts: Uint32Array | undefined): PromptPositions[] {
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

/** Has 1 at the position of each question that counts; null if all count. */
export type KeywordMask = Uint8Array | null;

/** Later collects may have more positions. */
export function listCountedPositions(all: readonly Pick<CollectFacts, "answers">[], mask: KeywordMask): number[] {
  const length = all.reduce((most, { answers }) => Math.max(most, answers.length), 0);
  const positions: number[] = [];
  for (let position = 0; position < length; position += 1) {
    if (!mask || mask[position] === 1) positions.push(position);
  }
  return positions;
}
