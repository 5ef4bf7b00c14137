import type { RelatedQuery } from "../../../core/shared/fields.ts";
import * as c from "../../engine/columns.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

/** Metrics given in a setup are stored with its questions. */
export const keywordFigures = c.table(
  "keyword_figures",
  {
    ...workspaceColumns(),
    country: c.string("country").notNull(),
    language: c.string("language").notNull(),
    keyword: c.string("keyword").notNull(),
    searchVolume: c.int("search_volume"),
    trends: c.json<number[]>("trends"),
    /** `import` or a provider; null if neither. The metrics can be null nevertheless. */
    volumeFrom: c.string("volume_from"),
    volumeAt: c.instant("volume_at"),
    searchInterestTrends: c.json<number[]>("search_interest_trends"),
    relatedQueries: c.json<RelatedQuery[]>("related_queries"),
    /** `import` or a provider; null if neither. */
    interestFrom: c.string("interest_from"),
    interestAt: c.instant("interest_at"),
  },
  (t) => [c.primaryKey({ columns: [t.workspaceId, t.country, t.language, t.keyword] })],
);
