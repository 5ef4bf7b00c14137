import { z } from "zod";
import type { Capture } from "../../../../core/reading/capture.ts";
import { SOURCES } from "../../../../core/sources/sources.ts";
import { flag } from "../../../config/setting-fields.ts";
import { declareProvider } from "../declare-provider.ts";
import type { CapturedAnswer, Question } from "../provider.ts";
import { planBrandAnswer } from "./brand-plan.ts";
import { writeBrandAnswer } from "./brand-text.ts";
import { type CastMember, getCast, findNamedMembers } from "./cast.ts";
import { createRandom, pick } from "./chance.ts";
import { type AnswerPlan, type BrandAppearance, planAnswer } from "./plan.ts";
import { type SimulatedWorld, readWorld } from "./world-file.ts";

/** Names brands exactly as often as the plan counts. */
function writeAnswer(world: SimulatedWorld, question: Question, plan: AnswerPlan): Capture {
  const random = createRandom(
    world.seed,
    "words",
    question.source,
    question.prompt,
    question.run,
    question.collectNumber,
  );
  const praise = ({ world: known }: CastMember) =>
    pick(known && known.praise.length > 0 ? known.praise : world.praise, random);
  if (plan.style === "absent") return { text: "", citations: [], results: [] };
  if (plan.style === "results") {
    const results = plan.pages.map(({ url, title, member }, index) => ({
      rank: index + 1,
      url,
      title,
      snippet: member ? `All about ${member.name}: it ${praise(member)}.` : "Tested, sorted and explained.",
    }));
    return { text: "", citations: [], results };
  }
  const paragraphs = [
    writeOpening(world, question, plan, random),
    ...writeBody(plan, praise),
    writeClosing(plan, praise),
  ];
  return {
    text: paragraphs.filter((paragraph) => paragraph !== "").join("\n\n"),
    citations: plan.pages.map(({ url, title }, index) => ({ url, title, position: index + 1 })),
    results: [],
  };
}

function writeOpening(world: SimulatedWorld, question: Question, plan: AnswerPlan, random: () => number): string {
  if (plan.listed.length === 0) return "I could not narrow this down to single makers; the pages below go into detail.";
  const subject = chooseSubject(world, question, plan);
  return pick(
    [
      `There is no single best answer for everyone, but these stand out ${subject}.`,
      `It depends on what matters most to you. These come up again and again ${subject}.`,
      `Going by tests and by what owners report, these are worth a look ${subject}.`,
    ],
    random,
  );
}

/** The words must not name a brand. */
function chooseSubject(world: SimulatedWorld, { topic, brands }: Question, { listed }: AnswerPlan): string {
  const inWorld = listed.some(({ member }) => member.world !== null);
  const plain = /^[\p{L}\p{N} ]+$/u.test(topic) && findNamedMembers(topic, getCast(world, brands)).size === 0;
  return `${inWorld ? `among ${world.category}` : "here"}${plain ? ` (topic: ${topic})` : ""}`;
}

/** Names each brand once. Bold distinguishes a name from an ordinary word. */
function writeBody(plan: AnswerPlan, praise: (member: CastMember) => string): string[] {
  const lines = plan.listed.map(({ member }) => ({ name: `**${member.name}**`, text: praise(member) }));
  if (plan.style === "prose") return lines.map(({ name, text }) => `${name} ${text}.`);
  if (plan.style === "table") {
    const rows = lines.map(({ name, text }) => `| ${name} | It ${text} |`);
    return [["| Brand | Why |", "| --- | --- |", ...rows].join("\n")];
  }
  const marker = (index: number) => (plan.style === "numbered" ? `${index + 1}.` : "-");
  return [lines.map(({ name, text }, index) => `${marker(index)} ${name} – It ${text}.`).join("\n")];
}

function writeClosing({ listed, aside }: AnswerPlan, praise: (member: CastMember) => string): string {
  const again = ({ member, mentionCount }: BrandAppearance, from: number) =>
    Array.from({ length: mentionCount - from }, () => `Keep in mind that **${member.name}** ${praise(member)}.`);
  return [...listed.flatMap((appearance) => again(appearance, 1)), ...aside.flatMap((one) => again(one, 0))].join(" ");
}

const MAX_CONCURRENT_PROMPTS = 32;

/** Works without a network and marks every answer as `simulated`. */
export const simulated = declareProvider({
  name: "simulated",
  title: "a simulated world",
  serves: Object.fromEntries(SOURCES.map((source) => [source, "simulated"])),
  settings: z.object({
    SIMULATION: flag
      .default(true)
      .describe("1 simulates sources without a configured provider; 0 makes their prompts fail."),
    SIMULATED_WORLD: z
      .string()
      .optional()
      .describe("World file for simulated answers (docs/providers/simulated.md). Default: the demo world."),
  }),
  needs: [],
  recordedOn: null,
  configure: ({ SIMULATION, SIMULATED_WORLD }) => (SIMULATION ? createWorldLoader(SIMULATED_WORLD) : undefined),
  limits: () => ({ concurrency: MAX_CONCURRENT_PROMPTS }),
  price: () => ({ expectedUsd: 0, maxUsd: 0 }),
  ask: async (question, { configured: world }) => simulateAnswer(world(), question),
});

function createWorldLoader(file: string | undefined): () => SimulatedWorld {
  let world = file === undefined ? undefined : readWorld(file);
  return () => (world ??= readWorld());
}

/** Deterministic per world and prompt. */
export function simulateAnswer(world: SimulatedWorld, question: Question): CapturedAnswer {
  const capture = simulateCapture(world, question);
  const { source, run, collectNumber } = question;
  const rawBody = JSON.stringify({ simulated: true, seed: world.seed, source, run, collectNumber, ...capture });
  const isEmpty = capture.text === "" && capture.results.length === 0;
  const answer = { ...capture, rawBody, model: findModel(world, question), costUsd: 0, tokens: 0 };
  return isEmpty ? { ...answer, showedNothing: true } : answer;
}

function simulateCapture(world: SimulatedWorld, question: Question): Capture {
  const { asked } = question;
  if (!asked) return writeAnswer(world, question, planAnswer(world, question));
  const plan = planBrandAnswer(world, question, asked);
  // Result pages and empty answers are written alike for all kinds of prompt.
  if (plan.style === "results" || plan.style === "absent") return writeAnswer(world, question, plan);
  return writeBrandAnswer(world, question, { plan, asked });
}

function findModel({ models }: SimulatedWorld, { source, collectNumber }: Question): string | null {
  const begun = (models[source] ?? []).filter(({ collect }) => collect <= collectNumber);
  return begun.toSorted((a, b) => b.collect - a.collect)[0]?.name ?? null;
}
