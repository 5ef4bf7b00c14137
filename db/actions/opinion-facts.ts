import { and, asc, eq, inArray, isNotNull } from "drizzle-orm";
import { groupPositionsByPrompt } from "../../core/metrics/prompt-clusters.ts";
import { createAspectNamer } from "../../core/perception/attributes.ts";
import type { OpinionPrompt, OpinionView } from "../../core/actions/opinion-view.ts";
import type { OpenedAnswers } from "../../core/actions/rules/opened-answer.ts";
import { matches } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";
import { listCountedParts } from "../metrics/methods.ts";
import { listAttributes } from "../metrics/attributes.ts";
import { findQuotedAnswers, listPerceptionFacts } from "../metrics/perception-facts.ts";
import { readPromptClusters } from "../analyses/prompt-clusters.ts";

export type OpinionSetup = Omit<OpinionView, "sources" | "facts"> & { brandFamilies: BrandFamilies };

/** A family is a brand with its sub-brands and products. */
export interface BrandFamilies {
  familyOf: (brandId: string) => ReadonlySet<number>;
  hostsOf: (brandId: string) => ReadonlyMap<string, unknown>;
}

export async function readOpinionSetup(tenant: Tenant, analysisId: string): Promise<OpinionSetup | null> {
  const prompts = await listOpinionPrompts(tenant, analysisId);
  if (prompts.length === 0) return null;
  const brands = await listBrandTree(tenant);
  const attributes = await listAttributes(tenant, analysisId);
  return {
    prompts,
    numberByBrandId: new Map(brands.map(({ id, number }) => [id, number])),
    attributes,
    canonicalAspect: memoise(createAspectNamer(attributes)),
    brandFamilies: buildFamilies(brands),
  };
}

/** One collection method per source; simulated answers only where a source has no others. */
export async function readOpinionSources({ db }: Tenant, collectId: string): Promise<OpinionView["sources"]> {
  const opened = await listPerceptionFacts(db, collectId, null);
  return (await listCountedParts(db, collectId, opened)).map(({ source, facts }) => ({ source, perception: facts }));
}

async function listOpinionPrompts({ db }: Tenant, analysisId: string): Promise<OpinionPrompt[]> {
  const { questions } = db.t;
  const { id, position, text, promptKind, askedBrandId, otherBrandId, lookAlike, asksProsCons } = questions;
  const rows = await db.q
    .select({ id, position, text, promptKind, askedBrandId, otherBrandId, lookAlike, asksProsCons })
    .from(questions)
    .where(matches(questions, { analysisId, promptKind: isNotNull }))
    .orderBy(asc(position));
  const byPosition = new Map(rows.flatMap((row) => (row.lookAlike ? [] : [[row.position, row]])));
  return groupPositionsByPrompt([...byPosition.keys()], await readPromptClusters(db, analysisId)).flatMap((prompt) => {
    const first = byPosition.get(prompt[0] ?? -1);
    if (!first?.promptKind) return [];
    const brandIds = [first.askedBrandId, first.otherBrandId].flatMap((brand) => brand ?? []);
    const { id: promptId, text: words, promptKind: kind, asksProsCons: asks } = first;
    return [{ id: promptId, text: words, kind, asksProsCons: asks, questions: prompt, brandIds }];
  });
}

async function listBrandTree({ db: { q, t }, workspaceId }: Tenant) {
  const { id, number, parentId, domains } = t.brands;
  return q.select({ id, number, parentId, domains }).from(t.brands).where(eq(t.brands.workspaceId, workspaceId));
}

function buildFamilies(brands: Awaited<ReturnType<typeof listBrandTree>>): BrandFamilies {
  const family = (brandId: string) => {
    const ids = new Set([brandId]);
    for (let size = 0; size < ids.size;) {
      size = ids.size;
      for (const { id, parentId } of brands) if (parentId !== null && ids.has(parentId)) ids.add(id);
    }
    return brands.filter(({ id }) => ids.has(id));
  };
  return {
    familyOf: (brandId) => new Set(family(brandId).map(({ number }) => number)),
    hostsOf: (brandId) => new Map(family(brandId).flatMap(({ domains }) => domains.map((host) => [host, true]))),
  };
}

function memoise(nameOf: (aspect: string) => string): (aspect: string) => string {
  const known = new Map<string, string>();
  return (aspect) => {
    const name = known.get(aspect) ?? nameOf(aspect);
    known.set(aspect, name);
    return name;
  };
}

export async function readOpenedAnswers(tenant: Tenant, keys: readonly number[]): Promise<OpenedAnswers["answers"]> {
  const answers = await findQuotedAnswers(tenant, keys);
  const { q, t } = tenant.db;
  const { answerKey, position, url, isCited } = t.citations;
  const pages = await q
    .select({ answerKey, position, url })
    .from(t.citations)
    .where(and(inArray(answerKey, [...answers.keys()]), eq(isCited, true)))
    .orderBy(asc(answerKey), asc(position));
  return new Map(
    [...answers].map(([key, { id, text, spans }]) => {
      const citations = pages.filter((page) => page.answerKey === key);
      return [key, { id, text, spans, citations }];
    }),
  );
}
