interface PathPattern {
  /** Parts between wildcards. */
  literalParts: readonly string[];
  /** From a final "$": the path must end with the last part. */
  isAnchored: boolean;
  /** The longer matching pattern wins (RFC 9309, section 2.2.2). */
  octetCount: number;
}

/** Escapes, characters outside RFC 3986 section 2, and "'", which URL parsers escape in queries. */
const PATH_ESCAPE_PATTERN = /%[0-9a-f]{2}|[^\w\-.~:/?#[\]@!$&()*+,;=%]+/gi;

/** Normalises percent-encoding (RFC 9309, section 2.2.2). */
function normalisePath(path: string): string {
  return path.replace(PATH_ESCAPE_PATTERN, (found) => {
    if (!/^%[0-9a-f]{2}$/i.test(found)) return encodeURIComponent(found.toWellFormed()).replaceAll("'", "%27");
    const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
    return /[\w\-.~]/.test(character) ? character : found.toUpperCase();
  });
}

/** `*` matches any octets, a final `$` the end of the path (RFC 9309, section 2.2.3). */
function parsePattern(path: string): PathPattern {
  const isAnchored = path.endsWith("$");
  const pattern = normalisePath(isAnchored ? path.slice(0, -1) : path)
    .replaceAll("$", "%24")
    .replace(/\*+/g, "*");
  return { literalParts: pattern.split("*"), isAnchored, octetCount: pattern.length + (isAnchored ? 1 : 0) };
}

/** "*" and "$" are literal in addresses (RFC 9309, 2.2.3). An invalid one counts as the root. */
function toMatchablePath(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return normalisePath(parsed ? parsed.pathname + parsed.search : "/")
    .replaceAll("*", "%2A")
    .replaceAll("$", "%24");
}

/** Matches a prefix (RFC 9309, 2.2.2); an empty pattern never matches. Searches each part once. */
function matchesPath({ literalParts, isAnchored, octetCount }: PathPattern, path: string): boolean {
  if (octetCount === 0) return false;
  const [first = "", ...others] = literalParts;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = isAnchored ? others.pop() : undefined;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  if (last === undefined) return !isAnchored || at === path.length;
  return path.length - last.length >= at && path.endsWith(last);
}

/** Crawlers must read at least 500 kibibytes (RFC 9309, section 2.5); Google reads no more. */
const MAX_CHARACTERS = 500 * 1024;
/** The limit of Google's parser: eight times the longest address of Internet Explorer. */
const MAX_LINE_LENGTH = 2083 * 8;
const MAX_PROBLEMS = 100;

/** The text excludes the comment. */
export interface RobotsLine {
  text: string;
  /** 1-based. */
  line: number;
}

export interface RobotsProblem extends RobotsLine {
  kind: "not_understood" | "unknown_field" | "rule_outside_group" | "no_product_token" | "path_never_matches";
}

interface RobotsRule extends RobotsLine {
  isAllow: boolean;
  pathPattern: PathPattern;
}

interface RobotsGroup {
  agents: string[];
  rules: RobotsRule[];
  /** Crawl delays in seconds; each applies to the agents named before its line. */
  crawlDelays: { seconds: number; agentsBefore: number }[];
}

interface NamedGroup {
  robotsGroup: RobotsGroup;
  agentIndex: number;
}

export interface Robots {
  /** By product token in lower case, or "*". */
  byAgent: ReadonlyMap<string, readonly NamedGroup[]>;
  /** Not resolved: often relative or invalid. */
  sitemaps: readonly RobotsLine[];
  /** At most MAX_PROBLEMS. */
  problems: readonly RobotsProblem[];
  /** The file exceeds 500 kibibytes; the rest is ignored. */
  isCut: boolean;
}

export interface RobotsVerdict {
  isAllowed: boolean;
  /** Null if no rule matches the address. */
  rule: RobotsLine | null;
  /** Product token as requested, "*", or null if no group applies. */
  group: string | null;
}

/**
 * Follows RFC 9309, section 2.2, and Google's parser: "Sitemap", "Crawl-delay", digits in product
 * tokens, and lines of two words without a colon. Linear time and memory.
 */
export function parseRobots(text: string): Robots {
  const byAgent = new Map<string, NamedGroup[]>();
  const groups: RobotsGroup[] = [];
  const sitemaps: RobotsLine[] = [];
  const problems: RobotsProblem[] = [];
  let open: RobotsGroup | null = null;
  const lines = splitLines(text);
  for (const [index, fullText] of lines.entries()) {
    const line: RobotsLine = { text: stripComment(fullText), line: index + 1 };
    if (!line.text) continue;
    const note = (kind: RobotsProblem["kind"]) => {
      if (problems.length < MAX_PROBLEMS) problems.push({ kind, ...line });
    };
    const field = parseField(line.text);
    if (!field) {
      note("not_understood");
    } else if (field.name === "user-agent") {
      const agent = parseProductToken(field.value);
      if (!agent) note("no_product_token");
      // An agent line after a rule starts a new group; other lines do not (sections 2.2 and 2.2.4).
      if (!open || open.rules.length > 0) groups.push((open = { agents: [], rules: [], crawlDelays: [] }));
      const named = byAgent.get(agent) ?? [];
      if (named.at(-1)?.robotsGroup !== open) named.push({ robotsGroup: open, agentIndex: open.agents.length });
      byAgent.set(agent, named);
      open.agents.push(agent);
    } else if (field.name === "allow" || field.name === "disallow") {
      if (open) open.rules.push({ ...line, isAllow: field.name === "allow", pathPattern: parsePattern(field.value) });
      else note("rule_outside_group");
      if (field.value && !/^[/*]/.test(field.value)) note("path_never_matches");
    } else if (field.name === "crawl-delay") {
      const seconds = Number.parseFloat(field.value);
      if (open && seconds >= 0) open.crawlDelays.push({ seconds, agentsBefore: open.agents.length });
    } else if (field.name === "sitemap") {
      sitemaps.push({ text: field.value, line: line.line });
    } else {
      note("unknown_field");
    }
  }
  for (const group of groups) group.rules.sort(compareByPrecedence);
  return { byAgent, sitemaps, problems, isCut: text.length > MAX_CHARACTERS };
}

/** `userAgent`: product token, then tokens whose group it obeys without one (RFC 9309, 2.2.2). */
export function isAllowed(robots: Robots, userAgent: string | readonly string[], url: string): RobotsVerdict {
  return createVerdicts(robots, url)(userAgent);
}

/** Like isAllowed for many crawlers; shared rules are matched once. */
export function createVerdicts(robots: Robots, url: string): (userAgent: string | readonly string[]) => RobotsVerdict {
  const path = toMatchablePath(url);
  const decided = new Map<RobotsGroup, RobotsRule | undefined>();
  const decide = (group: RobotsGroup) => {
    if (!decided.has(group))
      decided.set(
        group,
        group.rules.find(({ pathPattern }) => matchesPath(pathPattern, path)),
      );
    return decided.get(group);
  };
  return (userAgent) => {
    const group = findApplicableGroup(robots, userAgent);
    if (path === "/robots.txt" || group === null) return { isAllowed: true, rule: null, group };
    const rules = findGroups(robots, group).flatMap((named) => decide(named.robotsGroup) ?? []);
    const [decisive] = rules.toSorted(compareByPrecedence);
    if (!decisive) return { isAllowed: true, rule: null, group };
    return { isAllowed: decisive.isAllow, rule: { text: decisive.text, line: decisive.line }, group };
  };
}

/** In seconds, the maximum of the crawler's groups; null without one. */
export function findCrawlDelay(robots: Robots, userAgent: string | readonly string[]): number | null {
  const group = findApplicableGroup(robots, userAgent);
  const delays = findGroups(robots, group ?? "").map(
    ({ robotsGroup: { crawlDelays: said }, agentIndex }) =>
      said.find((delay) => delay.agentsBefore > agentIndex)?.seconds ?? 0,
  );
  const longest = delays.reduce((a, b) => Math.max(a, b), 0);
  return longest > 0 ? longest : null;
}

function findGroups(robots: Robots, agent: string): readonly NamedGroup[] {
  return robots.byAgent.get(agent.toLowerCase()) ?? [];
}

function findApplicableGroup(robots: Robots, userAgent: string | readonly string[]): string | null {
  const tokens = typeof userAgent === "string" ? [userAgent] : userAgent;
  return [...tokens, "*"].find((token) => token && robots.byAgent.has(token.toLowerCase())) ?? null;
}

/** Most octets, then allow (RFC 9309, section 2.2.2), then first line. */
function compareByPrecedence(a: RobotsRule, b: RobotsRule): number {
  return (
    b.pathPattern.octetCount - a.pathPattern.octetCount || Number(b.isAllow) - Number(a.isAllow) || a.line - b.line
  );
}

/** Drops a line cut by the size limit, since its meaning could change. */
function splitLines(text: string): string[] {
  const read = text.slice(0, MAX_CHARACTERS);
  const lines = read.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  return text.length > read.length ? lines.slice(0, -1) : lines;
}

function stripComment(whole: string): string {
  const line = whole.slice(0, MAX_LINE_LENGTH);
  const comment = line.indexOf("#");
  return (comment === -1 ? line : line.slice(0, comment)).trim();
}

function parseField(line: string): { name: string; value: string } | null {
  const colon = line.indexOf(":");
  if (colon !== -1) {
    return { name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() };
  }
  const [name = "", value, ...others] = line.split(/[ \t]+/);
  return value === undefined || others.length > 0 ? null : { name: name.toLowerCase(), value };
}

/** Lower case, or "" (RFC 9309, section 2.2.1). Allows digits, which operators use. */
function parseProductToken(value: string): string {
  if (/^\*(?:\s|$)/.test(value)) return "*";
  return (/^[\w-]+/.exec(value)?.[0] ?? "").toLowerCase();
}
