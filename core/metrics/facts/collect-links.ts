import { COMPETITOR_TYPES, type CompetitorType } from "../../sources/sources.ts";
import {
  decodeJsonColumn,
  packColumns,
  rowStarts,
  unpackColumns,
  toIntegerColumn,
  type Column,
} from "../packed-columns.ts";

/** A page cited by an answer, or opened for it but not cited. */
export interface LinkRow {
  keyword: number;
  /** Index among the shown answers to the keyword, in run order. */
  runIndex: number;
  isCited: boolean;
  url: string;
  domain: string;
  siteType: CompetitorType;
  /** Number of the brand that owns the page. */
  brand: number | null;
}

export interface QueryRow {
  keyword: number;
  runIndex: number;
  text: string;
}

/** Links of keyword k are rows `rowStarts[k]` to `rowStarts[k + 1]`. */
export interface CollectLinks {
  rowStarts: Column;
  runIndexes: Column;
  pages: Column;
  citedFlags: Column;
  queryStarts: Column;
  queryRuns: Column;
  queryIndexes: Column;
  /** By page: index in `domains`, index in COMPETITOR_TYPES, and brand number or 0. */
  pageDomains: Column;
  pageTypes: Column;
  pageBrands: Column;
  domains: readonly string[];
  queries: readonly string[];
}

/** Page addresses are separate because few requests need them. */
export function packLinks(
  keywords: number,
  links: readonly LinkRow[],
  queries: readonly QueryRow[],
): { links: Buffer; addresses: Buffer } {
  const pages = new Map<string, { place: number; row: LinkRow }>();
  const domains = createIndexer();
  const texts = createIndexer();
  const sorted = links.toSorted((a, b) => a.keyword - b.keyword || a.runIndex - b.runIndex);
  const placed = sorted.map((row) => {
    const known = pages.get(row.url);
    if (!known) pages.set(row.url, { place: pages.size, row });
    return known?.place ?? pages.size - 1;
  });
  const asked = queries.toSorted((a, b) => a.keyword - b.keyword || a.runIndex - b.runIndex);
  const each = [...pages.values()].map(({ row }) => row);
  const columns = [
    rowStarts(keywords, sorted),
    toIntegerColumn(sorted.map(({ runIndex }) => runIndex)),
    toIntegerColumn(placed),
    toIntegerColumn(sorted.map(({ isCited }) => Number(isCited))),
    rowStarts(keywords, asked),
    toIntegerColumn(asked.map(({ runIndex }) => runIndex)),
    toIntegerColumn(asked.map(({ text }) => texts.toIndex(text))),
    toIntegerColumn(each.map(({ domain }) => domains.toIndex(domain))),
    toIntegerColumn(each.map(({ siteType }) => COMPETITOR_TYPES.indexOf(siteType))),
    toIntegerColumn(each.map(({ brand }) => brand ?? 0)),
  ];
  return {
    links: packColumns(columns, JSON.stringify({ domains: domains.values, queries: texts.values })),
    addresses: Buffer.from(JSON.stringify([...pages.keys()])),
  };
}

function createIndexer() {
  const values: string[] = [];
  const indexes = new Map<string, number>();
  return {
    values,
    toIndex(value: string): number {
      const place = indexes.get(value) ?? values.push(value) - 1;
      indexes.set(value, place);
      return place;
    },
  };
}

export function unpackLinks(packed: Uint8Array): CollectLinks {
  const { columns, text } = unpackColumns(packed);
  const [
    starts,
    runIndexes,
    pages,
    citedFlags,
    queryStarts,
    queryRuns,
    queryIndexes,
    pageDomains,
    pageTypes,
    pageBrands,
  ] = columns;
  if (!starts || !runIndexes || !pages || !citedFlags || !queryStarts || !queryRuns || !queryIndexes)
    throw createMissingColumnError();
  if (!pageDomains || !pageTypes || !pageBrands) throw createMissingColumnError();
  const names = decodeJsonColumn(text) as Pick<CollectLinks, "domains" | "queries">; // safe cast: packLinks wrote the column
  const links = { rowStarts: starts, runIndexes, pages, citedFlags, queryStarts, queryRuns, queryIndexes };
  return { ...links, pageDomains, pageTypes, pageBrands, ...names };
}

export function unpackAddresses(packed: Uint8Array): string[] {
  return decodeJsonColumn(packed) as string[]; // safe cast: packLinks wrote the column
}

function createMissingColumnError(): Error {
  return new Error("packed links lack a column");
}
