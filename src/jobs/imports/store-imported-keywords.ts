import { storeKeywordData } from "../../../db/analyses/keyword-data.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import {
  KEYWORD_DATA_ORIGINS,
  hasKeywordData,
  KEYWORD_DATA_KINDS,
  type KeywordData,
} from "../../../core/analyses/keyword-data.ts";
import type { AnalysisLocation } from "../../../core/shared/analysis-location.ts";
import type { ImportLine } from "../../../core/reading/import-line.ts";
import type { Instant } from "../../../core/shared/time.ts";

/** The last line of a keyword wins. */
export async function storeImportedKeywords(
  tenant: Tenant,
  location: AnalysisLocation,
  lines: readonly ImportLine[],
  at: Instant,
): Promise<void> {
  for (const wanted of KEYWORD_DATA_KINDS) {
    const figures = new Map(
      lines
        .map((line): [string, KeywordData] => [line.keyword, toKeywordFigures(line)])
        .filter(([, said]) => hasKeywordData(said, wanted)),
    );
    await storeKeywordData(tenant, location, { wanted, from: KEYWORD_DATA_ORIGINS.import, at, figures });
  }
}

function toKeywordFigures({ search_volume, trends, search_interest_trends, related_queries }: ImportLine): KeywordData {
  return {
    searchVolume: search_volume ?? null,
    trends: trends ?? null,
    searchInterestTrends: search_interest_trends ?? null,
    relatedQueries: related_queries ?? null,
  };
}
