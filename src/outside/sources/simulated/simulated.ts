import { z } from "zod";
import { registrableDomain } from "../../../../core/domains.ts";
import type { BrandPlace, Capture, Citation, Reading, TrackedBrand } from "../../../../core/reading/capture.ts";
import { SOURCES } from "../../../../core/sources.ts";
import { flag } from "../../../setting-fields.ts";
import { provider } from "../declare-provider.ts";
import type { Answered, Question } from "../provider.ts";
import { planBrandAnswer } from "./brand-plan.ts";
import { writeBrandAnswer } from "./brand-text.ts";
import { type SimulatedPerception, perceptionTruth } from "./brand-truth.ts";
import { type CastMember, castOf, namedIn } from "./cast.ts";
import { chances, pick } from "./chance.ts";
import { type AnswerPlan, type Appearance, type PlannedPage, planAnswer } from "./plan.ts";
import { type World, readWorld } from "./world-file.ts";

/** Writes the capture that a plan describes. Names stand where the plan counts them and nowhere else. */
function writeAnswer(world: World, question: Question, plan: AnswerPlan): Capture {
  const random = chances(world.seed, "words", question.source, question.prompt, question.run, question.collectNumber);
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
  const paragraphs = [opening(world, question, plan, random), ...body(plan, praise), closing(plan, praise)];
  return {
    text: paragraphs.filter((paragraph) => paragraph !== "").join("\n\n"),
    citations: plan.pages.map(({ url, title }, index) => ({ url, title, position: index + 1 })),
    results: [],
  };
}

function opening(world: World, question: Question, plan: AnswerPlan, random: () => number): string {
  if (plan.listed.length === 0) return "I could not narrow this down to single makers; the pages below go into detail.";
  const subject = subjectOf(world, question, plan);
  return pick(
    [
      `There is no single best answer for everyone, but these stand out ${subject}.`,
      `It depends on what matters most to you. These come up again and again ${subject}.`,
      `Going by tests and by what owners report, these are worth a look ${subject}.`,
    ],
    random,
  );
}

/** Words for what is asked about; none that could themselves name a brand. */
function subjectOf(world: World, { topic, brands }: Question, { listed }: AnswerPlan): string {
  const inWorld = listed.some(({ member }) => member.world !== null);
  const plain = /^[\p{L}\p{N} ]+$/u.test(topic) && namedIn(topic, castOf(world, brands)).size === 0;
  return `${inWorld ? `among ${world.category}` : "here"}${plain ? ` (topic: ${topic})` : ""}`;
}

/** The names, each once. Bold keeps a name that is also a word from reading as the word. */
function body(plan: AnswerPlan, praise: (member: CastMember) => string): string[] {
  const lines = plan.listed.map(({ member }) => ({ name: `**${member.name}**`, text: praise(member) }));
  if (plan.style === "prose") return lines.map(({ name, text }) => `${name} ${text}.`);
  if (plan.style === "table") {
    const rows = lines.map(({ name, text }) => `| ${name} | It ${text} |`);
    return [["| Brand | Why |", "| --- | --- |", ...rows].join("\n")];
  }
  const marker = (index: number) => (plan.style === "numbered" ? `${index + 1}.` : "-");
  return [lines.map(({ name, text }, index) => `${marker(index)} ${name} – It ${text}.`).join("\n")];
}

/** Every further mention that the plan counts. */
function closing({ listed, aside }: AnswerPlan, praise: (member: CastMember) => string): string {
  const again = ({ member, mentions }: Appearance, from: number) =>
    Array.from({ length: mentions - from }, () => `Keep in mind that **${member.name}** ${praise(member)}.`);
  return [...listed.flatMap((appearance) => again(appearance, 1)), ...aside.flatMap((one) => again(one, 0))].join(" ");
}

const CONCURRENCY = 32;

/** Answers from a world file, without a network. Every answer says `simulated`. */
export const simulated = provider({
  name: "simulated",
  title: "a simulated world",
  serves: Object.fromEntries(SOURCES.map((source) => [source, "simulated"])),
  settings: z.object({
    SIMULATION: flag
      .default(true)
      .describe("1 simulates sources that have no configured provider; 0 makes their questions fail."),
    SIMULATED_WORLD: z
      .string()
      .optional()
      .describe("World file for simulated answers (docs/collecting.md). Default: the demo world."),
  }),
  needs: [],
  recorded: null,
  configure: ({ SIMULATION, SIMULATED_WORLD }) => (SIMULATION ? worldOf(SIMULATED_WORLD) : undefined),
  limits: () => ({ concurrency: CONCURRENCY }),
  price: () => ({ expectedUsd: 0, mostUsd: 0 }),
  ask: async (question, { configured: world }) => simulateAnswer(world(), question),
});

/** A world file of the operator's is read now, so that what is wrong with it shows at start; ours when it is first asked. */
function worldOf(file: string | undefined): () => World {
  let world = file === undefined ? undefined : readWorld(file);
  return () => (world ??= readWorld());
}

/** The answer to a question in a world, the same whenever it is asked. */
export function simulateAnswer(world: World, question: Question): Answered {
  const capture = writeCapture(world, question);
  const { source, run, collectNumber } = question;
  const rawBody = JSON.stringify({ simulated: true, seed: world.seed, source, run, collectNumber, ...capture });
  const isEmpty = capture.text === "" && capture.results.length === 0;
  const answer = { ...capture, rawBody, model: modelOf(world, question), costUsd: 0, tokens: 0 };
  return isEmpty ? { ...answer, notShown: true } : answer;
}

function writeCapture(world: World, question: Question): Capture {
  const { asked } = question;
  if (!asked) return writeAnswer(world, question, planAnswer(world, question));
  const plan = planBrandAnswer(world, question, asked);
  // What a search engine lists, or where it shows nothing, it does so for any question.
  if (plan.style === "results" || plan.style === "absent") return writeAnswer(world, question, plan);
  return writeBrandAnswer(world, question, { plan, asked });
}

/** The model that the world has the source name by then. */
function modelOf({ models }: World, { source, collectNumber }: Question): string | null {
  const begun = (models[source] ?? []).filter(({ collect }) => collect <= collectNumber);
  return begun.toSorted((a, b) => b.collect - a.collect)[0]?.name ?? null;
}

/** What reading a simulated answer must give. */
export type SimulatedTruth = Pick<Reading, "informative" | "places" | "citations"> & {
  /** Of a brand analysis. */
  perception?: SimulatedPerception;
};

/**
 * The truth of one simulated answer, from its plan alone. Exact for catalogs of brands without parents whose names and
 * domains are their own.
 */
export function simulatedTruth(world: World, question: Question): SimulatedTruth {
  const { asked } = question;
  if (asked) {
    const plan = planBrandAnswer(world, question, asked);
    return { ...shownBy(plan, question), perception: perceptionTruth(plan, question, asked) };
  }
  return shownBy(planAnswer(world, question), question);
}

function shownBy(plan: AnswerPlan, question: Question): SimulatedTruth {
  const places = plan.style === "results" ? resultPlaces(plan) : answerPlaces(plan);
  const order = new Map(question.brands.map((brand, index) => [brand.id, index]));
  const citations = plan.pages.map((page, index) => citationOf(page, index, question));
  return {
    informative: places.length > 0 || plan.pages.some((page) => ownerOf(page, question) !== undefined),
    places: places.toSorted((a, b) => a.rank - b.rank || (order.get(a.brand_id) ?? 0) - (order.get(b.brand_id) ?? 0)),
    citations,
  };
}

/** By item where the answer lists and a tracked brand is in the list, else by first mention among tracked brands. */
function answerPlaces({ style, listed, aside, pages }: AnswerPlan): BrandPlace[] {
  const lists = style !== "prose" && tracked(listed).length > 0;
  const inList = lists ? listed : [];
  const after = tracked([...(lists ? [] : listed), ...aside]);
  const url = ({ member }: Appearance) => pages.find((page) => page.member === member)?.url ?? null;
  return [
    ...inList.map((appearance, index) => ({ appearance, rank: index + 1 })),
    ...after.map((appearance, index) => ({ appearance, rank: inList.length + index + 1 })),
  ].flatMap(({ appearance, rank }) => {
    const { tracked: brand } = appearance.member;
    // No brand is listed twice.
    return brand
      ? [{ brand_id: brand.id, rank, brand_rank: rank, mentions: appearance.mentions, url: url(appearance) }]
      : [];
  });
}

function tracked(appearances: Appearance[]): Appearance[] {
  return appearances.filter(({ member }) => member.tracked !== null);
}

/** A result of a brand's own names it in the title and in the snippet. */
function resultPlaces({ pages }: AnswerPlan): BrandPlace[] {
  return pages.flatMap(({ member, url }, index) =>
    member?.tracked ? [{ brand_id: member.tracked.id, rank: index + 1, brand_rank: index + 1, mentions: 2, url }] : [],
  );
}

function citationOf(page: PlannedPage, index: number, question: Question): Citation {
  const { url, title } = page;
  const owner = ownerOf(page, question);
  const host = page.site?.domain ?? page.member?.domain ?? "";
  return {
    url,
    title,
    position: index + 1,
    domain: registrableDomain(host),
    competitor_type: owner ? "BRANDED_WEBSITE" : (page.site?.competitor_type ?? "UNKNOWN"),
    brand_id: owner?.id ?? null,
  };
}

/** The catalog brand on whose domain a page is. */
function ownerOf({ site, member }: PlannedPage, { brands }: Question): TrackedBrand | undefined {
  if (member?.tracked) return member.tracked;
  const host = site?.domain ?? member?.domain ?? "";
  return brands.find((brand) => brand.domains.some((domain) => host === domain || host.endsWith(`.${domain}`)));
}
