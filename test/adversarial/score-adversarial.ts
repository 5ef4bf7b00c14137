import { readFileSync } from "node:fs";
import { BrandFileSchema } from "../../core/brands/brand-file.ts";
import { compileCatalog } from "../../core/reading/catalog.ts";
import { findBrandsInPrompt } from "../../core/reading/find-mentions.ts";
import { readCapture } from "../../core/reading/reading.ts";

/** Expected or actual reading of a brand in one text. */
interface BrandReading {
  brand: string;
  present: boolean;
  /** 1 is best; null where the brand is absent. */
  rank: number | null;
  named_in_prompt: boolean;
}

/** A line of adversarial.jsonl (see its README.md). */
export interface AdversarialCase {
  id: string;
  class: string;
  language: string;
  prompt: string;
  text: string;
  brands: { name: string; aliases: string[]; excluded_phrases: string[]; domains: string[] }[];
  expected: BrandReading[];
  why: string;
}

/** Fields wrong for at least one brand; a wrong presence excludes a wrong rank. */
export interface WrongFields {
  presence: boolean;
  rank: boolean;
  named_in_prompt: boolean;
}

export interface Scored {
  case: AdversarialCase;
  wrong: WrongFields;
  /** Differences for display. */
  differences: string[];
}

export function adversarialCases(): AdversarialCase[] {
  const lines = readFileSync(new URL("adversarial.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n");
  // Safe: our own file, of this shape.
  return lines.map((line) => JSON.parse(line) as AdversarialCase);
}

function readCase({ prompt, text, brands }: AdversarialCase): Map<string, BrandReading> {
  const catalog = compileCatalog(BrandFileSchema.parse(brands));
  const { brandRanks } = readCapture({ text, citations: [], results: [] }, catalog, { prompt });
  const ranks = new Map(brandRanks.map(({ brand_id, rank }) => [brand_id, rank]));
  const named = findBrandsInPrompt(prompt, catalog);
  return new Map(
    catalog.brands.map(({ id, name }, place) => {
      const rank = ranks.get(id) ?? null;
      return [name, { brand: name, present: rank !== null, rank, named_in_prompt: named.has(place) }];
    }),
  );
}

export function scoreCase(row: AdversarialCase): Scored {
  const read = readCase(row);
  const wrong = { presence: false, rank: false, named_in_prompt: false };
  const differences: string[] = [];
  for (const expected of row.expected) {
    const got = read.get(expected.brand);
    if (!got) throw new Error(`${row.id}: ${expected.brand} is not in the case's catalog.`);
    const fields = fieldsThatDiffer(expected, got);
    for (const field of fields) wrong[field] = true;
    if (fields.length > 0) differences.push(`${row.id}: ${describeReading(expected)}, read as ${describeReading(got)}`);
  }
  return { case: row, wrong, differences };
}

function fieldsThatDiffer(expected: BrandReading, got: BrandReading): (keyof WrongFields)[] {
  const fields: (keyof WrongFields)[] = [];
  if (expected.present !== got.present) fields.push("presence");
  else if (expected.rank !== got.rank) fields.push("rank");
  if (expected.named_in_prompt !== got.named_in_prompt) fields.push("named_in_prompt");
  return fields;
}

function describeReading({ brand, rank, named_in_prompt }: BrandReading): string {
  return `${brand} ${rank === null ? "absent" : `at ${rank}`}${named_in_prompt ? ", named in the prompt" : ""}`;
}

export function isWrong({ wrong }: Scored): boolean {
  return wrong.presence || wrong.rank || wrong.named_in_prompt;
}

/** Wrong texts by class, ascending by the order of the file. */
export function wrongByClass(scored: readonly Scored[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of scored) counts[one.case.class] = (counts[one.case.class] ?? 0) + (isWrong(one) ? 1 : 0);
  return counts;
}

const LANGUAGES = ["en", "de", "fr", "es", "ja"];

/**
 * A Markdown table: a row per class, "wrong of all" per language, and how many texts have each
 * field wrong.
 */
export function scoreTable(scored: readonly Scored[]): string {
  const classes = [...new Set(scored.map((one) => one.case.class))];
  const rows = classes.map((name) =>
    rowOf(
      name,
      scored.filter((one) => one.case.class === name),
    ),
  );
  const head = ["class", ...LANGUAGES, "all", "presence", "rank", "named_in_prompt"];
  const rule = head.map((_, column) => (column === 0 ? "---" : "--:"));
  return [head, rule, ...rows, rowOf("all", scored)].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function rowOf(name: string, scored: readonly Scored[]): string[] {
  const share = (some: readonly Scored[]) => `${some.filter(isWrong).length} of ${some.length}`;
  const field = (key: keyof WrongFields) => `${scored.filter(({ wrong }) => wrong[key]).length}`;
  return [
    name,
    ...LANGUAGES.map((language) => share(scored.filter((one) => one.case.language === language))),
    share(scored),
    field("presence"),
    field("rank"),
    field("named_in_prompt"),
  ];
}
