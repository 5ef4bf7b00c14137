import type { EvidenceStrength } from "../../audits/check.ts";
import type { FailedCheck, ActionFinding } from "../finding.ts";
import { formatPercent, pluralise } from "./numerals.ts";
import type { Phrases, PhraseContext } from "../action.ts";

const STRENGTH_NAMES: Record<EvidenceStrength, string> = {
  documented_by_an_engine: "documented by an engine",
  measured_in_a_study: "measured in a study",
  practice: "practice",
};

export function buildCheckPhrases({ subjectName, failed, rival }: ActionFinding, { own }: PhraseContext): Phrases {
  if (!failed) throw new Error("an audit finding has no check");
  const { check, isSiteCheck, failing } = failed;
  const scope = isSiteCheck ? "the site" : pluralise(failing, "page");
  return {
    category: check.area === "content" ? "content" : "technical",
    actionLabel: isSiteCheck
      ? `Fix the site of ${own}, which fails “${subjectName}”`
      : `Fix pages of ${own} that fail “${subjectName}”`,
    triggerText: isSiteCheck
      ? "A check of the site fails."
      : "An audit check fails on many pages, on a page that answers use, or where cited pages of competitors pass.",
    description: `Fix ${scope}: ${check.howToFix}`,
    reasoning: [
      ...(isSiteCheck ? [`The check “${subjectName}” fails for the whole site.`] : [failingPages(failed)]),
      ...usedPages(failed),
      ...rivalPages(failed, rival),
      `The check has weight ${check.weight} of 5 in the ${check.area} score. Its source is ${check.source.name} (${STRENGTH_NAMES[check.strength]}).`,
    ].join(" "),
    tasks: [
      {
        step: "fix_pages",
        title: isSiteCheck ? `Fix the site, which fails “${subjectName}”` : `Fix the pages that fail “${subjectName}”`,
        description: isSiteCheck ? "One change fixes all pages." : startingPoint(failed),
      },
      {
        step: "keep_fixed",
        title: `Keep “${subjectName}” passing`,
        description: "Change the template or rule that creates new pages.",
      },
    ],
  };
}

function startingPoint({ failing, cited, retrieved }: FailedCheck): string {
  if (failing === 1) return "Fix this page.";
  return cited.pages + retrieved.pages > 0
    ? "Start with the pages that answers use."
    : "Start with the pages that matter most to you: no answer uses any of them yet.";
}

function failingPages({ checked, failing, warned, check }: FailedCheck): string {
  if (checked === 1) return `The only page checked for “${check.title}” fails.`;
  const beside = warned === 0 ? "" : `, and ${warned} only in part`;
  return `${failing} of ${pluralise(checked, "page")} (${formatPercent(failing / checked)}) ${failing === 1 ? "fails" : "fail"} the check “${check.title}”${beside}.`;
}

function usedPages({ cited, retrieved, isSiteCheck }: FailedCheck): string[] {
  const scope = isSiteCheck ? "of its pages" : "of them";
  return [
    ...(cited.pages === 0 ? [] : [`Answers cite ${cited.pages} ${scope} (${pluralise(cited.answers, "answer")}).`]),
    ...(retrieved.pages === 0
      ? []
      : [
          `Assistants read ${retrieved.pages} ${scope} for ${pluralise(retrieved.answers, "answer")} without citing ${retrieved.pages === 1 ? "it" : "them"}.`,
        ]),
  ];
}

function rivalPages({ passingRivalPages }: FailedCheck, rival: string | null): string[] {
  if (passingRivalPages === 0) return [];
  return [
    `${pluralise(passingRivalPages, "cited page")} of competitors, mostly ${rival ?? "one"}, ${passingRivalPages === 1 ? "passes" : "pass"} it.`,
  ];
}
