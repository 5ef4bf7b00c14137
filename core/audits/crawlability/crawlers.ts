import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { AI_CRAWLERS, type AiCrawler } from "../site-files/ai-crawlers.ts";
import {
  failed,
  passed,
  skipped,
  warned,
  type AddressSubject,
  type CheckWithoutArea,
  type CheckFinding,
  definePageChecks,
  type PageCheck,
} from "../check.ts";
import { createVerdicts, type RobotsVerdict } from "../site-files/robots.ts";
import { createRobotsEvidence, readSiteRobots } from "./site-robots.ts";

type CrawlerVerdicts = { findVerdict: (crawler: AiCrawler) => RobotsVerdict } | { unread: string };

/** Each crawler check of a page needs the verdicts. */
const CACHED_VERDICTS = new WeakMap<AddressSubject, CrawlerVerdicts>();

function getVerdicts(subject: AddressSubject): CrawlerVerdicts {
  const judged = CACHED_VERDICTS.get(subject) ?? judgeCrawlers(subject);
  CACHED_VERDICTS.set(subject, judged);
  return judged;
}

/** The requested address and its redirect target both need access (RFC 9309, section 2.2.2). */
function judgeCrawlers({ fetched, site }: AddressSubject): CrawlerVerdicts {
  const read = readSiteRobots(site);
  if ("unread" in read) return read;
  const addresses = [...new Set([fetched.url, fetched.finalUrl])].filter((url) => new URL(url).origin === site.origin);
  const judges = addresses.map((url) => createVerdicts(read.robots, url));
  const [first] = judges;
  if (!first) return { unread: "The page is on another host, whose robots.txt was not read." };
  return {
    findVerdict({ token, obeysAlso }) {
      const verdicts = judges.map((verdict) => verdict([token, ...obeysAlso]));
      return verdicts.find(({ isAllowed }) => !isAllowed) ?? first([token, ...obeysAlso]);
    },
  };
}

/** Crawlers with the widest reach weigh more. */
const WEIGHTS_BY_CRAWLER: Readonly<Record<string, number>> = {
  Googlebot: 3,
  bingbot: 3,
  "OAI-SearchBot": 3,
  "Claude-SearchBot": 2,
  PerplexityBot: 2,
  "ChatGPT-User": 2,
  "Claude-User": 2,
};

const CRAWLER_CHECK_TITLES: Readonly<Record<AiCrawler["tier"], (crawler: AiCrawler) => string>> = {
  search: ({ token, operator }) => `${token}, which indexes pages for answers of ${operator}, may fetch the page`,
  user: ({ token, operator }) => `${token}, which opens pages for people who ask ${operator}, may fetch the page`,
  training: ({ token, operator }) => `Reported only: whether ${token} may fetch the page for training at ${operator}`,
};

function declareCrawlerCheck(crawler: AiCrawler): CheckWithoutArea<PageCheck> {
  const { token, tier, source } = crawler;
  const isTraining = tier === "training";
  return {
    id: `crawler_${token.toLowerCase().replaceAll("-", "_")}`,
    of: "address",
    title: CRAWLER_CHECK_TITLES[tier](crawler),
    weight: isTraining ? 0 : (WEIGHTS_BY_CRAWLER[token] ?? 1),
    howToFix: isTraining
      ? `Nothing has to be fixed. To change the access of ${token}, add a group for it to robots.txt.`
      : `Remove the rule from robots.txt, or give ${token} a group of its own there: "User-agent: ${token}" and "Allow: /".`,
    source,
    strength: source.url === SOURCES.AI_ROBOTS_TXT.url ? "practice" : "documented_by_an_engine",
    run(subject) {
      const verdicts = getVerdicts(subject);
      return "unread" in verdicts ? skipped(verdicts.unread) : toFinding(crawler, verdicts.findVerdict(crawler));
    },
  };
}

function toFinding(crawler: AiCrawler, { isAllowed, rule, group }: RobotsVerdict): CheckFinding {
  const { token, tier, effect, obeysRobots } = crawler;
  if (isAllowed) return passed(`robots.txt lets ${token} fetch the page.`);
  const by = group === "*" ? " by a rule for all crawlers" : group === token ? "" : ` by a rule for ${group}`;
  const message = `robots.txt keeps ${token} out of the page${by}. ${effect}`;
  const evidence = rule ? [createRobotsEvidence(rule)] : [];
  if (tier === "training") return { ...passed(message), evidence };
  if (!obeysRobots) return warned(message, evidence);
  return failed(message, evidence);
}

const SEARCH_CRAWLERS = AI_CRAWLERS.filter(({ tier }) => tier === "search");

/** All search crawlers together, then each crawler. */
export const CRAWLER_CHECKS = definePageChecks("crawlability", [
  {
    id: "search_crawlers_admitted",
    title: "Crawlers that index pages for answers may fetch the page",
    weight: 1,
    failureCap: 20,
    howToFix:
      "Remove the rule from robots.txt that keeps all of them out, or allow them by name. Crawlers for training can stay out: that costs no visibility.",
    source: SOURCES.RFC_9309,
    strength: "documented_by_an_engine",
    of: "address",
    run(subject) {
      const verdicts = getVerdicts(subject);
      if ("unread" in verdicts) return skipped(verdicts.unread);
      const judged = SEARCH_CRAWLERS.map((crawler) => ({ crawler, ...verdicts.findVerdict(crawler) }));
      const out = judged.filter(({ isAllowed }) => !isAllowed);
      if (out.length === 0) return passed("robots.txt lets every crawler that indexes for answers fetch the page.");
      const lines = new Map(out.flatMap(({ rule }) => (rule ? [[rule.line, rule] as const] : [])));
      const evidence = [...lines.values()].map(createRobotsEvidence);
      if (out.length === judged.length)
        return failed("robots.txt keeps every crawler that indexes for answers out of the page.", evidence);
      const names = out.map(({ crawler }) => crawler.token).join(", ");
      return warned(
        `robots.txt keeps ${out.length} of ${judged.length} crawlers that index for answers out of the page: ${names}.`,
        evidence,
      );
    },
  },
  ...AI_CRAWLERS.map(declareCrawlerCheck),
]);
