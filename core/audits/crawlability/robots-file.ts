import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { failed, passed, skipped, warned, defineSiteChecks } from "../check.ts";
import { countNoun } from "../count-noun.ts";
import type { RobotsProblem } from "../site-files/robots.ts";
import { createRobotsEvidence, readSiteRobots } from "./site-robots.ts";

/** Misspelt standard fields; crawlers ignore other unknown fields, which are extensions. */
const MISSPELT_FIELD_PATTERN =
  /^(?:d[aeiou]*s+[aeiou]*l\w*|al+[aeiou]*w\w*|user\W*ag\w*|site\W*map\w*|crawl\W*del\w*)\W*$/i;

/** True for a line that crawlers ignore although it was meant for them. */
function isIgnoredLine({ kind, text }: RobotsProblem): boolean {
  return kind !== "unknown_field" || MISSPELT_FIELD_PATTERN.test(text.split(":", 1)[0] ?? "");
}

export const ROBOTS_FILE_CHECKS = defineSiteChecks("crawlability", [
  {
    id: "robots_readable",
    title: "robots.txt can be fetched and parsed",
    weight: 2,
    howToFix:
      "Serve robots.txt as plain text with status 200, or 404 where there is none. Put each rule below a User-agent line, and begin each path with /.",
    source: SOURCES.RFC_9309,
    strength: "documented_by_an_engine",
    run(site) {
      const { robots: answer } = site;
      const read = readSiteRobots(site);
      if ("unread" in answer) return skipped(`robots.txt could not be read. ${answer.unread}`);
      if ("unread" in read)
        return failed(`robots.txt answers with status ${answer.status}: crawlers then fetch nothing.`);
      if (answer.status >= 400) return passed("There is no robots.txt: crawlers may fetch everything.");
      if (/^\s*<(?:!doctype|html)\b/i.test(answer.text.slice(0, 1000)))
        return warned("robots.txt is an HTML page, in which crawlers find no rules.");
      if (read.robots.isCut) return warned("robots.txt is longer than 500 kibibytes: crawlers leave out the rest.");
      const lost = read.robots.problems.filter(isIgnoredLine);
      if (lost.length === 0) return passed("robots.txt can be read.");
      return warned(
        `robots.txt has ${countNoun(lost.length, "line")} that crawlers ignore.`,
        lost.map((problem) => createRobotsEvidence(problem)),
      );
    },
  },
  {
    id: "robots_names_sitemap",
    title: "robots.txt names the sitemap",
    weight: 1,
    howToFix: "Add a line with the full URL: Sitemap: https://www.example.com/sitemap.xml",
    source: SOURCES.SITEMAPS_ORG,
    strength: "documented_by_an_engine",
    run(site) {
      const read = readSiteRobots(site);
      if ("unread" in read) return skipped(read.unread);
      const { sitemaps } = read.robots;
      if (sitemaps.length === 0) return warned("robots.txt names no sitemap.");
      const broken = sitemaps.filter(({ text }) => !/^https?:\/\//i.test(text) || !URL.canParse(text));
      if (broken.length === 0) return passed(`robots.txt names ${countNoun(sitemaps.length, "sitemap")}.`);
      return warned(
        `robots.txt names ${countNoun(broken.length, "sitemap")} without a full URL.`,
        broken.map(({ text, line }) => createRobotsEvidence({ text: `Sitemap: ${text}`, line })),
      );
    },
  },
]);
