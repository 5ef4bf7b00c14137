import { DATE_ALIASES } from "../../../../tools/metric-reads/selection/date-window.ts";

/** Everyday words for words of the specification. */
const SPECIFIED_WORDS: Readonly<Record<string, string>> = { prompt: "keyword", run: "collect", model: "source" };

/** Replaces everyday words of a name, or a word, by those of the specification. */
export function toSpecifiedWord(name: string): string {
  return name.replaceAll(/(?<=^|_)(prompt|run|model)(?=s?(?:_|$))/g, (word) => SPECIFIED_WORDS[word] ?? word);
}

/**
 * Known name that a name means by an everyday word, or as singular for plural and the reverse;
 * undefined without one.
 */
export function findSynonym(name: string, isKnown: (name: string) => boolean): string | undefined {
  return [name, DATE_ALIASES.get(name) ?? toSpecifiedWord(name)]
    .flatMap((one) => [one, one.endsWith("s") ? one.slice(0, -1) : `${one}s`])
    .find(isKnown);
}
