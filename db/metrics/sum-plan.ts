import { and, asc, eq, isNull, or } from "drizzle-orm";
import type { PromptClusters } from "../../core/metrics/prompt-clusters.ts";
import { selectFamilies, type Families } from "../../core/metrics/share-of-voice.ts";
import type { TrackedBrand } from "../../core/reading/capture.ts";
import { compileCatalog } from "../../core/reading/catalog.ts";
import { findBrandsInPrompt } from "../../core/reading/find-mentions.ts";
import type { KeywordClass } from "../../core/sources/sources.ts";
import { parseEachWithinTime } from "../../core/shared/run-within-time.ts";
import { buildTrackedBrandColumns } from "../catalog/brands.ts";
import { alias } from "../engine/columns.ts";
import type { Db } from "../engine/store.ts";
import { readPromptClusters } from "../analyses/prompt-clusters.ts";

export interface SumPlan {
  ownNumber: number;
  /** By position; undefined for positions without a keyword. */
  classes: (KeywordClass | undefined)[];
  clusters: PromptClusters;
  families: Families;
  /** Parent brands by the number of a sub-brand or product. */
  parents: ReadonlyMap<number, readonly number[]>;
}

export async function readSumPlan(db: Db, analysisId: string): Promise<SumPlan> {
  const { q, t } = db;
  const [analysis] = await q
    .select({ brandId: t.brands.id, workspaceId: t.analyses.workspaceId })
    .from(t.analyses)
    .innerJoin(t.brands, eq(t.brands.id, t.analyses.brandId))
    .where(eq(t.analyses.id, analysisId));
  if (!analysis) throw new Error("a run has no analysis");
  const ofWorkspace = eq(t.brands.workspaceId, analysis.workspaceId);
  const brands = await q
    .select({ number: t.brands.number, parentId: t.brands.parentId })
    .from(t.brands)
    .where(and(ofWorkspace, isNull(t.brands.archivedAt)));
  const family = await q
    .select(buildTrackedBrandColumns(t))
    .from(t.brands)
    .where(or(eq(t.brands.id, analysis.brandId), eq(t.brands.parentId, analysis.brandId)));
  return {
    ownNumber: family.find(({ id }) => id === analysis.brandId)?.number ?? 0,
    classes: await readKeywordClasses(db, analysisId, family),
    clusters: await readPromptClusters(db, analysisId),
    families: selectFamilies(brands),
    parents: await readParents(db, analysisId),
  };
}

export async function readParents({ q, t }: Db, analysisId: string): Promise<SumPlan["parents"]> {
  const parent = alias(t.brands, "parent");
  const children = await q
    .select({ number: t.brands.number, parent: parent.number })
    .from(t.analyses)
    .innerJoin(t.brands, eq(t.brands.workspaceId, t.analyses.workspaceId))
    .innerJoin(parent, eq(parent.id, t.brands.parentId))
    .where(eq(t.analyses.id, analysisId));
  // Only one level: a parent has no parent.
  return new Map(children.map(({ number, parent: root }) => [number, [root]]));
}

/** A generic keyword that names the own brand is detected by its text. */
async function readKeywordClasses({ q, t }: Db, analysisId: string, family: TrackedBrand[]) {
  const own = compileCatalog(family);
  const keywords = await q
    .select({ position: t.questions.position, type: t.questions.type, text: t.questions.text })
    .from(t.questions)
    .where(eq(t.questions.analysisId, analysisId))
    .orderBy(asc(t.questions.position));
  const classes: SumPlan["classes"] = [];
  const naming = parseEachWithinTime(keywords, {
    countCharacters: ({ text }) => text.length,
    read: ({ text }) => findBrandsInPrompt(text, own).size > 0,
    fallback: false,
  });
  for (const [at, { position, type }] of keywords.entries()) {
    while (classes.length < position) classes.push(undefined);
    classes.push(type === "Generic" && naming[at] ? "GenericNamingOwn" : type);
  }
  return classes;
}
