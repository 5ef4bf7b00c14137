import type { Capture } from "../../../../core/reading/capture.ts";
import type { Question } from "../provider.ts";
import { castOf, namedIn, type CastMember } from "./cast.ts";
import { chances, pick } from "./chance.ts";
import type { AnswerPlan, Appearance } from "./plan.ts";
import type { World } from "./world-file.ts";

/** Writes the capture that a plan describes. Names stand where the plan counts them and nowhere else. */
export function writeAnswer(world: World, question: Question, plan: AnswerPlan): Capture {
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
