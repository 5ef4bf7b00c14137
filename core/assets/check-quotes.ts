import type { Quote } from "./scorer.ts";

/** Where a quote stands in a text, white space counting as one space; undefined if it does not stand there. */
export function findQuote(text: string, quoted: string): Quote | undefined {
  const words = quoted.trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  const pattern = words.map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)).join(String.raw`\s+`);
  const found = new RegExp(pattern, "u").exec(text);
  return found ? { text: found[0], start: found.index, end: found.index + found[0].length } : undefined;
}

/** The quotes of a model that stand in the text, each once, and how many do not. */
export function checkQuotes(text: string, quoted: readonly string[]): { quotes: Quote[]; dropped: number } {
  const quotes: Quote[] = [];
  let dropped = 0;
  for (const one of quoted) {
    const quote = findQuote(text, one);
    if (!quote) dropped += 1;
    else if (!quotes.some(({ start, end }) => start === quote.start && end === quote.end)) quotes.push(quote);
  }
  return { quotes, dropped };
}
