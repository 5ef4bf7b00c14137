import { isCommonWord } from "../reading/aliases/common-words.ts";
import { foldText } from "../reading/aliases/text-folding.ts";

/** A spelling of a brand that is likely to be found where something else is meant. */
export interface NameHint {
  /** The field that it stands in: `name`, `aliases.0`. */
  path: string;
  text: string;
  /** ordinary_word: one of the words that the reading takes for words (common-words.ts). short: at most three letters. */
  reason: "ordinary_word" | "short";
  message: string;
  /** Phrases in which the word means something else, and which are not excluded yet. */
  excluded_phrases: string[];
}

interface Named {
  name: string;
  aliases: readonly { text: string }[];
  excludedPhrases: readonly string[];
}

const SHORT = 3;
const COUNTS = "It counts only where its capital and small letters are as here";
const EXCLUDE = "Exclude the phrases in which it means something else.";

/** The spellings of a brand that are risky, the name first. Such a spelling is found in its own case alone. */
export function hintsOf({ name, aliases, excludedPhrases }: Named): NameHint[] {
  const excluded = new Set(excludedPhrases.map(folded));
  const spellings = [{ path: "name", text: name }, ...aliases.map(({ text }, at) => ({ path: `aliases.${at}`, text }))];
  return spellings.flatMap(({ path, text }): NameHint[] => {
    const word = folded(text);
    if (isCommonWord(word)) {
      const phrases = (PHRASES[word] ?? []).filter((phrase) => !excluded.has(phrase));
      const message = `“${text}” is also an ordinary word. ${COUNTS}, and at the start of a sentence only beside another sign that it is a name. ${EXCLUDE}`;
      return [{ path, text, reason: "ordinary_word", message, excluded_phrases: phrases }];
    }
    if (word.length > SHORT || !/^\p{L}+$/u.test(word)) return [];
    const message = `“${text}” is short, so other things are called it too. ${COUNTS}. ${EXCLUDE}`;
    return [{ path, text, reason: "short", message, excluded_phrases: [] }];
  });
}

function folded(text: string): string {
  return foldText(text.trim()).lower;
}

/** Phrases in which some of these words, as brands are called by them, mean themselves. Kept by hand. */
export const PHRASES: Readonly<Record<string, readonly string[]>> = {
  amber: ["amber light", "amber alert", "amber glass"],
  apple: ["apple pie", "apple juice", "apple cider", "apple tree"],
  arc: ["story arc", "arc flash", "arc welding"],
  arrow: ["arrow key", "arrow keys", "arrow button"],
  atlas: ["road atlas", "world atlas"],
  atom: ["hydrogen atom", "carbon atom"],
  base: ["knowledge base", "customer base", "base price", "base model"],
  beam: ["laser beam", "high beam", "beam angle"],
  bolt: ["bolt on", "lightning bolt"],
  bridge: ["bridge the gap", "bridge loan"],
  canvas: ["blank canvas", "canvas bag", "canvas shoes", "canvas print"],
  caterpillar: ["caterpillar track", "hungry caterpillar"],
  chase: ["chase down", "cut to the chase", "wild goose chase"],
  chrome: ["chrome finish", "chrome plated", "chrome trim"],
  click: ["click on", "click here", "click through rate"],
  compass: ["magnetic compass", "moral compass"],
  dove: ["dove tail", "mourning dove", "white dove"],
  gap: ["bridge the gap", "gap year", "gap analysis", "price gap", "generation gap"],
  mint: ["mint condition", "fresh mint", "mint green", "mint tea"],
  monday: ["monday morning", "monday to friday", "cyber monday", "on monday"],
  notion: ["the notion of", "the notion that", "preconceived notion"],
  oracle: ["oracle bone", "the oracle of"],
  orange: ["orange juice", "orange peel", "blood orange", "orange light"],
  puma: ["a puma", "wild puma"],
  ring: ["ring light", "wedding ring", "key ring", "ring tone"],
  shell: ["shell script", "outer shell", "hard shell", "shell command"],
  signal: ["wifi signal", "signal strength", "turn signal", "signal to noise"],
  slack: ["cut some slack", "slack off", "pick up the slack", "slack time"],
  square: ["square feet", "square foot", "square meter", "times square", "square root"],
  stripe: ["magnetic stripe", "stripe pattern", "racing stripe"],
  target: ["target audience", "target market", "target group", "target price", "on target"],
  tide: ["high tide", "low tide", "turn the tide"],
  visa: ["visa application", "tourist visa", "work visa", "visa requirements"],
  wave: ["sound wave", "heat wave", "wave length", "new wave"],
  zoom: ["zoom in", "zoom out", "zoom lens", "optical zoom", "digital zoom", "zoom range"],
};
