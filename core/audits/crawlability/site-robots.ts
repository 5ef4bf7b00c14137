import { createEvidence, type CheckEvidence, type SiteSubject } from "../check.ts";
import { parseRobotsCached } from "../site-files/parse-robots-cached.ts";
import type { Robots, RobotsLine } from "../site-files/robots.ts";

export type SiteRobots = { robots: Robots } | { unread: string };

/** Interprets the status (RFC 9309, section 2.3.1); 429 counts as unreachable, as in Google's parser. */
export function readSiteRobots({ robots }: SiteSubject): SiteRobots {
  if ("unread" in robots) return { unread: `robots.txt could not be read. ${robots.unread}` };
  const { status } = robots;
  const isMissing = status >= 400 && status < 500 && status !== 429;
  if (!isMissing && (status < 200 || status >= 300))
    return { unread: `robots.txt could not be read. It answers with status ${status}.` };
  return { robots: parseRobotsCached(isMissing ? "" : robots.text) };
}

export function createRobotsEvidence({ text, line }: RobotsLine): CheckEvidence {
  return createTextEvidence(`robots.txt, line ${line}: ${text}`);
}

/** Has no line, since the text is not in the HTML. */
export function createTextEvidence(text: string): CheckEvidence {
  return { ...createEvidence({ lineOf: () => 0 }, { text, offset: 0 }), line: null };
}
