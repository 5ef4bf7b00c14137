import { z } from "zod";
import { toHeadNoun } from "../../../../core/perception/head-nouns.ts";
import { computePolarity } from "../../../../core/perception/polarity.ts";
import { Country, Domain, nameSchema, textSchema } from "../../../../core/shared/fields.ts";
import { SOURCES } from "../../../../core/sources/sources.ts";
import { brandFactFields } from "../../../../tools/brand-facts/brand-fact.ts";

export const Share = z.number().min(0).max(1);
export const Phrase = textSchema(200).trim().min(1);
export const FromCollectField = z.int().min(1).describe("First collect that the change applies to; it lasts.");
export const bySource = <T extends z.ZodType>(value: T) => z.partialRecord(z.enum(SOURCES), value);
const LogitsField = z.number().min(-5).max(5);

const ShiftsField = z
  .array(
    z.strictObject({
      collect: FromCollectField.default(1),
      source: z.enum(SOURCES).optional(),
      country: Country.optional(),
      persona: nameSchema(100).optional().describe("Who asks, by name."),
      gain: z.number().min(-1).max(1).describe("Added to `likely` there."),
    }),
  )
  .default([]);

const createPhraseSchema = (praises: boolean) =>
  z
    .strictObject({
      say: Phrase.describe("Phrase for what the brand has, such as 'a quiet pump'."),
      head: Phrase.describe("Head noun of `say`, such as 'pump'."),
      likely: Share.describe("Share of the answers about the brand that say so, on average over prompts."),
      shifts: ShiftsField,
    })
    .refine(({ say }) => computePolarity(say).score * (praises ? 1 : -1) > 0, {
      path: ["say"],
      message: praises ? "does not praise" : "does not blame",
    })
    .refine(({ say, head }) => toHeadNoun(say, true) === head, {
      path: ["head"],
      message: "must be the head noun of `say`",
    });

const WorldClaimSchema = z
  .strictObject({
    attribute: nameSchema(100),
    says: Phrase.regex(/^(?:It|Its|They) .*[^.!?]$/, "must begin with It or Its, and end without a stop"),
    value: brandFactFields.value.describe(
      "Value that the statement gives the attribute, in the format of declared facts.",
    ),
    likely: Share.describe(
      "Share of the answers about the brand that say so; those of one attribute exclude each other.",
    ),
    site: Domain.optional().describe("Domain whose page is cited for the statement; by default the brand's own."),
    shifts: ShiftsField,
  })
  .refine(({ says }) => computePolarity(says).score === 0, {
    path: ["says"],
    message: "must neither praise nor blame",
  });

export const OpinionsSchema = z.strictObject({
  known: z
    .strictObject({
      likely: Share.describe("Share of the answers that know the brand."),
      channels: bySource(z.number().min(0).max(3)).default({}).describe("Factor on `likely` at single sources."),
      confused: Share.default(0.2).describe("Share of the other answers that take the brand for something else."),
      shifts: ShiftsField,
    })
    .optional(),
  pros: z.array(createPhraseSchema(true)).max(20).optional(),
  cons: z.array(createPhraseSchema(false)).max(20).optional(),
  scores: z.record(z.string(), z.number().min(-4).max(4)).default({}).describe("Mean by attribute, by its name."),
  appeal: LogitsField.optional().describe("Of two brands, the one with more is preferred more often; logits."),
  against: z
    .record(z.string(), LogitsField)
    .default({})
    .describe("Added to `appeal` against one rival, by name; logits."),
  aspects: z
    .record(z.string(), LogitsField)
    .default({})
    .describe(
      "Appeal of single aspects, by noun, in logits: of two brands, the one with more for 'pump' is more often said to have the better pump.",
    ),
  picked: Share.optional().describe("Share of the answers about the brand that choose it."),
  discouraged: Share.optional().describe("Share of the other answers that advise against the brand."),
  claims: z.array(WorldClaimSchema).max(50).default([]).describe("Statements about facts, true or false."),
});
export type WorldOpinions = z.output<typeof OpinionsSchema>;
export type OpinionShift = z.output<typeof ShiftsField>[number];
export type OpinionPhrase = NonNullable<WorldOpinions["pros"]>[number];
export type WorldClaim = WorldOpinions["claims"][number];
