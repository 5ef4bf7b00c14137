import type { Capture } from "../../../../core/reading/capture.ts";
import type { PromptContext } from "../../../../core/prompts/brand-prompt.ts";
import type { Question } from "../provider.ts";
import { findPlainCategory, type BrandAnswerPlan, type Portrait } from "./brand-plan.ts";
import type { CastMember } from "./cast.ts";
import { createRandom, pick } from "./chance.ts";
import { seedPlace, type PlannedPage } from "./plan.ts";
import type { SimulatedWorld } from "./world-file.ts";
import type { OpinionPhrase } from "./world-opinions.ts";

// Extraction must read each sentence as intended with any brand, attribute and category.

const SCORE_WORDS: Readonly<Record<string, string>> = {
  "4": "outstanding",
  "3": "impressive",
  "2": "decent",
  "-2": "mixed",
  "-3": "disappointing",
  "-4": "terrible",
};

interface Writing {
  category: string | null;
  random: () => number;
  pages: readonly PlannedPage[];
}

/** Names brands exactly as often as the plan counts. */
export function writeBrandAnswer(
  world: SimulatedWorld,
  question: Question,
  { plan, asked }: { plan: BrandAnswerPlan; asked: PromptContext },
): Capture {
  const { source, prompt, run, collectNumber } = question;
  const random = createRandom(world.seed, "brand words", source, prompt, run, collectNumber, ...seedPlace(question));
  const writing = { category: findPlainCategory(world, question), random, pages: plan.pages };
  const paragraphs = plan.layout === "declined" ? writeDeclined(plan, writing) : writeParagraphs(plan, asked, writing);
  return {
    text: paragraphs.filter((paragraph) => paragraph !== "").join("\n\n"),
    citations: plan.pages.map(({ url, title }, index) => ({ url, title, position: index + 1 })),
    results: [],
  };
}

function writeDeclined({ knows, unknown, confusedWith }: BrandAnswerPlan, { category, random }: Writing): string[] {
  const name = bold(unknown);
  if (confusedWith) {
    return [
      `I think that there is a mix-up here. You may be thinking of ${bold(confusedWith)}.`,
      "Tell me which one you want to hear about.",
    ];
  }
  if (knows === "confused") {
    return [
      `${name} could refer to several things, among them a place, a surname and a firm.`,
      "Tell me which of them you want to hear about.",
    ];
  }
  if (knows === "unsure") {
    return [`${name} sounds like a ${category === null ? "brand" : `maker of ${category}`}, but that is a guess.`];
  }
  const missing = [
    `I'm not familiar with ${name}.`,
    `I have no information about ${name}.`,
    `I couldn't find anything about a brand called ${name}.`,
  ];
  return [pick(missing, random), "If you share a page about it, I can go through that with you."];
}

function writeParagraphs(plan: BrandAnswerPlan, asked: PromptContext, writing: Writing): string[] {
  const { portraits, layout, style } = plan;
  if (asked.kind === "unaided")
    return [writeOpening(plan, writing), ...writeListing(plan, writing), writeClosing(plan)];
  if (portraits.length === 0) return ["I have nothing to say of that."];
  if (layout === "headed") return portraits.flatMap((one) => writeSections(one, plan, { asked, writing }));
  return [
    ...portraits.map((one) => [introduce(one, asked, writing), ...writeOpinions(one, writing)].join(" ")),
    ...writeVerdict(plan, asked),
    style === "prose" ? CAUTION_SENTENCE : "",
  ];
}

const CAUTION_SENTENCE = "Models and ranges change, so look at recent tests before you decide.";

function writeOpening({ portraits }: BrandAnswerPlan, { category, random }: Writing): string {
  if (portraits.length === 0) return "I could not narrow this down to single makers; the pages below go into detail.";
  const where = category === null ? "here" : `for ${category}`;
  return pick(
    [
      `Going by tests and by what owners report, these come up again and again ${where}.`,
      `It depends on what you want to do with it. These are named most often ${where}.`,
      `There is more than one answer, and these are worth a look ${where}.`,
    ],
    random,
  );
}

function writeListing({ style, portraits }: BrandAnswerPlan, writing: Writing): string[] {
  if (style === "prose") {
    return portraits.map((one) => [writeStance(one, writing), ...writeOpinions(one, writing)].join(" "));
  }
  if (style === "table") {
    const rows = portraits.map(
      (one) => `| ${bold(one.member)}${formatLabel(one)} | ${cell(one.pros)} | ${cell(one.cons)} |`,
    );
    return [["| Brand | Pros | Cons |", "| --- | --- | --- |", ...rows].join("\n")];
  }
  const marker = (index: number) => (style === "numbered" ? `${index + 1}.` : "-");
  const items = portraits.map((one, index) => {
    const label = one.label === null ? [] : [{ picked: "Best overall.", discouraged: "Not recommended." }[one.label]];
    const said = [...label, ...writeOpinions(one, writing)];
    return `${marker(index)} ${bold(one.member)} – ${said.length > 0 ? said.join(" ") : "It is a brand that comes up often."}`;
  });
  return [items.join("\n")];
}

function writeStance({ member, label }: Portrait, { random }: Writing): string {
  if (label === "picked") return `${bold(member)} is my pick.`;
  if (label === "discouraged") return `I would not recommend ${bold(member)}.`;
  return pick([`${bold(member)} comes up often.`, `${bold(member)} is a brand that people mention.`], random);
}

function formatLabel({ label }: Portrait): string {
  return label === null ? "" : { picked: " (best overall)", discouraged: " (not recommended)" }[label];
}

function cell(said: readonly OpinionPhrase[]): string {
  return toListEntry(said.map(({ say }) => say.replace(ARTICLE_PATTERN, "")).join("; "));
}

function writeClosing({ listed, aside }: BrandAnswerPlan): string {
  return [
    ...listed.flatMap(({ member, mentionCount }) => repeatName(member, mentionCount - 1)),
    ...aside.flatMap(({ member, mentionCount }) => repeatName(member, mentionCount)),
  ].join(" ");
}

function repeatName(member: CastMember, count: number): string[] {
  const ways = [`Reviews mention ${bold(member)} often.`, `Forums bring up ${bold(member)} too.`];
  return Array.from({ length: count }, (_, at) => ways[at % ways.length] ?? "");
}

function introduce({ member }: Portrait, { kind }: PromptContext, { category, random }: Writing): string {
  const name = bold(member);
  const noun = category === null ? "a brand in this field" : `a maker of ${category}`;
  const defining = [`${name} is ${noun}.`, `Yes, I know ${name}. It is ${noun}.`];
  if (kind === "aided") return pick(defining, random);
  return pick(
    [`${name} is ${noun}.`, `${name} comes up often in this field.`, `${name} is a brand that people mention.`],
    random,
  );
}

function writeOpinions({ pros, cons, scores, aspects, claims }: Portrait, { random, pages }: Writing): string[] {
  const isMore = (at: number) => at > 0 || scores.length > 0;
  const praise = (at: number) => ["It has", "It is praised for", ...(isMore(at) ? ["It also has"] : [])];
  const blame = ["It suffers from", "It is criticised for", ...(pros.length > 0 ? ["However, it has"] : [])];
  return [
    ...scores.map(({ words, score }) => `Its ${words} ${isPlural(words) ? "are" : "is"} ${SCORE_WORDS[score]}.`),
    ...aspects.map(
      ({ aspect, isBetter, than }) => `Its ${aspect} is ${isBetter ? "better" : "worse"} than ${than.name}'s.`,
    ),
    ...pros.map(({ say }, at) => `${pick(praise(at), random)} ${say}.`),
    ...cons.map(({ say }) => `${pick(blame, random)} ${say}.`),
    ...claims.map(({ claim, page }) => `${claim.says} [${pages.indexOf(page) + 1}].`),
  ];
}

function writeSections(
  portrait: Portrait,
  plan: BrandAnswerPlan,
  { asked, writing }: { asked: PromptContext; writing: Writing },
): string[] {
  const about = { ...portrait, pros: [], cons: [] };
  const last = writeVerdict(plan, asked);
  return [
    [introduce(portrait, asked, writing), ...writeOpinions(about, writing)].join(" "),
    `## ${portrait.member.name}`,
    writeSection("Pros", portrait.pros),
    writeSection("Cons", portrait.cons),
    ...(last.length > 0 ? ["## Verdict", ...last] : []),
  ];
}

function writeSection(heading: string, said: readonly OpinionPhrase[]): string {
  return said.length === 0 ? "" : [`**${heading}**`, ...said.map(({ say }) => `- ${toListEntry(say)}`)].join("\n");
}

function writeVerdict({ verdict: given }: BrandAnswerPlan, { kind }: PromptContext): string[] {
  if (!given) return kind === "comparison" ? ["Both are close, so it comes down to taste."] : [];
  const { member, stance, over } = given;
  const name = bold(member);
  if (over) return [`I would pick ${name} rather than ${over.name}.`];
  return [
    {
      winner: `I would go with ${name}.`,
      recommended: `I would consider ${name}.`,
      discouraged: `I would not recommend ${name}.`,
    }[stance],
  ];
}

/** Bold distinguishes a name from an ordinary word. */
function bold(member: CastMember | null): string {
  return `**${member?.name ?? ""}**`;
}

const ARTICLE_PATTERN = /^(?:an?|the) /i;

/** "A quiet pump" as a list entry: "Quiet pump". */
function toListEntry(say: string): string {
  const words = say.replace(ARTICLE_PATTERN, "");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function isPlural(words: string): boolean {
  const [noun = ""] = words.split(/\s(?:of|for|on|in|with)\s/i);
  return /[^sui]s$/i.test(noun);
}
