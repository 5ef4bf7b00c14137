import ROWS from "../../lists/prompt-templates.json" with { type: "json" };

/** Grows with every change of a text in the list: prompts name it, so that figures over other wordings are told apart. */
export const TEMPLATES_VERSION = 1;

export const TEMPLATE_LANGUAGES = ["en", "de", "fr", "es", "ja"] as const;

/** `perception` asks for opinions, but for neither pros nor cons. */
const KINDS = [
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
 * Prompts in one language; the first of each kind are asked first. {category}, {brand}, {attribute}, {country} and {persona} stand where
 * their form cannot matter: after a colon, between quotes, behind a word that takes them as they are ("zum Thema", "côté"). Comparisons
 * name {first} and {second}; Spanish ones join them by neither "o" nor "y", which change before some names.
 */
export type PromptTemplates = Readonly<Record<(typeof KINDS)[number], string[]>>;

export function templatesOf(language: (typeof TEMPLATE_LANGUAGES)[number]): PromptTemplates {
  const rows = ROWS.filter((row) => row.language === language);
  const texts = KINDS.map((kind) => [kind, rows.filter((row) => row.kind === kind).map(({ text }) => text)]);
  return Object.fromEntries(texts) as PromptTemplates;
}
