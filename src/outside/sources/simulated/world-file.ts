import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { Domain, nameSchema } from "../../../../core/shared/fields.ts";
import { COMPETITOR_TYPES, SOURCES } from "../../../../core/sources/sources.ts";
import { bySource, FromCollectField, OpinionsSchema, Phrase, Share } from "./world-opinions.ts";

const LogitsField = z.number().min(0).max(5).describe("Standard deviation on the logit scale.");

const WorldBrand = z.strictObject({
  name: nameSchema(100),
  domain: Domain.optional(),
  strength: Share.describe("Share of the answers that name the brand, on average over prompts."),
  topics: z.record(z.string(), Share).default({}).describe("Strength in single topics, by the topic's name."),
  channels: bySource(z.number().min(0).max(3)).default({}).describe("Factor on the strength on single sources."),
  trend: z.number().min(-1).max(1).default(0).describe("Added to the strength with each collect."),
  moves: z
    .array(
      z.strictObject({
        collect: FromCollectField,
        source: z.enum(SOURCES).optional().describe("Where; at every source without it."),
        gain: z.number().min(-1).max(1).describe("What the strength gains."),
      }),
    )
    .default([]),
  praise: z.array(Phrase).default([]).describe("Ends of sentences such as 'is easy to clean'."),
  opinions: OpinionsSchema.optional().describe("What is thought of it: what brand analyses ask for."),
});

const DriftSchema = z.strictObject({ collect: FromCollectField, source: z.enum(SOURCES), logits: LogitsField });
const WorldModelSchema = z.strictObject({ collect: FromCollectField, name: Phrase });
const AbsenceSchema = z.strictObject({ collect: FromCollectField, source: z.enum(SOURCES), share: Share });

const WorldFileSchema = z.strictObject({
  seed: z.string().min(1).describe("Another seed gives other answers from the same world."),
  category: Phrase.describe("What the brands make, in the plural."),
  spread: LogitsField.default(1.75).describe(
    "Deviation of a brand between prompts, in logits. Half of the variance is common to all sources.",
  ),
  shock: LogitsField.default(1).describe(
    "Deviation of a prompt between collects, in logits. Half of the variance is common to all sources.",
  ),
  drift: LogitsField.default(0).describe(
    "Deviation of a brand between collects of one source, common to all prompts, in logits.",
  ),
  drifts: z.array(DriftSchema).default([]).describe("Sources that lean to other brands for good."),
  models: bySource(z.array(WorldModelSchema)).default({}).describe("Models that sources name."),
  brands: z.array(WorldBrand).max(200),
  sites: z
    .array(
      z.strictObject({
        domain: Domain,
        title: Phrase,
        path: z.string().regex(/^\/[\w./-]*$/, "must be a path such as /guides"),
        competitor_type: z.enum(COMPETITOR_TYPES).describe("What the reading of citations must find it to be."),
      }),
    )
    .max(200)
    .describe("Sites that answers cite and result pages list."),
  praise: z.array(Phrase).min(1).describe("For brands without praise of their own."),
  credulity: bySource(Share)
    .default({})
    .describe("Share of the answers that claim to know a brand that does not exist; 0.04 where it is left out."),
  absent: bySource(Share).default({}).describe("Share of the queries for which a source shows nothing at all."),
  absences: z
    .array(AbsenceSchema)
    .default([])
    .describe("Sources that show something for more queries, or fewer, for good."),
});
export type SimulatedWorld = z.output<typeof WorldFileSchema>;
export type WorldBrand = SimulatedWorld["brands"][number];

const DEMO_WORLD = fileURLToPath(import.meta.resolve("#root/lists/demo/world.json"));

/** Throws an error that names every invalid field. */
export function readWorld(file: string = DEMO_WORLD): SimulatedWorld {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`SIMULATED_WORLD cannot be read as a JSON file: ${file}`, { cause: error });
  }
  const parsed = WorldFileSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`The world file is not valid: ${file}\n${lines.join("\n")}`);
}
