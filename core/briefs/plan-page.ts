import { findCheck } from "../audits/checks.ts";
import type { PageType } from "../audits/page-type.ts";
import { listExpectedTypes } from "../audits/structured-data/suggest-page-types.ts";
import type { PageOutcomes } from "../audits/audit-rows.ts";
import { outcomeOn } from "../actions/audit-view.ts";
import type { OutlineSection } from "./content-brief.ts";

export interface PlannedPage {
  url: string;
  pageType: PageType | null;
  outcomes: PageOutcomes;
  /** Cited pages of competitors; null if no competitor's site is audited. */
  cited: readonly { outcomes: PageOutcomes }[] | null;
  /** True if prompts of the workspace fit the page. */
  hasPrompts: boolean;
}

const MAX_GAPS = 10;

export function planPageSections(page: PlannedPage): OutlineSection[] {
  const types = page.pageType === null ? [] : listExpectedTypes(page.pageType).slice(0, 3);
  return [
    ...(page.hasPrompts
      ? []
      : [
          {
            heading: "Target prompts",
            points: ["No prompt of this workspace fits the page: no answer cites it, and no topic is in its title."],
          },
        ]),
    { heading: "Features of cited competitor pages that this page lacks", points: describeGaps(page) },
    ...(types.length === 0
      ? []
      : [{ heading: "Structured data", points: [`Describe it by a type of schema.org: ${types.join(", ")}.`] }]),
  ];
}

function describeGaps({ outcomes, cited }: PlannedPage): string[] {
  if (cited === null) return ["Unknown: no competitor's site is audited in this workspace."];
  if (cited.length === 0) return ["Answers cite no audited page of a competitor."];
  const lacks = [...outcomes.fail, ...outcomes.warn].flatMap((id) => {
    const passing = cited.filter((page) => outcomeOn(page, id) === "pass").length;
    const check = findCheck(id);
    return check && check.weight > 0 && passing > 0
      ? [{ passing, point: `${check.title}: passes on ${passing} of ${cited.length}. ${check.howToFix}` }]
      : [];
  });
  if (lacks.length === 0) return ["None among the audit's checks."];
  return lacks
    .toSorted((a, b) => b.passing - a.passing)
    .slice(0, MAX_GAPS)
    .map(({ point }) => point);
}

/** True if all words of a topic are in the page's title or address. */
export function fitsTopic(topic: string, page: { title: string | null; url: string }): boolean {
  const known = new Set(splitWords(`${page.title ?? ""} ${page.url}`));
  const words = splitWords(topic);
  return words.length > 0 && words.every((word) => known.has(word));
}

function splitWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
