/** Compiled path of an allow or disallow line. */
interface PathPattern {
  /** Literal parts of the pattern between its wildcards. */
  literalParts: readonly string[];
  /** True for a final "$": the path must end with the last part. */
  isAnchored: boolean;
  /** Octets of the pattern; the longer matching pattern wins (RFC 9309, section 2.2.2). */
  octetCount: number;
}

/**
 * Escapes, and characters that are neither reserved nor unreserved in RFC 3986, section 2. Includes
 * "'" because URL parsers escape it in queries.
 */
const PATH_ESCAPE_PATTERN = /%[0-9a-f]{2}|[^\w\-.~:/?#[\]@!$&()*+,;=%]+/gi;

/** Normalises percent-encoding of patterns and paths (RFC 9309, section 2.2.2). */
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

/**
 * Path and query of an address for matching; "*" and "$" in it are literal (RFC 9309, section
 * 2.2.3). An invalid address counts as the root.
 */
function toMatchablePath(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return normalisePath(parsed ? parsed.pathname + parsed.search : "/")
    .replaceAll("*", "%2A")
    .replaceAll("$", "%24");
}

/**
 * Matches a pattern from the start of a path (RFC 9309, section 2.2.2); an empty pattern never
 * matches. Linear: each part is searched once.
 */
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
/** Max line length, as in Google's parser: eight times the longest address of Internet Explorer. */
const MAX_LINE_LENGTH = 2083 * 8;
const MAX_PROBLEMS = 100;

/** A line of robots.txt without its comment. */
export interface RobotsLine {
  text: string;
  /** 1-based line number. */
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

/** A group that names an agent, and the agent's index in it. */
interface NamedGroup {
  robotsGroup: RobotsGroup;
  agentIndex: number;
}

/** A robots.txt parsed by RFC 9309. */
export interface Robots {
  /** Groups by product token in lower case, or "*". */
  byAgent: ReadonlyMap<string, readonly NamedGroup[]>;
  /** Addresses of sitemaps as written, often relative or invalid. */
  sitemaps: readonly RobotsLine[];
  /** The first 100 problems. */
  problems: readonly RobotsProblem[];
  /** True if the file exceeds 500 kibibytes; the rest is ignored. */
  isCut: boolean;
}

export interface RobotsVerdict {
  isAllowed: boolean;
  /** The line that decides; null if none matches the address. */
  rule: RobotsLine | null;
  /** Product token of the applied group as requested, "*", or null if no group applies. */
  group: string | null;
}

/**
 * Parses robots.txt (RFC 9309, section 2.2). Extensions, as in Google's parser: "Sitemap",
 * "Crawl-delay", digits in product tokens, and lines of two words without a colon. Linear time and
 * memory.
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
      // An agent line after a rule starts a new group; other lines do not end a group (sections 2.2
      // and 2.2.4).
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

/**
 * Returns whether a crawler may fetch an address (RFC 9309, section 2.2.2). `userAgent` is its
 * product token, followed by tokens whose group it obeys if it has none.
 */
export function isAllowed(robots: Robots, userAgent: string | readonly string[], url: string): RobotsVerdict {
  return createVerdicts(robots, url)(userAgent);
}

/** Like isAllowed for many crawlers and one address; shared rules are matched once. */
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

/** Crawl delay in seconds, the maximum of the crawler's groups, or null. */
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

/**
 * Orders rules by precedence: most octets, then allow (RFC 9309, section 2.2.2), then first line.
 */
function compareByPrecedence(a: RobotsRule, b: RobotsRule): number {
  return (
    b.pathPattern.octetCount - a.pathPattern.octetCount || Number(b.isAllow) - Number(a.isAllow) || a.line - b.line
  );
}

/**
 * Lines within the size limit; a line cut by the limit is dropped, since its meaning could change.
 */
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

/**
 * Product token of a user-agent line in lower case, or "" (RFC 9309, section 2.2.1). Allows digits,
 * which operators use.
 */
function parseProductToken(value: string): string {
  if (/^\*(?:\s|$)/.test(value)) return "*";
  return (/^[\w-]+/.exec(value)?.[0] ?? "").toLowerCase();
}
