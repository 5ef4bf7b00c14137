import { z } from "zod";
import type { ContentBriefRow, ContentBriefSummaryRow } from "../../db/briefs/content-briefs.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import {
  CompetitorTypeField,
  FunnelStageField,
  Id,
  InstantField,
  nameSchema,
  outsideTextSchema,
  SourceField,
  textSchema,
  removeInvisible,
  workspacePath,
} from "../../core/shared/fields.ts";
import { COLLECTION_METHODS } from "../../core/sources/sources.ts";
import { EvidenceSchema, shapeEvidence } from "../actions/evidence.ts";

export const contentBriefPath = {
  ...workspacePath,
  content_brief_id: Id.describe("Content brief id, from list_content_briefs."),
};

const line = textSchema(500).min(1);

export const contentBriefFields = {
  title: nameSchema(255).describe("One line, up to 255 characters."),
  audience: z
    .strictObject({
      persona_id: Id.nullable(),
      name: textSchema(200),
      description: textSchema(4000),
      motivations: z.array(line).max(20),
      pain_points: z.array(line).max(20),
    })
    .describe("Target audience."),
  outline: z
    .array(z.strictObject({ heading: line, points: z.array(textSchema(2000).min(1)).max(30) }))
    .max(40)
    .describe("Sections in order."),
  questions: z.array(line).max(50).describe("Questions that the content answers."),
};

export const ContentBriefSummarySchema = z
  .object({
    id: Id,
    analysis_id: Id,
    result_id: Id.nullable().describe("Recommended action behind the brief, if any."),
    collect_id: Id.describe("Run (`collect`) behind the brief."),
    collection_methods: z.array(z.enum(COLLECTION_METHODS)).describe("simulated: based on invented answers."),
    title: z.string(),
    target_prompt_count: z.int(),
    is_user_edited: z.boolean(),
    created_at: InstantField,
    updated_at: InstantField,
  })
  .meta({ id: "ContentBriefSummary" });

export const ContentBrief = ContentBriefSummarySchema.extend({
  target_prompts: z.array(
    z.object({
      keyword_id: Id,
      keyword: z.string(),
      funnel_stage: FunnelStageField.nullable(),
      search_volume: z.int().nullable(),
      answers: z.int().describe("AI answers to the prompt in the run; result pages, if the run has no others."),
      occurrences: z.int().describe("Those that mention your brand."),
    }),
  ),
  audience: z.object({
    persona_id: Id.nullable(),
    name: z.string(),
    description: z.string(),
    motivations: z.array(z.string()),
    pain_points: z.array(z.string()),
  }),
  outline: z.array(z.object({ heading: outsideTextSchema(), points: z.array(outsideTextSchema()) })),
  questions: z.array(z.string()),
  cited_sources: z
    .array(
      z.object({
        domain: outsideTextSchema(),
        url: outsideTextSchema().describe("Most cited page."),
        competitor_type: CompetitorTypeField,
        citations: z.int().describe("Number of citations of the site's pages."),
        sources: z.array(SourceField),
      }),
    )
    .describe("Sites that the answers cite."),
  entities: z
    .array(
      z.object({
        brand_id: Id,
        brand: z.string(),
        own: z.boolean(),
        occurrences: z.int(),
        average_rank: z.number().nullable(),
      }),
    )
    .describe("Brands mentioned in the answers."),
  evidence: z.array(EvidenceSchema),
}).meta({ id: "ContentBrief" });

export function shapeContentBriefSummary(row: ContentBriefSummaryRow): z.input<typeof ContentBriefSummarySchema> {
  return {
    ...toSnakeCase(row),
    result_id: row.actionId,
    target_prompt_count: row.targetPrompts.length,
  };
}

export function shapeContentBrief(row: ContentBriefRow): z.input<typeof ContentBrief> {
  return {
    ...shapeContentBriefSummary(row),
    target_prompts: row.targetPrompts,
    audience: row.audience,
    outline: row.outline.map(({ heading, points }) => ({
      heading: removeInvisible(heading),
      points: points.map(removeInvisible),
    })),
    questions: row.questions.map(removeInvisible),
    cited_sources: row.citedSources.map((site) => ({ ...site, url: removeInvisible(site.url) })),
    entities: row.entities,
    evidence: row.evidence.map(shapeEvidence),
  };
}
