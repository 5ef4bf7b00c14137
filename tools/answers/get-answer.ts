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
import { shownText } from "./shown-text.ts";

const Page = z.object({
  position: z.int(),
  url: outsideTextSchema(),
  title: outsideTextSchema().nullable(),
  domain: outsideTextSchema(),
  competitor_type: CompetitorTypeField,
  brand_id: Id.nullable().describe("The brand whose own site it is, if any."),
});

const span = { start: z.int(), end: z.int() };
const named = { brand_id: Id, brand: z.string() };

const Perception = z.object({
  language: z.enum(PERCEPTION_LANGUAGES).nullable().describe("Null where it cannot be told."),
  unjudged: z.enum(["no_lexicon_for_language"]).nullable().describe("Why clauses were not judged."),
  stances: z.array(z.object({ ...named, stance: z.enum(STANCES), ...span })).describe("One of each mention."),
  points: z
    .array(z.object({ ...named, polarity: z.enum(["pro", "con"]), head: outsideTextSchema(), ...span }))
    .describe("Pros and cons; head is what one is about."),
  comparisons: z.array(
    z.object({
      better: z.string(),
      better_id: Id,
      worse: z.string(),
      worse_id: Id,
      aspect: outsideTextSchema().nullable(),
      ...span,
    }),
  ),
  attributes: z.array(z.object({ ...named, attribute: z.string(), score: z.number().describe("-5 to 5."), ...span })),
});

const Answer = z
  .object({
    ...answerFields,
    text: outsideTextSchema().describe("The whole text; of a result page its titles and snippets, best rank first."),
    raw: outsideTextSchema().describe("The body as its provider sent it, or the line that it was imported from."),
    mentions: z
      .array(z.object({ brand_id: Id, brand: z.string(), alias: z.string(), start: z.int(), end: z.int() }))
      .describe("Each time a brand is named. Offsets are UTF-16 code units of text, end exclusive."),
    awareness: z
      .object({ verdict: z.enum(AWARENESS_VERDICTS), start: z.int(), end: z.int() })
      .nullable()
      .describe("Of an answer to an aided prompt: whether it knows the name, and the sentence that says so."),
    perception: Perception.nullable().describe("Of an answer of a brand analysis: what it says of brands, and where."),
    claims: z
      .array(
        z.object({
          brand_id: Id,
          brand: z.string(),
          attribute: z.string(),
          verdict: z.enum(CLAIM_VERDICTS),
          start: z.int(),
          end: z.int(),
          url: outsideTextSchema().nullable().describe("The page that the sentence cites."),
        }),
      )
      .describe("What it says of declared facts of brands, with the sentence that says so."),
    places: z
      .array(
        z.object({
          brand_id: Id,
          brand: z.string(),
          rank: z.int().describe("1 is best. Counts items of the answer's list."),
          brand_rank: z.int().describe("The same counting different brands."),
          mentions: z.int(),
          url: outsideTextSchema().nullable().describe("The brand's own page that was linked, if any."),
        }),
      )
      .describe("Brands of the catalog in this answer, best rank first."),
    citations: z.array(Page).describe("Pages that the answer cites, or that a result page lists."),
    retrieved: z.array(Page).describe("Pages that the assistant read for it and does not cite."),
    queries: z.array(outsideTextSchema()).describe("What the assistant searched for."),
    results: z
      .array(
        z.object({
          rank: z.int(),
          url: outsideTextSchema(),
          title: outsideTextSchema().nullable(),
          snippet: outsideTextSchema().nullable(),
        }),
      )
      .describe("Rows of a result page; empty for an assistant's answer."),
    refused: z.boolean().describe("The source refused to answer, and the text says so."),
    products: z
      .array(
        z.object({
          position: z.int(),
          title: outsideTextSchema(),
          url: outsideTextSchema().nullable(),
          price: outsideTextSchema().nullable().describe("As it is written there."),
          seller: outsideTextSchema().nullable(),
        }),
      )
      .describe("Product cards that the answer shows."),
  })
  .meta({ id: "Answer" });

type PageRow = Awaited<ReturnType<typeof findReading>>["citations"][number];

function shapePage({ position, url, title, domain, competitorType, brandId }: PageRow): z.input<typeof Page> {
  const page = { position, url: removeInvisible(url), title: visibleText(title), domain };
  return { ...page, competitor_type: competitorType, brand_id: brandId };
}

const visibleText = (text: string | null | undefined) => (text == null ? null : removeInvisible(text));

type ReadPerception = NonNullable<Awaited<ReturnType<typeof findReading>>["perception"]>;

function shapePerception(read: ReadPerception, shift: (offset: number) => number): z.input<typeof Perception> {
  const moved = <Span extends { start: number; end: number }>(one: Span): Span => {
    return { ...one, start: shift(one.start), end: shift(one.end) };
  };
  return {
    ...read,
    stances: read.stances.map(moved),
    points: read.points.map((point) => moved({ ...point, head: removeInvisible(point.head) })),
    comparisons: read.comparisons.map((one) => moved({ ...one, aspect: visibleText(one.aspect) })),
    attributes: read.attributes.map(moved),
  };
}

export const getAnswer = endpoint({
  name: "getAnswer",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/answers/:answer_id",
  group: "Analyses",
  summary: "Read an answer",
  description: "One answer whole: text, brands by rank with mention counts, cited pages.",
  access: { workspace: "viewer" },
  onDemandFields: ["mentions", "perception", "raw"],
  input: z.strictObject({ ...analysisPath, answer_id: Id.describe("Answer; list_answers gives it.") }),
  output: Answer,
  async handle({ analysis_id: analysisId, answer_id: answerId }, { tenant }) {
    const row = requireFound(await findAnswer(tenant, { analysisId, answerId }), "answer");
    const { mentions, places, citations, retrieved, queries, awareness, perception } = await findReading(
      tenant,
      row.key,
    );
    const claims = await listAnswerClaims(tenant, row);
    const { text, shift } = shownText(row.text);
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
        return { ...claim, brand_id: brandId, start: shift(start), end: shift(end), url: visibleText(url) };
      }),
      places: places.map(({ brandId, brandRank, ...place }) => {
        return { ...place, brand_rank: brandRank, brand_id: brandId, url: visibleText(place.url) };
      }),
      citations: citations.map(shapePage),
      retrieved: retrieved.map(shapePage),
      queries: queries.map(removeInvisible),
      results: row.results.map(({ rank, url, title, snippet }) => ({
        rank,
        url: removeInvisible(url),
        title: visibleText(title),
        snippet: visibleText(snippet),
      })),
      refused: row.isRefusal,
      products: (row.products ?? []).map(({ position, title, url, price, seller }) => ({
        position,
        title: removeInvisible(title),
        url: visibleText(url),
        price: visibleText(price),
        seller: visibleText(seller),
      })),
    };
  },
});
