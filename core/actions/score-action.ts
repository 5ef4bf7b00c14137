import type { CRITICALITIES, LEVELS, TIMELINES } from "./action.ts";
import type { FailedCheck, ActionFinding, RuleKeyword } from "./finding.ts";

/** Score and levels of an action (formulas in docs/actions.md). */
export interface ActionScore {
  /** 0 to 100. */
  score: number;
  impact: (typeof LEVELS)[number];
  effort: (typeof LEVELS)[number];
  criticality: (typeof CRITICALITIES)[number];
  timeline: (typeof TIMELINES)[number];
}

/** Score factor by effort: of two equal gaps, the easier one ranks first. */
const EASE_BY_EFFORT = { low: 1, medium: 0.9, high: 0.8 } as const;

/** More failing pages than this make the effort high; their content is planned for a quarter. */
const MANY_PAGES = 20;

export function scoreAction(finding: ActionFinding, keywords: readonly RuleKeyword[]): ActionScore {
  const reach = Math.sqrt(finding.reach ?? computeDemandShare(finding.keywords, keywords));
  const gap = Math.min(1, Math.max(0, finding.gap));
  const certainty = finding.answers / (finding.answers + 10);
  const effort = estimateEffort(finding);
  const score = 100 * (0.45 * reach + 0.35 * gap + 0.2 * certainty) * EASE_BY_EFFORT[effort];
  const impact = toLevel((reach + gap) / 2);
  return {
    score: Math.round(10 * score) / 10,
    impact,
    effort,
    criticality: rateCriticality(finding, impact, keywords),
    timeline: chooseTimeline(finding, effort),
  };
}

/** Share of search volume. Unknown volumes count as the median; without any, all weigh the same. */
export function computeDemandShare(positions: readonly number[], keywords: readonly RuleKeyword[]): number {
  const volumes = keywords.flatMap(({ searchVolume }) => searchVolume ?? []).toSorted((a, b) => a - b);
  const median = volumes[volumes.length >> 1] ?? 1;
  const among = new Set(positions);
  let all = 0;
  let chosen = 0;
  for (const { position, searchVolume } of keywords) {
    // A keyword without known searches still counts, since the customer chose it.
    const weight = Math.max(1, searchVolume ?? median);
    all += weight;
    if (among.has(position)) chosen += weight;
  }
  return all === 0 ? 0 : chosen / all;
}

function toLevel(value: number): ActionScore["impact"] {
  if (value >= 0.6) return "high";
  return value >= 0.35 ? "medium" : "low";
}

function estimateEffort({ rule, channel, siteType, keywords, failed }: ActionFinding): ActionScore["effort"] {
  if (failed) return failed.check.area !== "content" ? "low" : failed.failing > MANY_PAGES ? "high" : "medium";
  if (rule === "cited_source") {
    const open = siteType === "RETAIL_ECOMMERCE" || siteType === "QA_FORUM" || siteType === "COMMUNITY_HELP_CENTER";
    return open ? "low" : "medium";
  }
  if (rule === "presence_lost" || rule === "rank_lost") return "medium";
  if (rule === "wrong_fact") return "low";
  if (rule === "keyword_without_presence") return keywords.length > 2 ? "high" : "medium";
  return channel === "search_results" ? "high" : "medium";
}

/** A loss is urgent, a wrong fact if in most answers, a gap if large and close to purchase. */
function rateCriticality(finding: ActionFinding, impact: ActionScore["impact"], keywords: readonly RuleKeyword[]) {
  if (finding.rule === "presence_lost") return finding.gap >= 0.3 ? "critical" : "high";
  if (finding.rule === "rank_lost") return "high";
  if (finding.rule === "wrong_fact") return finding.gap >= 0.5 ? "high" : "medium";
  if (finding.failed) return checkCriticality(finding.failed, impact);
  const among = new Set(finding.keywords);
  const nearBuying = keywords.some(({ position, funnelStage }) => funnelStage === "BoFu" && among.has(position));
  if (impact === "high") return nearBuying ? "high" : "medium";
  return impact === "medium" && nearBuying ? "medium" : "low";
}

/** A check that caps its area's score can keep pages from being found. */
function checkCriticality({ check, cited }: FailedCheck, impact: ActionScore["impact"]): ActionScore["criticality"] {
  if (check.failureCap === undefined) return impact;
  return cited.pageCount > 0 ? "critical" : "high";
}

function chooseTimeline({ rule, failed }: ActionFinding, effort: ActionScore["effort"]): ActionScore["timeline"] {
  if (failed?.check.failureCap !== undefined) return "two_weeks";
  if (rule === "presence_lost" || rule === "rank_lost" || rule === "wrong_fact") return "two_weeks";
  return effort === "high" ? "quarter" : "month";
}
