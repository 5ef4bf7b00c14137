import { foldName } from "../shared/names.ts";
import { PROMPT_KINDS, type BrandPrompt } from "./brand-prompt.ts";
import { promptMaker, type PromptMaker, type PromptMaterial } from "./make-prompts.ts";
import { TEMPLATE_LANGUAGES, templatesOf } from "./templates.ts";

const MOST_PROMPTS = 300;

/**
 * Generates the prompts of a setup without prompts. Deterministic, without duplicates, at most 300;
 * empty for a language without templates. Unaided prompts never name a catalog brand.
 */
export function fillPrompts(material: PromptMaterial): BrandPrompt[] {
  const [primary] = material.language.split("-");
  const language = TEMPLATE_LANGUAGES.find((known) => known === primary);
  if (language === undefined) return [];
  const kept = new Map<string, BrandPrompt>();
  for (const block of blocksOf(promptMaker(material, templatesOf(language)), material)) {
    const fresh = new Map<string, BrandPrompt>();
    for (const one of block) {
      const text = foldName(one.text);
      if (!kept.has(text) && !fresh.has(text)) fresh.set(text, one);
    }
    if (kept.size + fresh.size > MOST_PROMPTS) continue;
    for (const [text, one] of fresh) kept.set(text, one);
  }
  return [...kept.values()].toSorted((a, b) => PROMPT_KINDS.indexOf(a.kind) - PROMPT_KINDS.indexOf(b.kind));
}

/**
 * Prompts in order of importance. Blocks are added completely or not at all, so that rivals get
 * equal prompts; a smaller block may follow one that does not fit. An interval needs 5 prompts, a
 * decision 20.
 */
function blocksOf(make: PromptMaker, { brand, competitors: rivals }: PromptMaterial): BrandPrompt[][] {
  const own = [brand];
  return [
    [...make.unaided(0, 12), ...make.inCountry(0, 1), ...make.asPersona(0, 2)],
    make.aided(own, 2),
    [...make.perception(own, 0, 5), ...make.prosCons(own, 0, 2)],
    make.attribute(own, 0, 2),
    make.comparison(0, 1),
    make.aided(rivals, 1),
    [...make.perception(rivals, 0, 3), ...make.prosCons(rivals, 0, 1)],
    make.attribute(rivals, 0, 1),
    make.unaided(12, 20),
    ...[2, 3, 4].map((at) => make.attribute(own, at, at + 1)),
    ...[1, 2].map((at) => make.comparison(at, at + 1)),
    [...make.perception(rivals, 3, 5), ...make.prosCons(rivals, 1, 2)],
    make.inCountry(1, 2),
    make.asPersona(2, 3),
  ];
}
