import type { BrandPrompt } from "../../../../core/prompts/brand-prompt.ts";

const GROUP_SIZE = 10;

interface AskedPrompts {
  countries: readonly string[];
  persona_ids: readonly string[];
  prompts: readonly BrandPrompt[];
}

export interface BrandQuestion {
  prompt: BrandPrompt;
  country: string;
  personaId: string | null;
  groupIndex: number;
}

/** Prompts in order; each group of ten is paid with one credit. */
export function expandQuestions({ countries, persona_ids: personas, prompts }: AskedPrompts) {
  const cells = countries.flatMap((country) =>
    (personas.length === 0 ? [null] : personas).map((personaId) => ({ country, personaId, asked: 0, group: -1 })),
  );
  const questions: BrandQuestion[] = [];
  const groups: number[] = [];
  for (const prompt of prompts) {
    for (const cell of cells) {
      const { country, personaId } = cell;
      if (prompt.country !== null && prompt.country !== country) continue;
      if (prompt.persona_id !== null && prompt.persona_id !== personaId) continue;
      if (cell.asked++ % GROUP_SIZE === 0) cell.group = groups.push(0) - 1;
      groups[cell.group] = (groups[cell.group] ?? 0) + 1;
      questions.push({ prompt, country, personaId, groupIndex: cell.group });
    }
  }
  return { questions, groups };
}

export function countQuestions(setup: AskedPrompts): number {
  return expandQuestions(setup).questions.length;
}
