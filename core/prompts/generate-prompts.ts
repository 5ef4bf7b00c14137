import { foldName } from "../shared/names.ts";
import { PROMPT_KINDS, type BrandPrompt } from "./brand-prompt.ts";
import { createPromptMaker, type PromptMaker, type PromptMaterial } from "./prompt-maker.ts";
import { TEMPLATE_LANGUAGES, listTemplates } from "./templates.ts";

const MAX_PROMPTS = 300;

/**
 * Generates the prompts of a setup without prompts. Deterministic, without duplicates, at most 300;
 * empty for a language without templates. Unaided prompts never name a catalog brand.
 */
export function generateBrandPrompts(material: PromptMaterial): BrandPrompt[] {
  const [primary] = material.language.split("-");
  const language = TEMPLATE_LANGUAGES.find((known) => known === primary);
  if (language === undefined) return [];
  const accepted = new Map<string, BrandPrompt>();
  for (const block of generateBlocks(createPromptMaker(material, listTemplates(language)), material)) {
    const fresh = new Map<string, BrandPrompt>();
    for (const one of block) {
      const text = foldName(one.text);
      if (!accepted.has(text) && !fresh.has(text)) fresh.set(text, one);
    }
    if (accepted.size + fresh.size > MAX_PROMPTS) continue;
    for (const [text, one] of fresh) accepted.set(text, one);
  }
  return [...accepted.values()].toSorted((a, b) => PROMPT_KINDS.indexOf(a.kind) - PROMPT_KINDS.indexOf(b.kind));
}

/**
 * Prompts in order of importance. Blocks are added completely or not at all, so that rivals get
 * equal prompts; a smaller block may follow one that does not fit. An interval needs 5 prompts, a
 * decision 20.
 */
function generateBlocks(make: PromptMaker, { brand, competitors: rivals }: PromptMaterial): BrandPrompt[][] {
  const brands = [brand];
  return [
    [...make.unaided(0, 12), ...make.makeCountryPrompts(0, 1), ...make.makePersonaPrompts(0, 2)],
    make.aided(brands, 2),
    [...make.perception(brands, 0, 5), ...make.prosCons(brands, 0, 2)],
    make.attribute(brands, 0, 2),
    make.comparison(0, 1),
    make.aided(rivals, 1),
    [...make.perception(rivals, 0, 3), ...make.prosCons(rivals, 0, 1)],
    make.attribute(rivals, 0, 1),
    make.unaided(12, 20),
    ...[2, 3, 4].map((at) => make.attribute(brands, at, at + 1)),
    ...[1, 2].map((at) => make.comparison(at, at + 1)),
    [...make.perception(rivals, 3, 5), ...make.prosCons(rivals, 1, 2)],
    make.makeCountryPrompts(1, 2),
    make.makePersonaPrompts(2, 3),
  ];
}
