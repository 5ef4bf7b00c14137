import { expect, test } from "vitest";
import { findMentions } from "../../core/reading/find-mentions.ts";
import { catalogOf } from "./brands.ts";

/** A small generator of numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const WORDS = [
  "Zorvex",
  "Bruma",
  "Kelda",
  "Kelda9",
  "Vornak",
  "Quib7",
  "Trelo",
  "Fendrak",
  "Mordavi",
  "Bruma22",
  "zolpid",
];
const GAPS = [" ", " ", " ", "", "", ", ", ". ", "/", "\n\n", "'s ", " 12", "9,99 "];

function pick<T>(random: () => number, from: readonly T[], otherwise: T): T {
  return from[Math.floor(random() * from.length)] ?? otherwise;
}

function words(random: () => number, count: number, gaps: readonly string[]): string {
  let text = "";
  for (let i = 0; i < count; i += 1) {
    const word = pick(random, WORDS, "Zorvex");
    const cased = pick(random, [word, word, word.toLowerCase(), word.toUpperCase()], word);
    text += (i === 0 ? "" : pick(random, gaps, " ")) + cased;
  }
  return text;
}

const STARTS = /(?:^|[^\p{L}\p{N}])$/u;
const ENDS = /^(?:$|[^\p{L}\p{N}])/u;

function starts(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 2), at);
  const after = text.slice(at, at + 2);
  if (STARTS.test(before)) return true;
  if (/[\p{Ll}\p{N}]$/u.test(before) && /^\p{Lu}/u.test(after)) return true;
  return /[\p{Lu}\p{N}]\p{Lu}$/u.test(before) && /^\p{Lu}\p{Ll}/u.test(after);
}

function ends(text: string, at: number): boolean {
  const before = text.slice(at - 1, at);
  const after = text.slice(at, at + 2);
  if (ENDS.test(after)) return true;
  if (/\p{L}/u.test(before) && /^\p{N}/u.test(after)) return true;
  return /\p{Ll}/u.test(before) ? /^\p{Lu}/u.test(after) : /\p{N}/u.test(before) && /^\p{Lu}\p{Ll}/u.test(after);
}

/** Every alias at every position, longest first: too slow for use, too plain to be wrong. */
function naive(text: string, aliases: string[]): [number, number][] {
  const longestFirst = aliases.toSorted((a, b) => b.length - a.length);
  const lower = text.toLowerCase();
  const found: [number, number][] = [];
  for (let at = 0; at < text.length;) {
    const here = longestFirst.find(
      (alias) => lower.startsWith(alias.toLowerCase(), at) && starts(text, at) && ends(text, at + alias.length),
    );
    if (here) found.push([at, at + here.length]);
    at += here?.length ?? 1;
  }
  return found;
}

test("word-based search finds the same as trying each alias at each position", () => {
  const random = randomFrom(7);
  let total = 0;
  for (let round = 0; round < 400; round += 1) {
    const count = 1 + Math.floor(random() * 6);
    const aliases = Array.from({ length: count }, () => words(random, 1 + Math.floor(random() * 3), [" "]));
    // Names starting in lower case have a separate rule, and separate cases.
    const plain = [...new Set(aliases.map((alias) => alias.charAt(0).toUpperCase() + alias.slice(1)))];
    const text = words(random, 40, GAPS);
    const mentions = findMentions(text, catalogOf(...plain)).map(({ start, end }): [number, number] => [start, end]);
    expect({ text, plain, mentions }).toEqual({ text, plain, mentions: naive(text, plain) });
    total += mentions.length;
  }
  expect(total).toBeGreaterThan(1_000);
});
