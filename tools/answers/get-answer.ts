import { z } from "zod";
import { findAnswer, findReading } from "../../db/answers/answers.ts";
import { listAnswerClaims } from "../../db/metrics/claim-facts.ts";
import { CLAIM_VERDICTS } from "../../core/claims/statement-verdict.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { analysisPath, CompetitorTypeField, Id, outsideTextSchema, removeInvisible } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { PERCEPTION_LANGUAGES } from "../../core/perception/languages.ts";
import { STANCES, AWARENESS_VERDICTS } from "../../core/reading/capture.ts";
import { answerFields, shapeAnswer } from "./answer.ts";
import { toShownText } from "./shown-text.ts";

const Page = z.object({
  position: z.int(),
  url: outsideTextSchema(),
  title: outsideTextSchema().nullable(),
  domain: outsideTextSchema(),
  competitor_type: CompetitorTypeField,
  brand_id: Id.nullable().describe("Brand that owns the site, if any."),
});

const spanFields = { start: z.int(), end: z.int() };
const brandFields = { brand_id: Id, brand: z.string() };

const PerceptionSchema = z.object({
  language: z.enum(PERCEPTION_LANGUAGES).nullable().describe("Null if unknown."),
  unjudged: z.enum(["no_lexicon_for_language"]).nullable().describe("Reason why clauses were not scored."),
  stances: z
    .array(z.object({ ...brandFields, stance: z.enum(STANCES), ...spanFields }))
    .describe("One entry per mention."),
  points: z
    .array(z.object({ ...brandFields, polarity: z.enum(["pro", "con"]), head: outsideTextSchema(), ...spanFields }))
    .describe("Pros and cons; head is the subject of each."),
  comparisons: z.array(
    z.object({
      better: z.string(),
      better_id: Id,
      worse: z.string(),
      worse_id: Id,
      aspect: outsideTextSchema().nullable(),
      is_draw: z.boolean().describe("true: the answer calls the two equal."),
      ...spanFields,
    }),
  ),
  attributes: z.array(
    z.object({ ...brandFields, attribute: z.string(), score: z.number().describe("-5 to 5."), ...spanFields }),
  ),
});

const AnswerSchema = z
  .object({
    ...answerFields,
    text: outsideTextSchema().describe(
      "Full text; for a search result page, its titles and snippets, best rank first.",
    ),
    raw: outsideTextSchema().describe("Response body of the provider, or the imported line."),
    mentions: z
      .array(z.object({ brand_id: Id, brand: z.string(), alias: z.string(), start: z.int(), end: z.int() }))
      .describe("Every mention of a brand. Offsets are UTF-16 code units of text, end exclusive."),
    awareness: z
      .object({ verdict: z.enum(AWARENESS_VERDICTS), start: z.int(), end: z.int() })
      .nullable()
      .describe("For an aided prompt: whether the answer knows the name, with the sentence that shows it."),
    perception: PerceptionSchema.nullable().describe(
      "For a brand analysis: opinions about brands, with their positions.",
    ),
    claims: z
      .array(
        z.object({
          brand_id: Id,
          brand: z.string(),
          attribute: z.string(),
          verdict: z.enum(CLAIM_VERDICTS),
          start: z.int(),
          end: z.int(),
          url: outsideTextSchema().nullable().describe("Page cited by the sentence."),
        }),
      )
      .describe("Statements about declared facts of brands, right or wrong, with the sentence."),
    places: z
      .array(
        z.object({
          brand_id: Id,
          brand: z.string(),
          rank: z.int().describe("Rank by item of the answer's list; 1 is best."),
          brand_rank: z.int().describe("Rank by distinct brands; 1 is best."),
          mentions: z.int(),
          url: outsideTextSchema().nullable().describe("Page of the brand that is linked, if any."),
        }),
      )
      .describe("Catalog brands in this answer, best rank first."),
    citations: z.array(Page).describe("Pages that the answer cites, or that a search result page lists."),
    retrieved: z.array(Page).describe("Pages that the assistant read but does not cite."),
    queries: z.array(outsideTextSchema()).describe("Searches that the assistant ran."),
    results: z
      .array(
        z.object({
          rank: z.int(),
          url: outsideTextSchema(),
          title: outsideTextSchema().nullable(),
          snippet: outsideTextSchema().nullable(),
        }),
      )
      .describe("Rows of a search result page; empty for an assistant's answer."),
    refused: z.boolean().describe("true: the source declined to answer."),
    products: z
      .array(
        z.object({
          position: z.int(),
          title: outsideTextSchema(),
          url: outsideTextSchema().nullable(),
          price: outsideTextSchema().nullable().describe("Price as written."),
          seller: outsideTextSchema().nullable(),
        }),
      )
      .describe("Product cards in the answer."),
  })
  .meta({ id: "Answer" });

type PageRow = Awaited<ReturnType<typeof findReading>>["citations"][number];

function shapePage({ position, url, title, domain, competitorType, brandId }: PageRow): z.input<typeof Page> {
  const page = { position, url: removeInvisible(url), title: toVisibleText(title), domain };
  return { ...page, competitor_type: competitorType, brand_id: brandId };
}

const toVisibleText = (text: string | null | undefined) => (text == null ? null : removeInvisible(text));

type ReadPerception = NonNullable<Awaited<ReturnType<typeof findReading>>["perception"]>;

function shapePerception(read: ReadPerception, shift: (offset: number) => number): z.input<typeof PerceptionSchema> {
  const moved = <Span extends { start: number; end: number }>(one: Span): Span => {
    return { ...one, start: shift(one.start), end: shift(one.end) };
  };
  return {
    ...read,
    stances: read.stances.map(moved),
    points: read.points.map((point) => moved({ ...point, head: removeInvisible(point.head) })),
    comparisons: read.comparisons.map((one) => moved({ ...one, aspect: toVisibleText(one.aspect) })),
    attributes: read.attributes.map(moved),
  };
}

export const getAnswer = endpoint({
  name: "getAnswer",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/answers/:answer_id",
  group: "Analyses",
  summary: "Read an answer",
  description: "Read one answer in full: text, brands by rank, cited pages. Use list_answers to find it.",
  access: { workspace: "viewer" },
  onDemandFields: ["mentions", "perception", "raw"],
  input: z.strictObject({ ...analysisPath, answer_id: Id.describe("Answer id, from list_answers.") }),
  output: AnswerSchema,
  async handle({ analysis_id: analysisId, answer_id: answerId }, { tenant }) {
    const row = requireFound(await findAnswer(tenant, { analysisId, answerId }), "answer");
    const { mentions, places, citations, retrieved, queries, awareness, perception } = await findReading(
      tenant,
      row.key,
    );
    const claims = await listAnswerClaims(tenant, row);
    const { text, shift } = toShownText(row.text);
    return {
      ...shapeAnswer(row),
      text,
      raw: removeInvisible(row.rawBody),
      mentions: mentions.map(({ brandId, start, end, ...mention }) => ({
        ...mention,
        brand_id: brandId,
        start: shift(start),
        end: shift(end),
      })),
      awareness: awareness && { ...awareness, start: shift(awareness.start), end: shift(awareness.end) },
      perception: perception && shapePerception(perception, shift),
      claims: claims.map(({ brandId, start, end, url, ...claim }) => {
        return { ...claim, brand_id: brandId, start: shift(start), end: shift(end), url: toVisibleText(url) };
      }),
      places: places.map(({ brandId, brandRank, ...place }) => {
        return { ...place, brand_rank: brandRank, brand_id: brandId, url: toVisibleText(place.url) };
      }),
      citations: citations.map(shapePage),
      retrieved: retrieved.map(shapePage),
      queries: queries.map(removeInvisible),
      results: row.results.map(({ rank, url, title, snippet }) => ({
        rank,
        url: removeInvisible(url),
        title: toVisibleText(title),
        snippet: toVisibleText(snippet),
      })),
      refused: row.isRefusal,
      products: (row.products ?? []).map(({ position, title, url, price, seller }) => ({
        position,
        title: removeInvisible(title),
        url: toVisibleText(url),
        price: toVisibleText(price),
        seller: toVisibleText(seller),
      })),
    };
  },
});
