import type { EvidenceStrength } from "../audit/check.ts";
import type { FailedCheck, Finding } from "./finding.ts";
import { percent, plural } from "./numerals.ts";
import type { Phrases, Teller } from "./phrase.ts";

const STRENGTHS: Record<EvidenceStrength, string> = {
  documented_by_an_engine: "documented by an engine",
  measured_in_a_study: "measured in a study",
  practice: "practice",
};

/** The words for a check of an audit that fails. */
export function checkPhrases({ about, failed, rival }: Finding, { own }: Teller): Phrases {
  if (!failed) throw new Error("a finding of an audit has a check");
  const { check, isOfSite, failing } = failed;
  const where = isOfSite ? "the site" : plural(failing, "page");
  return {
    category: check.area === "content" ? "content" : "technical",
    actionLabel: `Mend ${isOfSite ? "the site" : "pages"} of ${own}: ${about}`,
    triggerText: isOfSite
      ? "A check of the site fails."
      : "Many pages fail a check, or one that answers use does, or competitors' cited pages pass it.",
    description: `Mend ${where}: ${check.howToFix}`,
    reasoning: [
      ...(isOfSite ? [`The check “${about}” fails for the whole site.`] : [failingPages(failed)]),
      ...usedPages(failed),
      ...rivalPages(failed, rival),
      `It weighs ${check.weight} of 5 in ${check.area}, and rests on ${check.source.name} (${STRENGTHS[check.strength]}).`,
    ].join(" "),
    tasks: [
      {
        step: "mend_pages",
        title: isOfSite ? `Mend the site: ${about}` : `Mend the pages that fail: ${about}`,
        description: isOfSite ? "Change it once, for all pages." : "Begin with the pages that answers use.",
      },
      {
        step: "keep_mended",
        title: `Keep it so: ${about}`,
        description: "Change the template or the rule of the content system that new pages come from.",
      },
    ],
  };
}

function failingPages({ checked, failing, warned, check }: FailedCheck): string {
  const beside = warned === 0 ? "" : `, and ${warned} only in part`;
  return `${failing} of ${plural(checked, "page")} (${percent(failing / checked)}) ${failing === 1 ? "fails" : "fail"} the check “${check.title}”${beside}.`;
}

function usedPages({ cited, read, isOfSite }: FailedCheck): string[] {
  const of = isOfSite ? "of its pages" : "of them";
  return [
    ...(cited.pages === 0 ? [] : [`Answers cite ${cited.pages} ${of} (${plural(cited.answers, "answer")}).`]),
    ...(read.pages === 0
      ? []
      : [
          `Assistants read ${read.pages} ${of} for ${plural(read.answers, "answer")} without citing ${read.pages === 1 ? "it" : "them"}.`,
        ]),
  ];
}

function rivalPages({ passedBy }: FailedCheck, rival: string | null): string[] {
  if (passedBy === 0) return [];
  return [
    `${plural(passedBy, "cited page")} of competitors, mostly ${rival ?? "one"}, ${passedBy === 1 ? "passes" : "pass"} it.`,
  ];
}
