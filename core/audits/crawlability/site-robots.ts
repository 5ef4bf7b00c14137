import { evidenceAt, type CheckEvidence, type SiteSubject } from "../check.ts";
import { keptRobots } from "../site-files/kept-robots.ts";
import type { Robots, RobotsLine } from "../site-files/robots.ts";

/** Parsed robots.txt, or the reason why it is unknown. */
export type SiteRobots = { robots: Robots } | { unread: string };

/**
 * Interprets robots.txt by response status (RFC 9309, section 2.3.1); 429 counts as unreachable, as
 * in Google's parser.
 */
export function robotsOf({ robots }: SiteSubject): SiteRobots {
  if ("unread" in robots) return { unread: `robots.txt could not be read. ${robots.unread}` };
  const { status } = robots;
  const isMissing = status >= 400 && status < 500 && status !== 429;
  if (!isMissing && (status < 200 || status >= 300))
    return { unread: `robots.txt could not be read. It answers with status ${status}.` };
  return { robots: keptRobots(isMissing ? "" : robots.text) };
}

export function robotsEvidence({ text, line }: RobotsLine): CheckEvidence {
  return evidenceOf(`robots.txt, line ${line}: ${text}`);
}

/** Evidence outside the HTML. */
export function evidenceOf(text: string): CheckEvidence {
  return { ...evidenceAt({ lineOf: () => 0 }, { text, at: 0 }), line: null };
}
