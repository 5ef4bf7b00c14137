import type { z } from "zod";
import type { getContentBrief } from "../../../../tools/briefs/get-content-brief.ts";
import type { getRecommendedActionBrief } from "../../../../tools/actions/get-recommended-action-brief.ts";
import { quoteMarkdown, OUTSIDE_NOTE, plain, quotation, table } from "./markdown.ts";

export function renderTaskBriefPage(brief: z.output<typeof getRecommendedActionBrief.output>): string {
  return [
    `# ${plain(brief.title)}`,
    OUTSIDE_NOTE,
    table(
      ["", ""],
      [
        ["status", brief.status],
        ["state at the partner", brief.partner_status],
        ["due at the partner", brief.partner_due_date],
        ["page at the partner", brief.partner_url],
      ],
    ),
    brief.body === "" ? "The brief is still being written." : quoteMarkdown(brief.body),
  ].join("\n\n");
}

export function renderContentBriefPage(brief: z.output<typeof getContentBrief.output>): string {
  const { audience } = brief;
  return [
    `# ${plain(brief.title)}`,
    OUTSIDE_NOTE,
    "## Audience",
    `${plain(audience.name)}: ${plain(audience.description)}`,
    "### Motivations",
    list(audience.motivations),
    "### Pain points",
    list(audience.pain_points),
    "## Outline",
    ...brief.outline.map(({ heading, points }) => quotation([heading, "", ...points].join("\n"))),
    "## Questions to answer",
    list(brief.questions),
    "## Target prompts",
    table(
      ["prompt", "funnel stage", "monthly searches", "answers", "answers with your brand"],
      brief.target_prompts.map((one) => [
        one.keyword,
        one.funnel_stage,
        one.search_volume,
        one.answers,
        one.occurrences,
      ]),
    ),
    "## Sites cited by the answers",
    table(
      ["domain", "most cited page", "type", "citations"],
      brief.cited_sources.map((one) => [one.domain, one.url, one.competitor_type, one.citations]),
    ),
    "## Brands named by the answers",
    table(
      ["brand", "your brand", "answers", "average rank"],
      brief.entities.map((one) => [one.brand, one.own ? "yes" : "", one.occurrences, one.average_rank]),
    ),
  ].join("\n\n");
}

function list(values: readonly string[]): string {
  return values.length === 0 ? "None." : values.map((value) => `- ${plain(value)}`).join("\n");
}
