import type { Mention } from "../reading/capture.ts";

const CONTEXT_LENGTH = 48;

/** Words allowed between "than" and a name: "than the Acme/Bolt". */
const WORDS_BETWEEN = String.raw`\s(?:(?:the|a|an|your|den|der|die|das|dem|einem|einer|le|la|les|un|une|el|los|las|una)\s)?(?:[\p{L}\d‑-]+(?:['’]s)?\s?[/,]\s?){0,3}`;

/** Words before a name that is only a yardstick or a compatible product. */
const YARDSTICK_BEFORE_PATTERN = new RegExp(
  `(?:${[
    String.raw`\b(?:than|vs\.?|versus|unlike|behind|compared (?:to|with)|relative to|next to|similar to|close to|on par with|match(?:es|ing)?|rivals?|beats?|trails?|reach(?:es)?|alternatives? to|instead of|rather than|as \p{L}+ as|level of)`,
    String.raw`\b(?:works? (?:only |best )?with|paired? with|compatible with|locked to|tied (?:in)?to|integrat\p{L}+ with|for use (?:on|with)|use on|you (?:use|own|have)|you prefer(?: \p{L}+ or)?|built-in|based on|powered by|owned by|made by)`,
    String.raw`\b(?:als|gegenüber|im vergleich (?:zu|zum|mit)|hinter|anders als|verglichen mit|kompatibel mit|statt)`,
    String.raw`\b(?:que|face (?:à|aux?)|par rapport (?:à|aux?)|comparée? (?:à|aux?)|compatible avec|contrairement (?:à|aux?)|au lieu de|plutôt que)`,
    String.raw`\b(?:frente a|comparad[oa] con|en comparación con|compatible con|a diferencia de|en lugar de|respecto a)`,
  ].join("|")})${WORDS_BETWEEN}$`,
  "iu",
);
/** Words after a name that make it a group of users or a product line. */
const GROUP_AFTER_PATTERN =
  /^(?:['’]s)?[\s/-]{0,2}(?:\p{L}+\s)?(?:users?|owners?|loyalists|ecosystems?|services|variants?|equivalent|internals|only|nutzer(?:innen)?|utilisateurs?|usuarios?)(?!\p{Ll})|^\s?(?:ユーザー|より)/iu;
const VERB_PATTERN = /\b(?:is|are|was|has|have|calls?|offers?|gives?|like|such as)\b/i;
const MAX_BRACKET_LENGTH = 60;

/** Not the subject: a yardstick, compatible product, example in brackets, users of another one. */
export function isSecondaryMention(text: string, mention: Pick<Mention, "start" | "end">): boolean {
  const before = text.slice(Math.max(0, mention.start - CONTEXT_LENGTH), mention.start);
  const behind = text.slice(mention.end, mention.end + CONTEXT_LENGTH);
  return YARDSTICK_BEFORE_PATTERN.test(before) || GROUP_AFTER_PATTERN.test(behind) || isBracketed(text, mention);
}

/** Names alone in brackets: "apps (Acme, Bolt)", "(e.g. Acme)". */
function isBracketed(text: string, { start, end }: Pick<Mention, "start" | "end">): boolean {
  const near = Math.max(0, start - MAX_BRACKET_LENGTH);
  const at = text.slice(near, start).lastIndexOf("(");
  if (at === -1) return false;
  const open = near + at;
  const inside = text.slice(open + 1, open + 2 * MAX_BRACKET_LENGTH);
  const close = inside.indexOf(")");
  if (close !== -1 && open + 1 + close < end) return false;
  const words = close === -1 ? inside : inside.slice(0, close);
  return words.length <= MAX_BRACKET_LENGTH && !/[.!?]\s/.test(words.replace("e.g. ", "")) && !VERB_PATTERN.test(words);
}
