import { z } from "zod";
import { listBrandsByIdOrName } from "../db/catalog/brands.ts";
import { findNamedItems, listNamedItems, type NamedItemKind } from "../db/catalog/named-items.ts";
import { listTagNames } from "../db/catalog/tags.ts";
import { listAttributes } from "../db/metrics/attributes.ts";
import { listBrandNames } from "../db/analyses/projects.ts";
import { listCollectNumbers } from "../db/analyses/collects.ts";
import { hasAnalysis } from "../db/analyses/analyses.ts";
import { listFacets, listFirstQuestions, listQuestionsByIdOrText } from "../db/analyses/questions.ts";
import { listPromptCountries } from "../db/analyses/prompt-countries.ts";
import type { Tenant } from "../db/engine/store.ts";
import { MEASURED_STATUSES, type FacetKind } from "../core/analyses/analysis.ts";
import { PAGE_CHECKS } from "../core/audits/checks.ts";
import { notFound } from "../core/shared/errors.ts";
import type { Named } from "../core/shared/names.ts";
import { getCountryName } from "../core/shared/analysis-location.ts";
import { FUNNEL_STAGES } from "../core/sources/sources.ts";

interface NameScope {
  tenant: Tenant;
  analysisId: string;
}

interface NameableKind {
  /** May return more candidates than named. */
  find(place: NameScope, values: readonly string[]): Promise<Named[]>;
  /** For the error about an unknown name. */
  list(place: NameScope): Promise<readonly Named[]>;
  /** False for names of the workspace. */
  isOfAnalysis: boolean;
}

const facetKind = (kind: FacetKind): NameableKind => {
  const list = async ({ tenant, analysisId }: NameScope) =>
    (await listFacets(tenant, analysisId)).filter((one) => one.kind === kind);
  return { find: list, list, isOfAnalysis: true };
};

const createItemKind = (kind: NamedItemKind): NameableKind => ({
  find: ({ tenant }, values) => findNamedItems(tenant, kind, values),
  list: ({ tenant }) => listNamedItems(tenant, kind),
  isOfAnalysis: false,
});

const createClosedListKind = (values: readonly string[]): NameableKind => {
  const list = async () => values.map((value) => ({ id: value, name: value }));
  return { find: list, list, isOfAnalysis: false };
};

/** Filters nothing without a measurable collect. */
export const LATEST_COLLECT = "latest";
/** For parameters whose default is a single collect. */
export const ALL_COLLECTS = "all";

async function listCollectNames({ tenant, analysisId }: NameScope): Promise<Named[]> {
  const collects = await listCollectNumbers(tenant, analysisId);
  const latest = collects.find(({ status }) => MEASURED_STATUSES.some((one) => one === status));
  return [
    { id: latest?.id ?? ALL_COLLECTS, name: LATEST_COLLECT },
    { id: ALL_COLLECTS, name: ALL_COLLECTS },
    ...collects.map(({ id, number }) => ({ id, name: String(number) })),
    ...collects.flatMap((collect) => listRunDays(collect).map((name) => ({ id: collect.id, name }))),
  ];
}

type CollectDates = Awaited<ReturnType<typeof listCollectNumbers>>[number];

/** First and last day of a collect, UTC. */
function listRunDays({ collectedFrom, collectedTo, startedAt, finishedAt }: CollectDates): string[] {
  const times = [collectedFrom ?? startedAt, collectedTo ?? finishedAt];
  return [...new Set(times.flatMap((time) => time?.slice(0, 10) ?? []))];
}

async function listAttributeNames({ tenant, analysisId }: NameScope): Promise<Named[]> {
  return (await listAttributes(tenant, analysisId)).map((name) => ({ id: name, name }));
}

async function listCountryNames({ tenant: { db }, analysisId }: NameScope): Promise<Named[]> {
  const codes = await listPromptCountries(db, analysisId);
  return codes.flatMap((id) => [getCountryName(id, "en"), id].map((name) => ({ id, name })));
}

/** Bounds the time of the call. */
const MAX_KEYWORDS = 5000;

const QUESTION_KIND: NameableKind = {
  find: ({ tenant, analysisId }, values) => listQuestionsByIdOrText(tenant, analysisId, values),
  list: ({ tenant, analysisId }) => listFirstQuestions(tenant, analysisId, MAX_KEYWORDS),
  isOfAnalysis: true,
};

const NAMEABLE_KINDS = {
  brand: {
    find: ({ tenant }, values) => listBrandsByIdOrName(tenant, values),
    list: ({ tenant }) => listBrandNames(tenant),
    isOfAnalysis: false,
  },
  persona: createItemKind("persona"),
  keyword: QUESTION_KIND,
  page: QUESTION_KIND,
  analysis: createItemKind("analysis"),
  asset: createItemKind("asset"),
  evaluation: createItemKind("evaluation"),
  content_brief: createItemKind("content_brief"),
  tag: {
    find: ({ tenant }) => listTagNames(tenant),
    list: ({ tenant }) => listTagNames(tenant),
    isOfAnalysis: false,
  },
  attribute: { find: listAttributeNames, list: listAttributeNames, isOfAnalysis: true },
  country: { find: listCountryNames, list: listCountryNames, isOfAnalysis: true },
  collect: { find: listCollectNames, list: listCollectNames, isOfAnalysis: true },
  thematic: facetKind("thematic"),
  topic: facetKind("topic"),
  strength: facetKind("strength"),
  weakness: facetKind("weakness"),
  related_product: facetKind("related_product"),
  sub_brand: facetKind("sub_brand"),
  funnel_stage: createClosedListKind(FUNNEL_STAGES),
  perception: createClosedListKind(["positive", "negative", "neutral"]),
  audit_check: createClosedListKind(PAGE_CHECKS.map(({ id }) => id)),
} satisfies Record<string, NameableKind>;
export type NamedKind = keyof typeof NAMEABLE_KINDS;

const DECLARED_FIELDS = z.registry<{ kind: NamedKind }>();

/** Names are resolved before `handle`, which receives the id. */
export function nameOrId(kind: NamedKind) {
  return z.string().max(255).register(DECLARED_FIELDS, { kind });
}

/** Kind of the resource in each id field. Tools accept its name too. */
export const KIND_BY_ID_FIELD: Readonly<Record<string, NamedKind>> = {
  project_id: "analysis",
  analysis_id: "analysis",
  collect_id: "collect",
  collect_ids: "collect",
  prev_collect_id: "collect",
  prev_collect_ids: "collect",
  brand_id: "brand",
  competitor_ids: "brand",
  persona_id: "persona",
  persona_ids: "persona",
  asset_id: "asset",
  asset_ids: "asset",
  evaluation_id: "evaluation",
  content_brief_id: "content_brief",
  page_id: "page",
  tag_id: "tag",
  tag: "tag",
};

export interface NamedField {
  field: string;
  kind: NamedKind;
}

/** Memoised per schema, because every call needs it. */
const fieldsByInput = new WeakMap<z.ZodObject, readonly NamedField[]>();

export function listNamedFields(input: z.ZodObject): readonly NamedField[] {
  const fields = fieldsByInput.get(input) ?? findFields(input);
  fieldsByInput.set(input, fields);
  return fields;
}

function findFields(input: z.ZodObject): NamedField[] {
  return Object.entries(input.shape).flatMap(([field, schema]) => {
    const kind = findNamedKind(schema);
    return kind === undefined ? [] : [{ field, kind }];
  });
}

function findNamedKind(schema: unknown): NamedKind | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return findNamedKind(schema.unwrap());
  if (schema instanceof z.ZodArray) return findNamedKind(schema.element);
  return schema instanceof z.ZodType ? DECLARED_FIELDS.get(schema)?.kind : undefined;
}

/** One query. NOT_FOUND if the analysis is not in the workspace. */
export async function findNamed(kind: NamedKind, scope: NameScope, values: readonly string[]): Promise<Named[]> {
  const of: NameableKind = NAMEABLE_KINDS[kind];
  if (of.isOfAnalysis && !(await hasAnalysis(scope.tenant, scope.analysisId))) throw notFound("analysis");
  return of.find(scope, values);
}

/** Call `findNamed` first: it checks access. */
export async function listNamed(kind: NamedKind, scope: NameScope): Promise<readonly Named[]> {
  return NAMEABLE_KINDS[kind].list(scope);
}
