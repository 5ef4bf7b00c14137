import type { Evidence, Phrases, PhraseContext } from "../action.ts";
import type { ActionFinding } from "../finding.ts";
import { formatPercent, pluralise } from "./numerals.ts";

// Texts of findings about opinions. Untrusted text is quoted.

export function buildConPhrases(finding: ActionFinding, { own }: PhraseContext): Phrases {
  const { subjectName, evidence, gap } = finding;
  const [all] = evidence;
  const con = quote(subjectName);
  return {
    category: chooseCategory(evidence, own),
    actionLabel: `Address a complaint: ${con}`,
    triggerText: `At least 10 % of the answers that mention ${own}, and at least five answers to five unaided, aided or perception prompts that do not ask for cons, mention the same con.`,
    description: `Address ${con}, a complaint about ${own} that AI assistants mention: fix it if it is true, and publish the facts if it is not.`,
    reasoning: `${all?.occurrences ?? 0} of ${pluralise(all?.answers ?? 0, "answer")} that mention ${own} (${formatPercent(gap)}) mention this con, to ${pluralise(countPrompts(finding), "prompt")} that did not ask for cons, a comparison or an attribute.${describePages(evidence)}`,
    tasks: [
      {
        step: "own_pages",
        title: `Address ${con} on your own pages`,
        description: "State the current facts with verifiable figures, and correct your pages that are cited for it.",
      },
      {
        step: "other_pages",
        title: `Contact the sites that mention ${con}`,
        description:
          "Tell the owners of the cited pages which facts are wrong or have changed, with a source for each.",
      },
    ],
  };
}

export function buildFactPhrases(finding: ActionFinding, { own }: PhraseContext): Phrases {
  const { subjectName, evidence, gap } = finding;
  const [all] = evidence;
  const { declared = null, said = null } = all?.opinion ?? {};
  const sentence = said === null ? "" : ` One answer says: ${quote(said)}.`;
  return {
    category: chooseCategory(evidence, own),
    actionLabel: `Correct what answers say about ${quote(subjectName)}`,
    triggerText: `At least three answers to two or more prompts contradict a fact that ${own} declares, and at least 10 % of the answers that mention it.`,
    description: `Correct ${quote(subjectName)} in the sources of AI models. The declared value is ${quote(declared ?? "")}.`,
    reasoning: `${all?.occurrences ?? 0} of ${pluralise(all?.answers ?? 0, "answer")} about this fact (${formatPercent(gap)}) contradict it, to ${pluralise(countPrompts(finding), "prompt")}.${sentence}${describePages(evidence)}`,
    tasks: [
      {
        step: "own_pages",
        title: `State ${quote(subjectName)} plainly on your own pages`,
        description: "State the fact in text and in structured data, and correct your pages that contradict it.",
      },
      {
        step: "other_pages",
        title: `Get pages with a wrong ${quote(subjectName)} corrected`,
        description: "Send the owners of the cited pages the fact with its source.",
      },
    ],
  };
}

export function buildPreferencePhrases(finding: ActionFinding, { own }: PhraseContext): Phrases {
  const { subjectName, evidence, channel, rival } = finding;
  const subject = rival ?? "a competitor";
  const location = channel === "all" ? `for ${quote(subjectName)}` : `in ${subjectName}`;
  const rows = evidence.filter(({ opinion, domain, keyword_id: keyword }) => opinion && !domain && !keyword);
  const behind = rows.filter((row) => isSameSubject(row, finding)).map((row) => describeComparison(row, own, subject));
  const ahead = rows.filter((row) => !isSameSubject(row, finding)).map((row) => describeComparison(row, own, subject));
  return {
    category: "content",
    actionLabel: `Be preferred to ${subject} ${location}`,
    triggerText: `Answers significantly prefer a competitor here, but prefer ${own} elsewhere.`,
    description: `Give models a reason to prefer ${own} to ${subject} ${location}, as they do elsewhere.`,
    reasoning: `${joinSentences(behind)} ${joinSentences(ahead)}`.trim(),
    tasks: [
      {
        step: "compare",
        title: `Compare ${own} with ${subject} ${location} on one of your pages`,
        description:
          "Compare the same points as the answers, honestly and with verifiable figures. Improve the product where it is behind.",
      },
      {
        step: "other_pages",
        title: `Contact the sites cited for comparisons with ${subject} ${location}`,
        description: "Offer the owners of the cited pages missing material: tests, figures, a product to try.",
      },
    ],
  };
}

function isSameSubject({ opinion, source }: Evidence, { evidence }: ActionFinding): boolean {
  const [first] = evidence;
  return opinion?.about === first?.opinion?.about && source === first?.source;
}

function describeComparison(row: Evidence, own: string, rival: string): string {
  const { answers, occurrences, brand_occurrences: losses, source, opinion } = row;
  const suffix = opinion?.about == null ? `in ${source ?? "all"}` : `for ${quote(opinion.about)}`;
  const value = opinion?.value ?? 0;
  if (opinion?.kind === "score") {
    return `${own} scores ${value.toFixed(1)} ${suffix}, from -5 to 5, and ${rival} ${(opinion.brand_value ?? 0).toFixed(1)}`;
  }
  return `${own} wins ${occurrences} and loses ${losses ?? 0} of ${pluralise(answers, "comparison")} with ${rival} ${suffix} (win rate ${formatPercent(value)}, ties half)`;
}

function joinSentences(all: readonly string[]): string {
  return all.map((one) => `${one}.`).join(" ");
}

function countPrompts({ evidence }: ActionFinding): number {
  return evidence[0]?.opinion?.prompts ?? 0;
}

/** Returns outreach if a third party owns the cited page, since the customer cannot edit it. */
function chooseCategory(evidence: readonly Evidence[], own: string): Phrases["category"] {
  const page = evidence.find(({ domain }) => domain !== null);
  return page === undefined || page.brand === own ? "content" : "outreach";
}

function describePages(evidence: readonly Evidence[]): string {
  const pages = evidence.flatMap(({ url, answers }) => (url === null ? [] : [`${quote(url)} (${answers})`]));
  return pages.length === 0
    ? " None of the example answers cites a page for it."
    : ` Cited for it: ${pages.join(", ")}.`;
}

function quote(words: string): string {
  return `“${words.replaceAll(/[“”]/g, "'").replaceAll(/\s+/g, " ").trim()}”`;
}
