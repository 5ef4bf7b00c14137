import { and, asc, eq, inArray } from "drizzle-orm";
import type { Page } from "../../core/shared/pagination.ts";
import type { PromptKind } from "../../core/prompts/brand-prompt.ts";
import { alias } from "../engine/columns.ts";
import { greaterThan, matches } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";
import { promptCountryCondition } from "./prompt-countries.ts";

export interface PromptFilter {
  positions: readonly number[] | null;
  kinds?: readonly PromptKind[] | undefined;
  country?: string | undefined;
  personaId?: string | undefined;
}

/** One row per prompt, country and persona. */
export async function listPromptRows(
  { db }: Tenant,
  analysisId: string,
  { positions, kinds, country, personaId }: PromptFilter,
  page: Page,
) {
  const { q, t } = db;
  const { questions, personas } = t;
  const [brands, other] = [alias(t.brands, "asked"), alias(t.brands, "other")];
  const after = page.after?.[0] === undefined ? -1 : Number(page.after[0]);
  return q
    .select({ question: questions, brand: brands.name, other: other.name, persona: personas.name })
    .from(questions)
    .leftJoin(brands, eq(brands.id, questions.askedBrandId))
    .leftJoin(other, eq(other.id, questions.otherBrandId))
    .leftJoin(personas, eq(personas.id, questions.personaId))
    .where(
      and(
        matches(questions, { analysisId, personaId, position: greaterThan(after) }),
        await promptCountryCondition(db, analysisId, country === undefined ? [] : [country]),
        positions === null
          ? undefined
          : inArray(
              questions.position,
              [...positions].filter((one) => one > after),
            ),
        kinds === undefined ? undefined : inArray(questions.promptKind, [...kinds]),
      ),
    )
    .orderBy(asc(questions.position))
    .limit(page.limit + 1);
}
