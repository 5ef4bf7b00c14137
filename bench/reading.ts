import { deepStrictEqual } from "node:assert";
import type { Capture, TrackedBrand } from "../core/reading/capture.ts";
import { compileCatalog, type CompiledCatalog } from "../core/reading/catalog.ts";
import { readCapture } from "../core/reading/reading.ts";
import { alias, brand } from "../test/measurement/brands.ts";
import { labelledCatalog, recordedAnswers } from "../test/measurement/truth.ts";
import { createAnswer } from "./extraction.bench.ts";

export interface ReadingRow {
  what: string;
  brands: number;
  /** Median over the rounds. */
  microsecondsPerAnswer: number;
  /** Median ratio to the smallest catalog's time in the same round. */
  ratio: number;
}

const SIZES = [20, 200, 2_000, 20_000];
const ROUNDS = 9;
const ANSWERS = 300;

/**
 * Cost of reading an answer with growing catalogs, each a superset of the smaller ones. Throws if a
 * larger catalog reads an answer differently from the smallest.
 */
export function benchReading(): ReadingRow[] {
  return [
    ...rowsFor("names of their own", ownName),
    ...rowsFor("names that begin with one word of the answers", nameThatBeginsAlike),
  ];
}

function rowsFor(what: string, nameOf: (nth: number) => string): ReadingRow[] {
  const shared = labelledCatalog().brands.filter(({ parent_id }) => parent_id === null);
  const brands = [
    ...shared.slice(0, SIZES[0]),
    ...Array.from({ length: SIZES.at(-1) ?? 0 }, (_, nth) => otherBrand(nth, nameOf(nth))),
  ];
  const catalogs = SIZES.map((size) => compileCatalog(brands.slice(0, size)));
  const answers = someAnswers(shared.map(({ name }) => name));
  const [smallest] = catalogs;
  for (const catalog of catalogs) deepStrictEqual(readAll(answers, catalog), smallest && readAll(answers, smallest));
  const rounds = Array.from({ length: ROUNDS }, () =>
    catalogs.map((catalog) => microsecondsOf(() => readAll(answers, catalog)) / answers.length),
  );
  return SIZES.map((size, place) => ({
    what,
    brands: size,
    microsecondsPerAnswer: median(rounds.map((round) => round[place] ?? Number.NaN)),
    ratio: median(rounds.map((round) => (round[place] ?? Number.NaN) / (round[0] ?? Number.NaN))),
  }));
}

export function ownName(nth: number): string {
  return `${createName(nth)} ${nth}`;
}

export function nameThatBeginsAlike(nth: number): string {
  return `Brand ${nth} of ${createName(nth)}`;
}

/** A brand that no answer names: a name, an alias and a domain. */
export function otherBrand(nth: number, name: string): TrackedBrand {
  const another = `${createName(nth)}${nth}`;
  return brand(name, { aliases: [alias(another)], domains: [`www.${word(nth)}-${nth}.test`] });
}

function createName(nth: number): string {
  return `${word(nth)}${word(nth >> 6)} ${word(nth >> 3)}`;
}

const SYLLABLES = "quo vex zil dra mun thi ket bos wyr fen lug pax jor nim sul gid".split(" ");

function word(nth: number): string {
  const syllables = [nth, nth >> 4, nth >> 8].map((part) => SYLLABLES[part % SYLLABLES.length] ?? "");
  return syllables.join("").replace(/^./, (first) => first.toUpperCase());
}

/** Recorded answers if they are available next to the repository. */
function someAnswers(names: string[]): (Capture & { prompt: string })[] {
  const recorded = recordedAnswers()?.slice(0, ANSWERS);
  const texts =
    recorded?.map(({ answer, prompt }) => ({ text: answer, prompt })) ??
    Array.from({ length: ANSWERS }, (_, nth) => ({ text: createAnswer(2_000 + nth, names), prompt: "" }));
  return texts.map((one) => ({ ...one, citations: [], results: [] }));
}

function readAll(answers: readonly (Capture & { prompt: string })[], catalog: CompiledCatalog) {
  return answers.map((answer) => readCapture(answer, catalog, { prompt: answer.prompt, source: "ASSISTANT_A" }));
}

function microsecondsOf(work: () => unknown): number {
  const started = performance.now();
  work();
  return (performance.now() - started) * 1000;
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
