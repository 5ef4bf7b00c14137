import type { z } from "zod";
import type { FoundKeywordData } from "../../../core/analyses/keyword-data.ts";
import type { AnalysisLocation } from "../../../core/shared/analysis-location.ts";
import type { countVolumes } from "../../../db/analyses/keyword-volumes.ts";
import type { Basis } from "./basis.ts";

type FiguresBasis = NonNullable<z.input<typeof Basis>["keyword_figures"]>;

export function buildVolumesBasis(
  { country, language }: AnalysisLocation,
  counted: Awaited<ReturnType<typeof countVolumes>>,
): FiguresBasis | undefined {
  const rows = counted.flatMap(({ from, keywords, firstAt, lastAt }) =>
    from === null ? [] : [{ from, keywords, country, language, first_at: firstAt, last_at: lastAt }],
  );
  return rows.length === 0 ? undefined : rows;
}

export function openKeywordBasis({ country, language }: AnalysisLocation) {
  const groups = new Map<string, FiguresBasis[number]>();
  return {
    add({
      searchVolume,
      volumeFrom: from,
      volumeAt: at,
    }: Pick<FoundKeywordData, "searchVolume" | "volumeFrom" | "volumeAt">): void {
      if (searchVolume === null || from === null) return;
      const row = groups.get(from) ?? { from, keywords: 0, country, language, first_at: at, last_at: at };
      row.keywords += 1;
      if (at !== null && (row.first_at === null || at < row.first_at)) row.first_at = at;
      if (at !== null && (row.last_at === null || at > row.last_at)) row.last_at = at;
      groups.set(from, row);
    },
    /** Basis of keyword data; undefined if no search volume is known. */
    rows: (): FiguresBasis | undefined => (groups.size === 0 ? undefined : [...groups.values()]),
  };
}
