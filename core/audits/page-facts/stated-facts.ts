import { parseJson } from "../../shared/json.ts";
import type { MicrodataItem, ParsedPage } from "../parsed-page.ts";

/** Stated in metas, JSON-LD and microdata. */
export interface StatedFacts {
  published: readonly StatedFact[];
  modified: readonly StatedFact[];
  authors: readonly StatedFact[];
}
export interface StatedFact {
  text: string;
  offset: number;
}

type StatedFactKind = keyof StatedFacts;
const KINDS_BY_META: ReadonlyMap<string, StatedFactKind> = new Map([
  ["article:published_time", "published"],
  ["article:modified_time", "modified"],
  ["og:updated_time", "modified"],
  ["date", "published"],
  ["dc.date", "published"],
  ["dcterms.created", "published"],
  ["dcterms.modified", "modified"],
  ["last-modified", "modified"],
  ["dc.date.issued", "published"],
  ["dcterms.issued", "published"],
  ["parsely-pub-date", "published"],
  ["pubdate", "published"],
  ["publishdate", "published"],
  ["publish-date", "published"],
  ["sailthru.date", "published"],
  ["author", "authors"],
  ["dc.creator", "authors"],
  ["parsely-author", "authors"],
]);
const KINDS_BY_PROPERTY: ReadonlyMap<string, StatedFactKind> = new Map([
  ["datePublished", "published"],
  ["dateModified", "modified"],
  ["author", "authors"],
]);
const MAX_FACTS = 100;
const MAX_VALUES = 20_000;

const cachedFacts = new WeakMap<ParsedPage, StatedFacts>();

export function findStatedFacts(page: ParsedPage): StatedFacts {
  const found = cachedFacts.get(page) ?? readFacts(page);
  cachedFacts.set(page, found);
  return found;
}

function readFacts(page: ParsedPage): StatedFacts {
  const facts: Record<StatedFactKind, StatedFact[]> = { published: [], modified: [], authors: [] };
  const add = (kind: StatedFactKind, text: string, offset: number) => {
    const trimmed = text.trim();
    if (trimmed !== "" && facts[kind].length < MAX_FACTS) facts[kind].push({ text: trimmed.slice(0, 200), offset });
  };
  for (const { name, content, offset: at } of page.metas) {
    const kind = KINDS_BY_META.get(name);
    if (kind) add(kind, content, at);
  }
  for (const { text, offset: at } of page.jsonLd) walkJson(text, (kind, said) => add(kind, said, at));
  const waiting: MicrodataItem[] = [...page.microdata];
  for (let item = waiting.pop(); item; item = waiting.pop())
    for (const { name, value, offset: at } of item.properties) {
      const kind = KINDS_BY_PROPERTY.get(name);
      if (typeof value === "string") {
        if (kind) add(kind, value, at);
      } else {
        waiting.push(value);
        const named = value.properties.find((property) => property.name === "name")?.value;
        if (kind && typeof named === "string") add(kind, named, at);
      }
    }
  return facts;
}

/** Invalid JSON has no facts. */
function walkJson(text: string, report: (kind: StatedFactKind, said: string) => void) {
  const waiting: unknown[] = [parseOrNull(text)];
  for (let seen = 0; waiting.length > 0 && seen < MAX_VALUES; seen += 1) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null) continue;
    for (const [key, held] of Object.entries(value)) {
      const kind = KINDS_BY_PROPERTY.get(key);
      if (kind) for (const said of listStatedNames(held)) report(kind, said);
      if (typeof held === "object" && held !== null && waiting.length < MAX_VALUES) waiting.push(held);
    }
  }
}

function listStatedNames(value: unknown): string[] {
  if (Array.isArray(value))
    return value.slice(0, MAX_FACTS).flatMap((one) => (Array.isArray(one) ? [] : listStatedNames(one)));
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || !("name" in value)) return [];
  return typeof value.name === "string" ? [value.name] : [];
}

function parseOrNull(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
