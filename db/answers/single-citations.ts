import { and, asc, count, desc, eq, gt, lt, or, sql, type SQL } from "drizzle-orm";
import type { CollectedPart } from "../../core/metrics/select-counted-parts.ts";
import type { Page } from "../../core/shared/pagination.ts";
import type { CompetitorType } from "../../core/sources/sources.ts";
import { matches, pick } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";
import { brandPresenceCondition, type BrandPresence } from "./brand-conditions.ts";
import { isPlaceCondition, type CitedPlace } from "./cited-condition.ts";

export interface SingleCitations {
  collectIds: readonly string[];
  ways: readonly CollectedPart[];
  questionCondition: SQL | undefined;
  presence: BrandPresence;
  isCited: boolean;
  place: CitedPlace | undefined;
  brandNumber: number | undefined;
  siteTypes: readonly CompetitorType[] | undefined;
}

/** One row per page of an answer, newest answer first. The cursor has the answer and stored position. */
export async function listSingleCitations(tenant: Tenant, select: SingleCitations, page: Page) {
  const { db } = tenant;
  const { q, t } = db;
  const { answers, citations, questions } = t;
  const { collectIds, ways, isCited, brandNumber, siteTypes } = select;
  const matching = and(
    matches(answers, { collectId: collectIds, isShown: true }),
    or(...ways.map(({ source, method }) => matches(answers, { source, collectionMethod: method }))) ?? sql`false`,
    select.questionCondition,
    brandPresenceCondition(tenant, select.presence),
    matches(citations, { isCited, brandNumber, competitorType: siteTypes }),
    isPlaceCondition(db, select.place),
  );
  const [answerId, , position] = page.after ?? [];
  const isAfter =
    answerId === undefined
      ? undefined
      : or(lt(answers.id, answerId), and(eq(answers.id, answerId), gt(citations.position, Number(position))));
  const rows = await q
    .select({
      ...pick(answers, "id", "source", "collectId", "questionId", "collectedAt"),
      ...pick(questions, "text", "country"),
      ...pick(citations, "url", "domain", "brandNumber"),
      siteType: citations.competitorType,
      storedPosition: citations.position,
      position: placeAmongAlike(citations),
    })
    .from(answers)
    .innerJoin(citations, eq(citations.answerKey, answers.key))
    .innerJoin(questions, eq(questions.id, answers.questionId))
    .where(and(matching, isAfter))
    .orderBy(desc(answers.id), asc(citations.position))
    .limit(page.limit + 1);
  const [counted] = await q
    .select({ rows: count() })
    .from(answers)
    .innerJoin(citations, eq(citations.answerKey, answers.key))
    .innerJoin(questions, eq(questions.id, answers.questionId))
    .where(matching);
  return { rows, total: counted?.rows ?? 0 };
}

/** Stored positions count cited and retrieved pages together, and can have gaps. */
function placeAmongAlike(citations: Tenant["db"]["t"]["citations"]): SQL<number> {
  return sql<number>`(select count(*) from ${citations} as earlier where earlier.answer_key = ${citations.answerKey} and earlier.is_cited = ${citations.isCited} and earlier.position <= ${citations.position})`;
}
