import { eq, max } from "drizzle-orm";
import type { CollectStatus } from "../../core/analyses/analysis.ts";
import type { BrandRank } from "../../core/reading/capture.ts";
import { READING_VERSION } from "../../core/reading/reading.ts";
import type { CollectionMethod, CompetitorType, Source } from "../../core/sources/sources.ts";
import { addMs } from "../../core/shared/time.ts";
import type { tables } from "../../db/schema.ts";
import { insertOrganization } from "../../db/identity/organizations.ts";
import { allocateAnswerKeys } from "../../db/answers/answers.ts";
import { computeSums, publishSums } from "../../db/metrics/rollups.ts";
import type { Db } from "../../db/engine/store.ts";
import { insertUser } from "../../db/identity/users.ts";
import { insertWorkspace } from "../../db/catalog/workspaces.ts";

const AT = "2026-11-21T08:00:00.000Z";
const DAY_MS = 24 * 60 * 60 * 1000;

type Insert<Table extends keyof typeof tables> = (typeof tables)[Table]["$inferInsert"];

/** A stored row with only the fields that matter to a test. */
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

/**
 * One stored answer after its reading: shown, and informative if it names a brand, unless set
 * otherwise.
 */
export interface SceneAnswer {
  /** Derived from the collect's id by default. */
  id?: string;
  keyword: string;
  source: Source;
  run?: number;
  text?: string;
  shown?: boolean;
  informative?: boolean;
  method?: CollectionMethod;
  places?: (Pick<BrandRank, "brand_id" | "rank"> & Partial<BrandRank>)[];
  cited?: CompetitorType[];
  /** Cited pages of unknown sites; `read` are retrieved and not cited. */
  urls?: string[];
  read?: string[];
  /** Brands of which the answer cites a page. */
  citedBrands?: string[];
}

export interface SceneCollect {
  id: string;
  number: number;
  status?: CollectStatus;
  /** True for answers that were collected elsewhere. */
  isImported?: boolean;
  /** Null for answers without a date; by default the day of the collect's number. */
  period?: [from: string, to: string] | null;
  answers: SceneAnswer[];
}

/** A search analysis with stored answers, as collecting and reading leave it. */
export interface Scene {
  projectId: string;
  /** The analysis setup. */
  setup?: Record<string, unknown>;
  ownBrandId: string;
  competitorIds?: string[];
  brands: SceneBrand[];
  facets: SceneFacet[];
  personas?: { id: string; name: string }[];
  keywords: SceneKeyword[];
  collects: SceneCollect[];
}

/** Inserts the organization, workspace and user for a scene without a service. */
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
  const [known] = await q
    .select({ brands: max(t.brands.number) })
    .from(t.brands)
    .where(eq(t.brands.workspaceId, workspaceId));
  const numbers = new Map(scene.brands.map(({ id }, index) => [id, (known?.brands ?? 0) + index + 1]));
  await db.bulkInsert(
    t.brands,
    scene.brands.map((brand) => ({
      ...tenant,
      ...times,
      number: numbers.get(brand.id) ?? 0,
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
    setup: scene.setup ?? {},
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
  const last = Math.max(0, ...scene.collects.map(({ number }) => number));
  for (const collect of scene.collects) {
    const at = addMs(AT, (collect.number - last) * DAY_MS);
    await insertCollect(db, { ids: { ...tenant, analysisId }, numbers, at }, collect);
  }
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

/** Stores a collect with its answers, and its sums if it is complete. */
async function insertCollect(
  db: Db,
  by: {
    ids: { organizationId: string; workspaceId: string; analysisId: string };
    numbers: ReadonlyMap<string, number>;
    at: string;
  },
  collect: SceneCollect,
): Promise<void> {
  const { t } = db;
  const { ids, numbers, at } = by;
  const status = collect.status ?? "completed";
  const [collectedFrom, collectedTo] = collect.period === undefined ? [at, at] : (collect.period ?? [null, null]);
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
      isImported: collect.isImported ?? false,
      collectedFrom,
      collectedTo,
      createdAt: at,
      startedAt: at,
      finishedAt: at,
    },
  ]);
  const first = await allocateAnswerKeys(db, ids.workspaceId, planned);
  const answers = collect.answers.map((answer, index) => {
    return { ...answer, id: answer.id ?? `${collect.id}-${index}`, key: first + index };
  });
  await db.bulkInsert(
    t.answers,
    answers.map(({ id, key, keyword, source, run, text, shown, informative, method, places }) => ({
      ...ids,
      id,
      key,
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
      collectionMethod: method ?? "simulated",
      costCredits: 1,
      collectedAt: collectedTo ?? at,
      isShown: shown ?? true,
      isInformative: informative ?? (places ?? []).length > 0,
      readingVersion: READING_VERSION,
    })),
  );
  const places = answers.flatMap(({ key, places: own }) =>
    (own ?? []).map(({ brand_id, rank, brand_rank, mentions, url }) => ({
      answerKey: key,
      brandNumber: numbers.get(brand_id) ?? 0,
      rank,
      brandRank: brand_rank ?? rank,
      mentions: mentions ?? 1,
      url: url ?? null,
    })),
  );
  await db.bulkInsert(t.places, places);
  const citations = answers.flatMap(({ key, cited = [], citedBrands = [], urls = [], read = [] }) => {
    const kinds = cited.map((competitorType) => ({ competitorType, brandNumber: null }));
    const owned = citedBrands.map((id) => ({
      competitorType: "BRANDED_WEBSITE" as const,
      brandNumber: numbers.get(id) ?? null,
    }));
    const pages = [...urls, ...read].map((url, nth) => {
      const isCited = nth < urls.length;
      return { competitorType: "UNKNOWN" as const, brandNumber: null, isCited, url, domain: new URL(url).hostname };
    });
    return [...kinds, ...owned, ...pages].map((page, index) => ({
      answerKey: key,
      position: index + 1,
      url: "https://example.test/",
      domain: "example.test",
      ...page,
    }));
  });
  await db.bulkInsert(t.citations, citations);
  if (status === "completed" || status === "partial")
    await writeRollups(db, { id: collect.id, analysisId: ids.analysisId });
}

/** Computes and stores the rollups of a collect in one transaction. */
export async function writeRollups(db: Db, collect: { id: string; analysisId: string }): Promise<void> {
  await publishSums(db, collect.id, await computeSums((work) => work(db), collect), null);
}
