import { storeKeywordFigures } from "../../../db/analyses/keyword-figures.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { GIVEN_BY, tells, WANTED_FIGURES, type KeywordFigures } from "../../../core/analyses/keyword-figures.ts";
import type { Place } from "../../../core/shared/place.ts";
import type { ImportLine } from "../../../core/reading/import-line.ts";
import type { Instant } from "../../../core/shared/time.ts";

/** The last line of a keyword wins. */
export async function storeImportedFigures(
  tenant: Tenant,
  place: Place,
  lines: readonly ImportLine[],
  at: Instant,
): Promise<void> {
  for (const wanted of WANTED_FIGURES) {
    const figures = new Map(
      lines
        .map((line): [string, KeywordFigures] => [line.keyword, figuresIn(line)])
        .filter(([, said]) => tells(said, wanted)),
    );
    await storeKeywordFigures(tenant, place, { wanted, from: GIVEN_BY.import, at, figures });
  }
}

function figuresIn({ search_volume, trends, search_interest_trends, related_queries }: ImportLine): KeywordFigures {
  return {
    searchVolume: search_volume ?? null,
    trends: trends ?? null,
    searchInterestTrends: search_interest_trends ?? null,
    relatedQueries: related_queries ?? null,
  };
}
