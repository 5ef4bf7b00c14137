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
      ...(isSiteCheck ? [`The check “${subjectName}” fails for the whole site.`] : [describeFailingPages(failed)]),
      ...describeUsedPages(failed),
      ...describeRivalPages(failed, rival),
      `The check has weight ${check.weight} of 5 in the ${check.area} score. Its source is ${check.source.name} (${STRENGTH_NAMES[check.strength]}).`,
    ].join(" "),
    tasks: [
      {
        step: "fix_pages",
        title: isSiteCheck ? `Fix the site, which fails “${subjectName}”` : `Fix the pages that fail “${subjectName}”`,
        description: isSiteCheck ? "One change fixes all pages." : describeStartingPoint(failed),
      },
      {
        step: "keep_fixed",
        title: `Keep “${subjectName}” passing`,
        description: "Change the template or rule that creates new pages.",
      },
    ],
  };
}

function describeStartingPoint({ failing, cited, retrieved }: FailedCheck): string {
  if (failing === 1) return "Fix this page.";
  return cited.pageCount + retrieved.pageCount > 0
    ? "Start with the pages that answers use."
    : "Start with the pages that matter most to you: no answer uses any of them yet.";
}

function describeFailingPages({ checkedCount, failing, warnedCount, check }: FailedCheck): string {
  if (checkedCount === 1) return `The only page checked for “${check.title}” fails.`;
  const beside = warnedCount === 0 ? "" : `, and ${warnedCount} only in part`;
  return `${failing} of ${pluralise(checkedCount, "page")} (${formatPercent(failing / checkedCount)}) ${failing === 1 ? "fails" : "fail"} the check “${check.title}”${beside}.`;
}

function describeUsedPages({ cited, retrieved, isSiteCheck }: FailedCheck): string[] {
  const scope = isSiteCheck ? "of its pages" : "of them";
  return [
    ...(cited.pageCount === 0
      ? []
      : [`Answers cite ${cited.pageCount} ${scope} (${pluralise(cited.answers, "answer")}).`]),
    ...(retrieved.pageCount === 0
      ? []
      : [
          `Assistants read ${retrieved.pageCount} ${scope} for ${pluralise(retrieved.answers, "answer")} without citing ${retrieved.pageCount === 1 ? "it" : "them"}.`,
        ]),
  ];
}

function describeRivalPages({ passingRivalPageCount }: FailedCheck, rival: string | null): string[] {
  if (passingRivalPageCount === 0) return [];
  return [
    `${pluralise(passingRivalPageCount, "cited page")} of competitors, mostly ${rival ?? "one"}, ${passingRivalPageCount === 1 ? "passes" : "pass"} it.`,
  ];
}
