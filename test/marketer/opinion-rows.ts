import { eq } from "drizzle-orm";
import type { Db } from "../../db/engine/store.ts";

/** Cost and answers of the demo's brand analysis with stored opinions. */
export async function opinionsOf({ q, t }: Db, analysisId: string) {
  const brands = await q.select({ id: t.brands.id, number: t.brands.number, name: t.brands.name }).from(t.brands);
  const nameOf = (number: number) => brands.find((one) => one.number === number)?.name ?? "";
  const nameWith = (id: string | null) => brands.find((one) => one.id === id)?.name ?? null;
  const rows = await q
    .select({
      key: t.answers.key,
      collect: t.collects.number,
      text: t.answers.text,
      source: t.answers.source,
      kind: t.questions.promptKind,
      country: t.questions.country,
      asksProsCons: t.questions.asksProsCons,
      lookAlike: t.questions.lookAlike,
      asked: t.questions.askedBrandId,
      other: t.questions.otherBrandId,
      verdict: t.awareness.verdict,
      said: t.perceptions.spans,
    })
    .from(t.answers)
    .innerJoin(t.questions, eq(t.questions.id, t.answers.questionId))
    .innerJoin(t.collects, eq(t.collects.id, t.answers.collectId))
    .leftJoin(t.awareness, eq(t.awareness.answerKey, t.answers.key))
    .leftJoin(t.perceptions, eq(t.perceptions.answerKey, t.answers.key))
    .where(eq(t.answers.analysisId, analysisId));
  const claims = await q
    .select({
      key: t.claims.answerKey,
      attribute: t.brandFacts.attribute,
      verdict: t.claims.verdict,
      url: t.claims.url,
    })
    .from(t.claims)
    .innerJoin(t.brandFacts, eq(t.brandFacts.id, t.claims.factId));
  const collects = await q.select().from(t.collects).where(eq(t.collects.analysisId, analysisId));
  return {
    answers: rows.map(({ said, asked, other, ...row }) => ({
      ...row,
      asked: nameWith(asked),
      other: nameWith(other),
      stances: (said?.stances ?? []).map((one) => ({ brand: nameOf(one.brand), stance: one.stance })),
      points: (said?.points ?? []).map((one) => ({ ...one, brand: nameOf(one.brand) })),
      comparisons: (said?.comparisons ?? []).map((one) => {
        return { ...one, better: nameOf(one.better), worse: nameOf(one.worse) };
      }),
      attributes: (said?.attributes ?? []).map((one) => ({ ...one, brand: nameOf(one.brand) })),
      claims: claims.filter(({ key }) => key === row.key),
    })),
    credits: collects.reduce((sum, { costCredits }) => sum + costCredits, 0),
  };
}

export type OpinionAnswer = Awaited<ReturnType<typeof opinionsOf>>["answers"][number];
