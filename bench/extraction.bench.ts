import { findMentions } from "../core/reading/find-mentions.ts";
import { alias, brand, catalogOf } from "../test/measurement/brands.ts";

export interface ExtractionRow {
  what: string;
  megabytesPerSecond: number;
  /** Speed relative to one RegExp alternation over all aliases. */
  ratio: number;
}

const SYLLABLES = [
  "ba",
  "lor",
  "mi",
  "ven",
  "ta",
  "zu",
  "kor",
  "ne",
  "shi",
  "fal",
  "dro",
  "pex",
  "ri",
  "gan",
  "wo",
  "lum",
];

/** Deterministic aliases; every fifth has two words. */
function createAliases(count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const word = [i, i >> 4, i >> 8].map((n) => SYLLABLES[n % SYLLABLES.length] ?? "").join("");
    const name = word.charAt(0).toUpperCase() + word.slice(1) + (i >> 12 === 0 ? "" : String(i >> 12));
    return i % 5 === 0 ? `${name} Labs` : name;
  });
}

/** Prose of about `length` characters; one word in forty is an alias. */
export function createAnswer(length: number, aliases: string[]): string {
  const prose =
    "Reviewers — often — praise the quiet design and long battery life of what they tested in 2025, and say so.";
  const words = prose.split(" ");
  const parts: string[] = [];
  for (let size = 0, i = 0; size < length; i += 1) {
    const word = i % 40 === 39 ? (aliases[(i * 7) % aliases.length] ?? "") : (words[i % words.length] ?? "");
    parts.push(word);
    size += word.length + 1;
  }
  return parts.join(" ");
}

function secondsOf(work: () => unknown): number {
  const started = performance.now();
  work();
  return (performance.now() - started) / 1000;
}

/**
 * Finds aliases in answers of 4 KB; medians of five interleaved runs. The alternation reads one
 * answer per run.
 */
export function benchExtraction(): ExtractionRow[] {
  const aliases = createAliases(2_000);
  const catalog = catalogOf(brand("Acmeo", { aliases: aliases.map((text) => alias(text)) }));
  const answer = createAnswer(4_096, aliases);
  const longestFirst = aliases.toSorted((a, b) => b.length - a.length);
  const alternation = new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst.join("|")})(?![\\p{L}\\p{N}])`, "giu");
  const megabytes = Buffer.byteLength(answer) / 1e6;
  const repeats = 1_000;
  const walks: number[] = [];
  const expressions: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    walks.push((megabytes * repeats) / secondsOf(() => repeat(repeats, () => findMentions(answer, catalog))));
    expressions.push(megabytes / secondsOf(() => [...answer.matchAll(alternation)]));
  }
  const naive = median(expressions);
  const walked = median(walks);
  return [
    { what: "walking words, 2,000 aliases", megabytesPerSecond: walked, ratio: walked / naive },
    { what: "one RegExp alternation, 2,000 aliases", megabytesPerSecond: naive, ratio: 1 },
  ];
}

function repeat(times: number, work: () => unknown): void {
  for (let i = 0; i < times; i += 1) work();
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

if (process.argv[1]?.endsWith("extraction.bench.ts")) {
  for (const { what, megabytesPerSecond, ratio } of benchExtraction()) {
    console.log(`${what}: ${megabytesPerSecond.toFixed(1)} MB/s, ${ratio.toFixed(1)} times the alternation`);
  }
}
