import { listCompetitorIds, type AnalysisRow } from "../../../../db/analyses/analyses.ts";
import { listAllQuestions, listFacets, type QuestionRow } from "../../../../db/analyses/questions.ts";
import { findSetup } from "../../../../db/analyses/setups.ts";
import type { Tenant } from "../../../../db/engine/store.ts";
import type { Instant } from "../../../../core/shared/time.ts";
import { toUsd } from "../../../../core/credits/micros.ts";
import { copyName } from "../../copy-name.ts";
import { StoredSetupSchema, type SearchAnalysisSetup } from "./search-analysis-setup.ts";

type SetupThematics = SearchAnalysisSetup["thematics"];
type SetupKeyword = SetupThematics[number]["topics"][number]["keywords"][number];

export async function readSearchSetup(
  tenant: Tenant,
  analysis: AnalysisRow,
  now: Instant,
): Promise<SearchAnalysisSetup> {
  const { id, name, brandId, schedule, endsAt, spendCapMicros } = analysis;
  const { positions, questionCount, setup } = await findSetup(tenant, analysis);
  const questions = new Map((await listAllQuestions(tenant, id)).map((one) => [one.position, one]));
  const asked = positions ?? Array.from({ length: questionCount }, (_, position) => position);
  const names = new Map((await listFacets(tenant, id)).map((facet) => [facet.id, facet.name]));
  const { ends_at: _end, ...settings } = setup;
  return StoredSetupSchema.parse({
    ...settings,
    name: copyName(name),
    brand_id: brandId,
    competitor_ids: await listCompetitorIds(tenant, id),
    schedule,
    thematics: groupByThematic(
      asked.flatMap((position) => questions.get(position) ?? []),
      names,
    ),
    ...(endsAt === null || endsAt <= now ? {} : { ends_at: endsAt }),
    ...(spendCapMicros === null ? {} : { max_spend_usd: toUsd(spendCapMicros) }),
  });
}

function groupByThematic(questions: readonly QuestionRow[], names: ReadonlyMap<string, string>): SetupThematics {
  const getName = (id: string | null) => names.get(id ?? "") ?? "";
  const thematics = new Map<string, Map<string, SetupKeyword[]>>();
  for (const question of questions) {
    const [thematic, topic] = [getName(question.thematicId), getName(question.topicId)];
    const topics = thematics.get(thematic) ?? new Map<string, SetupKeyword[]>();
    thematics.set(thematic, topics);
    topics.set(topic, [...(topics.get(topic) ?? []), toKeyword(question, names)]);
  }
  return [...thematics].map(([name, topics]) => ({
    name,
    topics: [...topics].map(([topic, keywords]) => ({ name: topic, keywords })),
  }));
}

function toKeyword(question: QuestionRow, names: ReadonlyMap<string, string>): SetupKeyword {
  return {
    text: question.text,
    type: question.type,
    funnel_stage: question.funnelStage ?? undefined,
    persona_id: question.personaId ?? undefined,
    strength: names.get(question.strengthId ?? ""),
    weakness: names.get(question.weaknessId ?? ""),
    related_product: names.get(question.relatedProductId ?? ""),
    sub_brand: names.get(question.subBrandId ?? ""),
    intent: question.intent.length === 0 ? undefined : question.intent,
    search_volume: question.searchVolume ?? undefined,
    trends: question.trends ?? undefined,
    search_interest_trends: question.searchInterestTrends ?? undefined,
    related_queries: question.relatedQueries ?? undefined,
  };
}
