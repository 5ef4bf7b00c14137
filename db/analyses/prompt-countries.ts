import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import { parseLocation } from "../../core/shared/analysis-location.ts";
import { findRow } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";
import { findLastPosition } from "./prompt-clusters.ts";

// A question runs in its own country, otherwise in the country of the setup.

/** Countries in a cache key. Includes the setup's country, which applies to prompts without one. */
export async function buildCountryCacheKey(db: Db, analysisId: string, countries: readonly string[] = []) {
  return countries.length === 0 ? [] : [await findSetupCountry(db, analysisId), ...countries];
}

async function findSetupCountry(db: Db, analysisId: string): Promise<string> {
  const analysis = await findRow(db.q, db.t.analyses, { id: analysisId });
  return parseLocation(analysis?.setup ?? {}).country;
}

async function buildEffectiveCountrySql(db: Db, analysisId: string): Promise<SQL<string>> {
  return sql<string>`coalesce(${db.t.questions.country}, ${await findSetupCountry(db, analysisId)})`;
}

/** Undefined without a restriction. */
export async function promptCountryCondition(db: Db, analysisId: string, countries: readonly string[]) {
  return countries.length === 0 ? undefined : inArray(await buildEffectiveCountrySql(db, analysisId), [...countries]);
}

export async function answerCountryCondition(db: Db, analysisId: string, countries: readonly string[]) {
  const isAsked = await promptCountryCondition(db, analysisId, countries);
  if (!isAsked) return undefined;
  const { answers, questions } = db.t;
  const asked = db.q
    .select({ id: questions.id })
    .from(questions)
    .where(and(eq(questions.analysisId, analysisId), isAsked));
  return inArray(answers.questionId, asked);
}

/** Cached by last question position, because stored questions never change. */
export async function listPromptCountries(db: Db, analysisId: string): Promise<string[]> {
  const key = `own countries ${analysisId} ${await findLastPosition(db, analysisId)}`;
  const own = await db.cache.get(key, async () => {
    const { questions } = db.t;
    const value = await db.q
      .selectDistinct({ country: questions.country })
      .from(questions)
      .where(eq(questions.analysisId, analysisId));
    return { value, bytes: key.length + value.length * COUNTRY_BYTES };
  });
  const ofSetup = await findSetupCountry(db, analysisId);
  return [...new Set(own.map(({ country }) => country ?? ofSetup))].toSorted();
}

const COUNTRY_BYTES = 100;
