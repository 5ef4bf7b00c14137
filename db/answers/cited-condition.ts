import { and, exists, inArray, sql, type SQL } from "drizzle-orm";
import { toComparableUrl } from "../../core/reading/citations.ts";
import { registrableDomain } from "../../core/identity/domains.ts";
import { matches } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";

/** A cited site or page; both must match if both are given. */
export interface CitedPlace {
  domain?: string | undefined;
  url?: string | undefined;
}

/** Domain of the site, and address of the page without scheme and tracking parameters. */
export function parseCitedPlace({ domain, url }: CitedPlace): CitedPlace | undefined {
  if (domain === undefined && url === undefined) return undefined;
  const site = domain ?? url ?? "";
  return { domain: registrableDomain(site) || site, ...(url !== undefined && { url: toComparableUrl(url) }) };
}

/** True for answers that cite the place. */
export function citedCondition(db: Db, place: CitedPlace | undefined): SQL | undefined {
  if (!place) return undefined;
  const { answers, citations } = db.t;
  const own = matches(citations, { answerKey: answers.key, isCited: true });
  return exists(
    db.q
      .select({ position: citations.position })
      .from(citations)
      .where(and(own, isPlaceCondition(db, place))),
  );
}

/** True for citations of the place. */
export function isPlaceCondition({ t: { citations } }: Db, { domain, url }: CitedPlace = {}): SQL | undefined {
  return and(
    matches(citations, { domain }),
    url === undefined ? undefined : sql`comparable_url(${citations.url}) = ${url}`,
  );
}

/** True for questions with an answer in the collect that cites the place. */
export function citingQuestionCondition(db: Db, collectId: string | undefined, place: CitedPlace): SQL {
  const { q, t } = db;
  if (collectId === undefined) return sql`false`;
  const citing = q
    .select({ questionId: t.answers.questionId })
    .from(t.answers)
    .where(and(matches(t.answers, { collectId }), citedCondition(db, place)));
  return inArray(t.questions.id, citing);
}
