import { readFileSync } from "node:fs";
import type { MicrodataItem } from "../../../core/audits/parsed-page.ts";
import type { StructuredIssue } from "../../../core/audits/structured-data/structured-item.ts";

/** Microdata as samples write it: properties are pairs of a name and a text or another item. */
interface WrittenItem {
  type: string[];
  id?: string;
  properties: [name: string, value: string | WrittenItem][];
}

/** A sample: blocks of a page, and the verdict that it should get. */
export interface Sample {
  name: string;
  jsonLd: { text: string; offset: number }[];
  microdata: MicrodataItem[];
  /** Issues except recommendations, sorted: `error wrong_kind Offer.price`. */
  expected: string[];
  /** Missing recommended properties, sorted, if the sample lists them: `Article.image`. */
  recommended: string[] | null;
}

/** The samples of `corpus.jsonl`. A block that is written as an object is its text. */
export function readCorpus(): Sample[] {
  const lines = readFileSync(new URL("corpus.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => {
    const written = JSON.parse(line) as {
      name: string;
      jsonLd?: unknown[];
      microdata?: WrittenItem[];
      expected: string[];
      recommended?: string[];
    };
    return {
      name: written.name,
      jsonLd: (written.jsonLd ?? []).map((block) => ({
        text: typeof block === "string" ? block : JSON.stringify(block),
        offset: 0,
      })),
      microdata: (written.microdata ?? []).map(microdata),
      expected: written.expected.toSorted(),
      recommended: written.recommended?.toSorted() ?? null,
    };
  });
}

/** An item of microdata at the beginning of a page. */
export function microdata({ type, id, properties }: WrittenItem): MicrodataItem {
  return {
    type,
    id: id ?? null,
    offset: 0,
    properties: properties.map(([name, value]) => ({
      name,
      value: typeof value === "string" ? value : microdata(value),
      offset: 0,
    })),
  };
}

/** Issues in the notation of samples, with recommendations separate. */
export function verdictOf(issues: readonly StructuredIssue[]): { expected: string[]; recommended: string[] } {
  return {
    expected: issues
      .filter((issue) => !isRecommended(issue))
      .map((issue) => `${issue.severity} ${issue.code} ${place(issue)}`.trim())
      .toSorted(),
    recommended: issues.filter(isRecommended).map(place).toSorted(),
  };
}

const isRecommended = ({ code }: StructuredIssue): boolean => code === "missing_recommended";

const place = ({ type, property }: StructuredIssue): string =>
  [type, property].filter((part) => part !== null).join(".");
