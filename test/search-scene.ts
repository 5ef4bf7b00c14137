import type { CollectStatus } from "../core/analysis.ts";
import type { BrandPlace } from "../core/reading/capture.ts";
import type { CompetitorType, Source } from "../core/sources.ts";
import type { tables } from "../db/schema.ts";
import { insertOrganization } from "../db/identity/organizations.ts";
import { writeRollups } from "../db/measuring/rollups.ts";
import type { Db } from "../db/engine/store.ts";
import { insertUser } from "../db/identity/users.ts";
import { insertWorkspace } from "../db/catalog/workspaces.ts";

const AT = "2026-11-21T08:00:00.000Z";

type Insert<Table extends keyof typeof tables> = (typeof tables)[Table]["$inferInsert"];

/** A row of the store of which a test says only what matters to it. */
export interface SceneBrand extends Partial<Insert<"brands">> {
  id: string;
  name: string;
}
export interface SceneFacet extends Pick<Insert<"facets">, "id" | "kind" | "name"> {
  parentId?: string;
}
export interface SceneKeyword extends Partial<Insert<"questions">> {
  id: string;
  text: string;
  thematicId: string;
  topicId: string;
}

/** One stored answer, as the reading of it left it. Eligible where it names a brand, unless said otherwise. */
export interface SceneAnswer {
  /** Made from the collect's where a test does not read the answer itself. */
  id?: string;
  keyword: string;
  source: Source;
  run?: number;
  text?: string;
  eligible?: boolean;
  places?: (Pick<BrandPlace, "brand_id" | "rank"> & Partial<BrandPlace>)[];
  cited?: CompetitorType[];
}

export interface SceneCollect {
  id: string;
  number: number;
  status?: CollectStatus;
  answers: SceneAnswer[];
}

/** A search analysis with stored answers, as collecting and reading leave it. */
export interface Scene {
  projectId: string;
  ownBrandId: string;
  competitorIds?: string[];
  brands: SceneBrand[];
  facets: SceneFacet[];
  personas?: { id: string; name: string }[];
  keywords: SceneKeyword[];
  collects: SceneCollect[];
}

/** Makes the organization, the workspace and the user that a scene needs where no service has made them. */
export async function insertOwner(db: Db, ids: { organizationId: string; workspaceId: string; userId: string }) {
  await insertUser(db, { id: ids.userId, email: `${ids.userId}@acme.test`, name: "Owner", createdAt: AT });
  const organization = { id: ids.organizationId, name: "Acme", plan: "test", modules: ["search"], quotas: {} };
  await insertOrganization(db, { ...organization, createdAt: AT }, ids.userId);
  await insertWorkspace(
    { db, organizationId: ids.organizationId },
    { id: ids.workspaceId, name: "Acme", createdAt: AT, updatedAt: AT },
  );
}

export async function insertScene(
  db: Db,
  ids: { organizationId: string; workspaceId: string; userId: string },
  scene: Scene,
): Promise<void> {
  const { organizationId, workspaceId, userId } = ids;
  const { q, t } = db;
  const tenant = { organizationId, workspaceId };
  const times = { createdAt: AT, updatedAt: AT };
  await db.bulkInsert(
    t.brands,
    scene.brands.map((brand) => ({
      ...tenant,
      ...times,
      nameFolded: brand.name.normalize("NFKC").toLowerCase(),
      domains: [],
      aliases: [],
      excludedPhrases: [],
      kind: "brand",
      relationship: brand.id === scene.ownBrandId ? "mine" : "other",
      ...brand,
    })),
  );
  await q.insert(t.analyses).values({
    ...tenant,
    ...times,
    id: scene.projectId,
    type: "search_analysis",
    name: "Project",
    status: "live",
    brandId: scene.ownBrandId,
    setup: {},
    schedule: { every: "once", at: "06:00", time_zone: "UTC" },
    plannedCollects: scene.collects.length,
    unitCredits: 1,
    createdBy: userId,
  });
  const analysisId = scene.projectId;
  await db.bulkInsert(
    t.analysisCompetitors,
    (scene.competitorIds ?? []).map((brandId) => ({ analysisId, brandId })),
  );
  await db.bulkInsert(
    t.facets,
    scene.facets.map((facet, position) => ({ ...facet, analysisId, position })),
  );
  const personas = (scene.personas ?? []).map((persona) => ({ ...EMPTY_PERSONA, ...tenant, ...times, ...persona }));
  await db.bulkInsert(t.personas, personas);
  await db.bulkInsert(
    t.questions,
    scene.keywords.map((keyword, position) => ({ analysisId, position, type: "Generic", intent: [], ...keyword })),
  );
  for (const collect of scene.collects) await insertCollect(db, { ...tenant, analysisId }, collect);
}

const EMPTY_PERSONA = {
  archetype: "",
  description: "",
  demographic: {},
  motivations: [],
  painPoints: [],
  coreQuestions: [],
  language: "en",
  country: "US",
};

/** Stores a collect with its answers and, where it has ended, what is summed of it. */
async function insertCollect(
  db: Db,
  ids: { organizationId: string; workspaceId: string; analysisId: string },
  collect: SceneCollect,
): Promise<void> {
  const { t } = db;
  const status = collect.status ?? "completed";
  const planned = collect.answers.length;
  await db.bulkInsert(t.collects, [
    {
      ...ids,
      id: collect.id,
      number: collect.number,
      status,
      planned,
      succeeded: planned,
      failed: 0,
      unitCredits: 1,
      reservedCredits: 0,
      costCredits: planned,
      createdAt: AT,
      startedAt: AT,
      finishedAt: AT,
    },
  ]);
  const answers = collect.answers.map((answer, index) => ({ ...answer, id: answer.id ?? `${collect.id}-${index}` }));
  await db.bulkInsert(
    t.answers,
    answers.map(({ id, keyword, source, run, text, eligible, places }) => ({
      ...ids,
      id,
      collectId: collect.id,
      questionId: keyword,
      source,
      run: run ?? 1,
      prompt: "",
      text: text ?? "An answer.",
      results: [],
      rawBody: "",
      provider: "simulated",
      locale: "en-US",
      collectionMethod: "simulated",
      costCredits: 1,
      collectedAt: AT,
      eligible: eligible ?? (places ?? []).length > 0,
      readingVersion: 1,
    })),
  );
  const places = answers.flatMap(({ id, places: own }) =>
    (own ?? []).map(({ brand_id, rank, mentions, url }) => ({
      answerId: id,
      brandId: brand_id,
      rank,
      mentions: mentions ?? 1,
      url: url ?? null,
    })),
  );
  await db.bulkInsert(t.places, places);
  const citations = answers.flatMap(({ id, cited }) =>
    (cited ?? []).map((competitorType, index) => ({
      answerId: id,
      position: index + 1,
      url: "https://example.test/",
      domain: "example.test",
      competitorType,
    })),
  );
  await db.bulkInsert(t.citations, citations);
  if (status === "completed" || status === "partial")
    await writeRollups(db, { id: collect.id, analysisId: ids.analysisId });
}
