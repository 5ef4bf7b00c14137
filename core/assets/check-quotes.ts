import type { Quote } from "./scorer.ts";

/** Finds a quote in a text, with any white space between words; undefined if absent. */
export function findQuote(text: string, quoted: string): Quote | undefined {
  const words = quoted.trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  const pattern = words.map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)).join(String.raw`\s+`);
  const found = new RegExp(pattern, "u").exec(text);
  return found ? { text: found[0], start: found.index, end: found.index + found[0].length } : undefined;
}

/** Distinct quotes of a model that occur in the text, and the number of those that do not. */
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
