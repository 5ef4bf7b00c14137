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
  const { about, channel, rival, keywords, answers, gap } = finding;
  const where = CHANNEL_NAMES[channel];
  const who = rival ?? "a competitor";
  return {
    category: "content",
    actionLabel: `Get mentioned for ${about} in ${where}`,
    triggerText: `At least half of the answers to a prompt mention a competitor, and none mentions ${own}.`,
    description: `Give ${where} a reason to mention ${own} when people ask about ${about}. Today they mention ${who}.`,
    reasoning: `Answers to ${pluralise(keywords.length, promptNoun)} of ${about} in ${where} do not mention ${own}. A competitor, mostly ${who}, is in ${formatPercent(gap)} of ${pluralise(answers, "answer")}.`,
    tasks: [
      {
        step: "page",
        title: `Answer the questions about ${about} on one of your pages`,
        description:
          "Write or improve one page that answers these questions in the words of the prompts, with verifiable facts.",
      },
      sourcesTask(about),
    ],
  };
}

function buildAbsencePhrases(finding: ActionFinding, { own }: PhraseContext): Phrases {
  const { about, rival, keywords, answers, evidence } = finding;
  const searches = evidence.reduce((sum, row) => sum + (row.search_volume ?? 0), 0);
  const others = rival === null ? "" : ` The most mentioned brand is ${rival}.`;
  return {
    category: "content",
    actionLabel: `Become visible for ${about}`,
    triggerText: `People search for a prompt, and no source shows ${own} for it.`,
    description: `Publish content about ${about}: no source shows ${own} for ${pluralise(keywords.length, "prompt")} that people search for.`,
    reasoning: `None of ${pluralise(answers, "answer")} to ${pluralise(keywords.length, "prompt")} of ${about} (${searches} searches a month) shows ${own}.${others}`,
    tasks: [
      {
        step: "page",
        title: `Publish a page about ${about}`,
        description: "Write a page for these prompts: no answer shows you today.",
      },
      sourcesTask(about),
    ],
  };
}

function sourcesTask(about: string): Phrases["tasks"][number] {
  return {
    step: "sources",
    title: `Get mentioned on the pages cited for ${about}`,
    description: "Offer your facts to the sites that these answers cite.",
  };
}

const APPROACHES = {
  listing: { label: "Get listed on", task: "List your products at", how: "Complete the listings" },
  community: { label: "Join discussions on", task: "Answer open questions at", how: "Answer, openly as the brand," },
  outreach: { label: "Get mentioned on", task: "Approach the editors of", how: "Offer facts and a product for review" },
} as const;

function buildCitedPhrases(finding: ActionFinding, { own }: PhraseContext): Phrases {
  const { about, siteType, rival, answers, gap, evidence } = finding;
  const category = siteType === null ? "outreach" : approachOf(siteType);
  const { label, task, how } = APPROACHES[category];
  const places = evidence.flatMap(({ source }) => (source === null ? [] : [SOURCE_NAMES[source]]));
  return {
    category,
    actionLabel: `${label} ${about}`,
    triggerText: `Answers that cite the site mention or cite competitors, and never cite a page of ${own}.`,
    description: `Get ${own} onto ${about}: AI answers use this site and mention competitors more.`,
    reasoning: `${pluralise(answers, "answer")} of ${places.join(", ")} cite ${about}. None of them cites a page of ${own}; ${formatPercent(gap)} mention or cite a competitor${rival === null ? "" : `, mostly ${rival}`}.`,
    tasks: [
      { step: "approach", title: `${task} ${about}`, description: `${how} on the most cited pages.` },
      {
        step: "material",
        title: `Prepare material that ${about} can quote`,
        description: "Publish facts, figures and pictures for its pages at addresses that they can link to.",
      },
    ],
  };
}

function approachOf(siteType: string): keyof typeof APPROACHES {
  if (siteType === "RETAIL_ECOMMERCE") return "listing";
  const community = ["QA_FORUM", "COMMUNITY_HELP_CENTER", "WIKI_ENCYCLOPEDIA"];
  return community.includes(siteType) ? "community" : "outreach";
}

function buildLossPhrases(finding: ActionFinding, { own }: PhraseContext): Phrases {
  const { rule, subject, channel, about, rival, pValue } = finding;
  const where = subject.startsWith("source:")
    ? SOURCE_NAMES[about as Source] // a subject with this prefix is about a source
    : `${CHANNEL_NAMES[channel]}, for ${about}`;
  const what = rule === "presence_lost" ? "presence" : "rank";
  const leader = rival === null ? "" : ` The most visible competitor there is now ${rival}.`;
  return {
    category: "recovery",
    actionLabel: `Win back ${what} in ${where}`,
    triggerText: `The ${what} of ${own} fell significantly since an earlier run.`,
    description: `Find out why ${own} lost ${what} in ${where}, and fix what is missing.`,
    reasoning: `${describeLoss(finding, own)} The probability of such a difference by chance is ${formatProbability(pValue ?? 0)}.${leader}`,
    tasks: [
      {
        step: "diagnose",
        title: `Find out what changed in ${where}`,
        description: "Compare the answers of both runs, and read the pages cited now.",
      },
      {
        step: "restore",
        title: `Update the sources of ${where}`,
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
