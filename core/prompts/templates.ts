import ROWS from "../../lists/prompt-templates.json" with { type: "json" };

/** Incremented with each change, so that results over different wordings are distinguishable. */
export const TEMPLATES_VERSION = 1;

export const TEMPLATE_LANGUAGES = ["en", "de", "fr", "es", "ja"] as const;

/** `perception` asks for opinions, but not for pros or cons. */
const TEMPLATE_KINDS = [
  "unaided",
  "in_country",
  "as_persona",
  "aided",
  "perception",
  "pros_cons",
  "attribute",
  "comparison",
] as const;

/**
 * Templates in one language, most important first. Placeholders {category}, {brand}, {attribute},
 * {country} and {persona} need no inflection: after a colon, in quotes, after an invariant word
 * ("zum Thema", "côté"). Comparisons use {first} and {second}; Spanish ones avoid "o" and "y",
 * whose form depends on the next word.
 */
export type PromptTemplates = Readonly<Record<(typeof TEMPLATE_KINDS)[number], string[]>>;

export function listTemplates(language: (typeof TEMPLATE_LANGUAGES)[number]): PromptTemplates {
  const rows = ROWS.filter((row) => row.language === language);
  const texts = TEMPLATE_KINDS.map((kind) => [kind, rows.filter((row) => row.kind === kind).map(({ text }) => text)]);
  return Object.fromEntries(texts) as PromptTemplates;
}
