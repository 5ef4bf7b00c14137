import { SOURCE_NAMES, type Source } from "../../sources/sources.ts";
import { buildCheckPhrases } from "./audit-phrases.ts";
import type { ActionRule, Phrases, PhraseContext } from "../action.ts";
import type { ActionChannel, ActionFinding } from "../finding.ts";
import { formatPercent, pluralise } from "./numerals.ts";
import { buildConPhrases, buildFactPhrases, buildPreferencePhrases } from "./opinion-phrases.ts";

const CHANNEL_NAMES: Record<ActionChannel, string> = {
  search_results: "search results",
  ai_overviews: "AI overviews and AI mode",
  assistants: "assistants",
  marketplace: "the marketplace assistant",
  third_party_sites: "sites that assistants cite",
  all: "all sources",
};

const PHRASES_BY_RULE: Record<ActionRule, (finding: ActionFinding, by: PhraseContext) => Phrases> = {
  competitor_present: buildCompetitorPhrases,
  keyword_without_presence: buildAbsencePhrases,
  cited_source: buildCitedPhrases,
  presence_lost: buildLossPhrases,
  rank_lost: buildLossPhrases,
  frequent_con: buildConPhrases,
  wrong_fact: buildFactPhrases,
  competitor_preferred: buildPreferencePhrases,
  failed_check: buildCheckPhrases,
};

export function buildPhrases(finding: ActionFinding, by: PhraseContext): Phrases {
  return PHRASES_BY_RULE[finding.rule](finding, by);
}

function buildCompetitorPhrases(finding: ActionFinding, { own, promptNoun }: PhraseContext): Phrases {
  const { subjectName, channel, rival, keywords, answers, gap } = finding;
  const location = CHANNEL_NAMES[channel];
  const subject = rival ?? "a competitor";
  return {
    category: "content",
    actionLabel: `Get mentioned for ${subjectName} in ${location}`,
    triggerText: `At least half of the answers to a prompt mention a competitor, and none mentions ${own}.`,
    description: `Give ${location} a reason to mention ${own} when people ask about ${subjectName}. Today they mention ${subject}.`,
    reasoning: `Answers to ${pluralise(keywords.length, promptNoun)} of ${subjectName} in ${location} do not mention ${own}. A competitor, mostly ${subject}, is in ${formatPercent(gap)} of ${pluralise(answers, "answer")}.`,
    tasks: [
      {
        step: "page",
        title: `Answer the questions about ${subjectName} on one of your pages`,
        description:
          "Write or improve one page that answers these questions in the words of the prompts, with verifiable facts.",
      },
      buildSourcesTask(subjectName),
    ],
  };
}

function buildAbsencePhrases(finding: ActionFinding, { own }: PhraseContext): Phrases {
  const { subjectName, rival, keywords, answers, evidence } = finding;
  const searches = evidence.reduce((sum, row) => sum + (row.search_volume ?? 0), 0);
  const others = rival === null ? "" : ` The most mentioned brand is ${rival}.`;
  return {
    category: "content",
    actionLabel: `Become visible for ${subjectName}`,
    triggerText: `People search for a prompt, and no source shows ${own} for it.`,
    description: `Publish content about ${subjectName}: no source shows ${own} for ${pluralise(keywords.length, "prompt")} that people search for.`,
    reasoning: `None of ${pluralise(answers, "answer")} to ${pluralise(keywords.length, "prompt")} of ${subjectName} (${searches} searches a month) shows ${own}.${others}`,
    tasks: [
      {
        step: "page",
        title: `Publish a page about ${subjectName}`,
        description: "Write a page for these prompts: no answer shows you today.",
      },
      buildSourcesTask(subjectName),
    ],
  };
}

function buildSourcesTask(about: string): Phrases["tasks"][number] {
  return {
    step: "sources",
    title: `Get mentioned on the pages cited for ${about}`,
    description: "Offer your facts to the sites that these answers cite.",
  };
}

const OUTREACH_APPROACHES = {
  listing: { label: "Get listed on", task: "List your products at", how: "Complete the listings" },
  community: { label: "Join discussions on", task: "Answer open questions at", how: "Answer, openly as the brand," },
  outreach: { label: "Get mentioned on", task: "Approach the editors of", how: "Offer facts and a product for review" },
} as const;

function buildCitedPhrases(finding: ActionFinding, { own, promptNoun }: PhraseContext): Phrases {
  const { subjectName, siteType, rival, answers, gap, evidence, keywords } = finding;
  const category = siteType === null ? "outreach" : chooseApproach(siteType);
  const { label, task, how } = OUTREACH_APPROACHES[category];
  const places = evidence.flatMap(({ source }) => (source === null ? [] : [SOURCE_NAMES[source]]));
  return {
    category,
    actionLabel: `${label} ${subjectName}`,
    triggerText: `Answers that cite the site mention or cite competitors, and never cite a page of ${own}.`,
    description: `Get ${own} onto ${subjectName}: AI answers use this site and mention competitors more.`,
    reasoning: `${pluralise(answers, "answer")} of ${places.join(", ")} to ${pluralise(keywords.length, promptNoun)} cite ${subjectName}; other kinds of prompts do not count here. None of them cites a page of ${own}; ${formatPercent(gap)} mention or cite a competitor${rival === null ? "" : `, mostly ${rival}`}.`,
    tasks: [
      { step: "approach", title: `${task} ${subjectName}`, description: `${how} on the most cited pages.` },
      {
        step: "material",
        title: `Prepare material that ${subjectName} can quote`,
        description: "Publish facts, figures and pictures for its pages at addresses that they can link to.",
      },
    ],
  };
}

function chooseApproach(siteType: string): keyof typeof OUTREACH_APPROACHES {
  if (siteType === "RETAIL_ECOMMERCE") return "listing";
  const community = ["QA_FORUM", "COMMUNITY_HELP_CENTER", "WIKI_ENCYCLOPEDIA"];
  return community.includes(siteType) ? "community" : "outreach";
}

function buildLossPhrases(finding: ActionFinding, { own }: PhraseContext): Phrases {
  const { rule, subject, channel, subjectName, rival, pValue } = finding;
  const location = subject.startsWith("source:")
    ? SOURCE_NAMES[subjectName as Source] // a subject with this prefix is about a source
    : `${CHANNEL_NAMES[channel]}, for ${subjectName}`;
  const metric = rule === "presence_lost" ? "presence" : "rank";
  const leader = rival === null ? "" : ` The most visible competitor there is now ${rival}.`;
  return {
    category: "recovery",
    actionLabel: `Win back ${metric} in ${location}`,
    triggerText: `The ${metric} of ${own} fell significantly since an earlier run.`,
    description: `Find out why ${own} lost ${metric} in ${location}, and fix what is missing.`,
    reasoning: `${describeLoss(finding, own)} The probability of such a difference by chance is ${formatProbability(pValue ?? 0)}.${leader}`,
    tasks: [
      {
        step: "diagnose",
        title: `Find out what changed in ${location}`,
        description: "Compare the answers of both runs, and read the pages cited now.",
      },
      {
        step: "restore",
        title: `Update the sources of ${location}`,
        description: "Update and complete the pages that were cited before.",
      },
    ],
  };
}

function describeLoss({ rule, evidence }: ActionFinding, own: string): string {
  const rows = evidence.filter(({ counted }) => counted);
  const sum = (column: "answers" | "occurrences" | "previous_answers" | "previous_occurrences") =>
    rows.reduce((all, row) => all + (row[column] ?? 0), 0);
  const [now, then] = [sum("occurrences"), sum("previous_occurrences")];
  if (rule === "presence_lost") {
    return `${own} was in ${then} of ${pluralise(sum("previous_answers"), "answer")} and is in ${now} of ${sum("answers")}.`;
  }
  const mean = (rank: "rank" | "previous_rank", times: "occurrences" | "previous_occurrences", all: number) =>
    rows.reduce((total, row) => total + (row[rank] ?? 0) * (row[times] ?? 0), 0) / (all || 1);
  const before = mean("previous_rank", "previous_occurrences", then).toFixed(1);
  return `${own} ranked ${before} on average where it was named and ranks ${mean("rank", "occurrences", now).toFixed(1)}.`;
}

function formatProbability(p: number): string {
  return p < 0.001 ? "below 0.1 %" : formatPercent(p, 1);
}
