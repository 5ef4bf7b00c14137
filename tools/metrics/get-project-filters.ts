import { z } from "zod";
import { listFacets } from "../../db/analyses/questions.ts";
import {
  findProject,
  listMeasuredSources,
  listCatalogBrands,
  listProjectPersonas,
  readKeywordTraits,
} from "../../db/analyses/projects.ts";
import { listPromptCountries } from "../../db/analyses/prompt-countries.ts";
import type { FacetKind } from "../../core/analyses/analysis.ts";
import { BRAND_KINDS } from "../../core/brands/brand.ts";
import { getBrandCompetitorType } from "../../core/brands/competitor-type.ts";
import { notFound } from "../../core/shared/errors.ts";
import { CompetitorTypeField, FunnelStageField, Id, KeywordTypeField, SourceField } from "../../core/shared/fields.ts";
import { getCountryName } from "../../core/shared/analysis-location.ts";
import { FUNNEL_STAGES, KEYWORD_TYPES, SOURCE_NAMES, SOURCES } from "../../core/sources/sources.ts";
import { endpoint } from "../endpoint.ts";
import { projectQuery } from "../metric-reads/selection/selection.ts";

const named = { id: Id, name: z.string() };
const NamedList = z.array(z.object(named));

const ProjectFiltersSchema = z
  .object({
    sources: z.array(SourceField).describe("Sources of the measured runs."),
    source_names: z
      .array(z.object({ source: SourceField, name: z.string() }))
      .describe("Display names of the sources. Tools accept these names too."),
    keyword_types: z.array(KeywordTypeField),
    funnel_stages: z.array(FunnelStageField),
    thematics: NamedList,
    topics: z.array(z.object({ ...named, thematic_id: Id })),
    personas: NamedList,
    countries: z
      .array(z.object({ id: z.string(), name: z.string() }))
      .describe("Countries, if the analysis has several; ids are country codes."),
    strengths: NamedList,
    weaknesses: NamedList,
    related_products: NamedList,
    sub_brands: NamedList,
    brands: z.array(
      z.object({
        ...named,
        kind: z.enum(BRAND_KINDS),
        parent_id: Id.nullable(),
        is_my_brand: z.boolean(),
        competitor_type: CompetitorTypeField,
      }),
    ),
  })
  .meta({ id: "ProjectFilters" });

export const getProjectFilters = endpoint({
  name: "getProjectFilters",
  method: "GET",
  path: "/api/v1/projects/:project_id/filters",
  group: "Search Metrics",
  summary: "List filter values of an analysis",
  description:
    "List the values that filters of an analysis accept: sources, topics, thematics, personas, brands, countries and more. Use it when a name was rejected. Before the first analysis use list_sources.",
  access: { project: "viewer" },
  input: z.strictObject({
    ...projectQuery,
    catalog: z.boolean().default(true).describe("false: omit a large catalog of brands."),
  }),
  output: ProjectFiltersSchema,
  // source_names has the sources too.
  toolColumns: Object.keys(ProjectFiltersSchema.shape).filter((field) => field !== "sources"),
  isHeavy: () => true,
  async handle(input, { tenant }) {
    const analysis = await findProject(tenant, input.project_id);
    if (!analysis) throw notFound("project");
    const facets = await listFacets(tenant, analysis.id);
    const ofKind = (kind: FacetKind) =>
      facets.filter((facet) => facet.kind === kind).map(({ id, name }) => ({ id, name }));
    const asked = new Set((await listMeasuredSources(tenant, analysis.id)).map((row) => row.source));
    const countries = await listPromptCountries(tenant.db, analysis.id);
    const traits = await readKeywordTraits(tenant, analysis.id);
    const personaIds = traits.flatMap(({ personaId }) => personaId ?? []);
    const brands = input.catalog ? await listCatalogBrands(tenant) : [];
    const sources = SOURCES.filter((source) => asked.has(source));
    return {
      sources,
      source_names: sources.map((source) => ({ source, name: SOURCE_NAMES[source] })),
      keyword_types: KEYWORD_TYPES.filter((type) => traits.some((trait) => trait.type === type)),
      funnel_stages: FUNNEL_STAGES.filter((stage) => traits.some((trait) => trait.funnelStage === stage)),
      thematics: ofKind("thematic"),
      topics: facets.flatMap(({ kind, id, name, parentId }) =>
        kind === "topic" && parentId !== null ? [{ id, name, thematic_id: parentId }] : [],
      ),
      personas: await listProjectPersonas(tenant, [...new Set(personaIds)]),
      countries: countries.length < 2 ? [] : countries.map((id) => ({ id, name: getCountryName(id, "en") })),
      strengths: ofKind("strength"),
      weaknesses: ofKind("weakness"),
      related_products: ofKind("related_product"),
      sub_brands: ofKind("sub_brand"),
      brands: brands.map((brand) => ({
        id: brand.id,
        name: brand.name,
        kind: brand.kind,
        parent_id: brand.parentId,
        is_my_brand: brand.relationship === "mine" || brand.id === analysis.brandId,
        competitor_type: getBrandCompetitorType(brand),
      })),
    };
  },
});
