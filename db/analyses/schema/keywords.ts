import type { RelatedQuery } from "../../../core/shared/fields.ts";
import { instant, int, json, primaryKey, string, table } from "../../engine/columns.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

/** Imported or provider metrics. Metrics given in a setup are stored with its questions. */
export const keywordFigures = table(
  "keyword_figures",
  {
    ...workspaceColumns(),
    country: string("country").notNull(),
    language: string("language").notNull(),
    keyword: string("keyword").notNull(),
    searchVolume: int("search_volume"),
    trends: json<number[]>("trends"),
    /** `import` or a provider; null if neither. The metrics can be null nevertheless. */
    volumeFrom: string("volume_from"),
    volumeAt: instant("volume_at"),
    searchInterestTrends: json<number[]>("search_interest_trends"),
    relatedQueries: json<RelatedQuery[]>("related_queries"),
    /** Like `volumeFrom`, for interest and related queries. */
    interestFrom: string("interest_from"),
    interestAt: instant("interest_at"),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.country, t.language, t.keyword] })],
);
