import type { RelatedQuery } from "../../../core/shared/fields.ts";
import { instant, int, json, primaryKey, string, table } from "../../engine/columns.ts";
import { ofWorkspace } from "../../identity/schema/tenant.ts";

/**
 * How people search for a keyword in a country and a language, as lines that were imported say or as a provider told. What the setup of an
 * analysis says stands with its question.
 */
export const keywordFigures = table(
  "keyword_figures",
  {
    ...ofWorkspace(),
    country: string("country").notNull(),
    language: string("language").notNull(),
    keyword: string("keyword").notNull(),
    searchVolume: int("search_volume"),
    trends: json<number[]>("trends"),
    /** `import`, or the provider that was asked; null where neither was. What it told can be nothing. */
    volumeFrom: string("volume_from"),
    volumeAt: instant("volume_at"),
    searchInterestTrends: json<number[]>("search_interest_trends"),
    relatedQueries: json<RelatedQuery[]>("related_queries"),
    /** The same of interest and related queries. */
    interestFrom: string("interest_from"),
    interestAt: instant("interest_at"),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.country, t.language, t.keyword] })],
);
