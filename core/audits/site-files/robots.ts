/** A path of an allow or disallow line, ready to be compared. */
interface PathPattern {
  /** Literal parts between the wildcards. */
  parts: readonly string[];
  /** The pattern ends in "$", so the path must end with the last part. */
  isAnchored: boolean;
  /** Octets of the pattern: of two that match, the longer one decides (RFC 9309, section 2.2.2). */
  octets: number;
}

/** Neither reserved nor unreserved in RFC 3986, section 2, or an escape. "'" is here because URL parsers escape it in queries. */
const TO_ENCODE = /%[0-9a-f]{2}|[^\w\-.~:/?#[\]@!$&()*+,;=%]+/gi;

/** Percent-encodes what must be encoded and decodes what need not be, on both sides (RFC 9309, section 2.2.2). */
function normalize(path: string): string {
  return path.replace(TO_ENCODE, (found) => {
    if (!/^%[0-9a-f]{2}$/i.test(found)) return encodeURIComponent(found.toWellFormed()).replaceAll("'", "%27");
    const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
    return /[\w\-.~]/.test(character) ? character : found.toUpperCase();
  });
}

/** Reads "*" as any octets and a final "$" as the end of the path (RFC 9309, section 2.2.3). */
function readPattern(path: string): PathPattern {
  const isAnchored = path.endsWith("$");
  const pattern = normalize(isAnchored ? path.slice(0, -1) : path)
    .replaceAll("$", "%24")
    .replace(/\*+/g, "*");
  return { parts: pattern.split("*"), isAnchored, octets: pattern.length + (isAnchored ? 1 : 0) };
}

/**
 * Path and query of an address as patterns are compared with them; "*" and "$" in it stand for themselves
 * (RFC 9309, section 2.2.3). What is no address counts as the root.
 */
function pathToMatch(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return normalize(parsed ? parsed.pathname + parsed.search : "/")
    .replaceAll("*", "%2A")
    .replaceAll("$", "%24");
}

/**
 * Matches a pattern against the start of a path (RFC 9309, section 2.2.2); an empty pattern matches nothing. Linear: each part
 * is searched once, behind the previous one.
 */
function matchesPath({ parts, isAnchored, octets }: PathPattern, path: string): boolean {
  if (octets === 0) return false;
  const [first = "", ...others] = parts;
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

/** Crawlers must read at least 500 kibibytes (RFC 9309, section 2.5), and Google reads no more. */
const MOST_CHARACTERS = 500 * 1024;
/** Longer lines are cut, as Google's parser does: eight times the longest address that Internet Explorer took. */
const LONGEST_LINE = 2083 * 8;
const MOST_PROBLEMS = 100;

/** A line of a robots.txt as it stands there, without its comment. */
export interface RobotsLine {
  text: string;
  /** From 1. */
  line: number;
}

export interface RobotsProblem extends RobotsLine {
  kind: "not_understood" | "unknown_field" | "rule_outside_group" | "no_product_token" | "path_never_matches";
}

interface Rule extends RobotsLine {
  isAllow: boolean;
  pattern: PathPattern;
}

interface Group {
  agents: string[];
  rules: Rule[];
  /** Seconds between requests, for the agents named before the line that says so. */
  delays: { seconds: number; agentsBefore: number }[];
}

/** A group of an agent, and the agent's place among those that it names. */
interface NamedGroup {
  group: Group;
  place: number;
}

/** A robots.txt as RFC 9309 reads it. */
export interface Robots {
  /** By product token in lower case, or "*": the groups that name it. */
  byAgent: ReadonlyMap<string, readonly NamedGroup[]>;
  /** Addresses as they stand there: often relative or not addresses at all. */
  sitemaps: readonly RobotsLine[];
  /** The first hundred. */
  problems: readonly RobotsProblem[];
  /** The file is longer than crawlers read: what is behind 500 kibibytes was not. */
  isCut: boolean;
}

export interface RobotsVerdict {
  allowed: boolean;
  /** The line that decides, or null where none matches. */
  rule: RobotsLine | null;
  /** The product token whose group applies, as it was asked for, or "*", or null where no group does. */
  group: string | null;
}

/**
 * Reads a robots.txt (RFC 9309, section 2.2). Beyond it: "Sitemap" and "Crawl-delay", digits in product tokens, and
 * lines of two words whose colon is missing, as Google reads them. Takes time and memory in proportion to the text.
 */
export function parseRobots(text: string): Robots {
  const byAgent = new Map<string, NamedGroup[]>();
  const groups: Group[] = [];
  const sitemaps: RobotsLine[] = [];
  const problems: RobotsProblem[] = [];
  let open: Group | null = null;
  const lines = wholeLines(text);
  for (const [index, whole] of lines.entries()) {
    const line: RobotsLine = { text: withoutComment(whole), line: index + 1 };
    if (!line.text) continue;
    const note = (kind: RobotsProblem["kind"]) => {
      if (problems.length < MOST_PROBLEMS) problems.push({ kind, ...line });
    };
    const field = readField(line.text);
    if (!field) {
      note("not_understood");
    } else if (field.name === "user-agent") {
      const agent = productToken(field.value);
      if (!agent) note("no_product_token");
      // A group ends where an agent follows a rule; other lines do not end it (sections 2.2 and 2.2.4).
      if (!open || open.rules.length > 0) groups.push((open = { agents: [], rules: [], delays: [] }));
      const named = byAgent.get(agent) ?? [];
      if (named.at(-1)?.group !== open) named.push({ group: open, place: open.agents.length });
      byAgent.set(agent, named);
      open.agents.push(agent);
    } else if (field.name === "allow" || field.name === "disallow") {
      if (open) open.rules.push({ ...line, isAllow: field.name === "allow", pattern: readPattern(field.value) });
      else note("rule_outside_group");
      if (field.value && !/^[/*]/.test(field.value)) note("path_never_matches");
    } else if (field.name === "crawl-delay") {
      const seconds = Number.parseFloat(field.value);
      if (open && seconds >= 0) open.delays.push({ seconds, agentsBefore: open.agents.length });
    } else if (field.name === "sitemap") {
      sitemaps.push({ text: field.value, line: line.line });
    } else {
      note("unknown_field");
    }
  }
  for (const group of groups) group.rules.sort(byPrecedence);
  return { byAgent, sitemaps, problems, isCut: text.length > MOST_CHARACTERS };
}

/**
 * Whether a crawler may fetch an address (RFC 9309, section 2.2.2). A crawler is named by its product token; where it obeys
 * another one's group if it has none itself, by both, its own first.
 */
export function isAllowed(robots: Robots, userAgent: string | readonly string[], url: string): RobotsVerdict {
  return verdictsOn(robots, url)(userAgent);
}

/** As `isAllowed`, for many crawlers at one address: rules that several of them share are compared with it once. */
export function verdictsOn(robots: Robots, url: string): (userAgent: string | readonly string[]) => RobotsVerdict {
  const path = pathToMatch(url);
  const decided = new Map<Group, Rule | undefined>();
  const decide = (group: Group) => {
    if (!decided.has(group))
      decided.set(
        group,
        group.rules.find(({ pattern }) => matchesPath(pattern, path)),
      );
    return decided.get(group);
  };
  return (userAgent) => {
    const group = applicableGroup(robots, userAgent);
    if (path === "/robots.txt" || group === null) return { allowed: true, rule: null, group };
    const rules = groupsOf(robots, group).flatMap((named) => decide(named.group) ?? []);
    const [decisive] = rules.toSorted(byPrecedence);
    if (!decisive) return { allowed: true, rule: null, group };
    return { allowed: decisive.isAllow, rule: { text: decisive.text, line: decisive.line }, group };
  };
}

/** Seconds that a crawler is asked to leave between requests, the most of what its groups say, or null. */
export function crawlDelay(robots: Robots, userAgent: string | readonly string[]): number | null {
  const group = applicableGroup(robots, userAgent);
  const delays = groupsOf(robots, group ?? "").map(
    ({ group: { delays: said }, place }) => said.find((delay) => delay.agentsBefore > place)?.seconds ?? 0,
  );
  const longest = delays.reduce((a, b) => Math.max(a, b), 0);
  return longest > 0 ? longest : null;
}

function groupsOf(robots: Robots, agent: string): readonly NamedGroup[] {
  return robots.byAgent.get(agent.toLowerCase()) ?? [];
}

function applicableGroup(robots: Robots, userAgent: string | readonly string[]): string | null {
  const tokens = typeof userAgent === "string" ? [userAgent] : userAgent;
  return [...tokens, "*"].find((token) => token && robots.byAgent.has(token.toLowerCase())) ?? null;
}

/** The most octets first, and allow before disallow (RFC 9309, section 2.2.2); of equal ones the first line. */
function byPrecedence(a: Rule, b: Rule): number {
  return b.pattern.octets - a.pattern.octets || Number(b.isAllow) - Number(a.isAllow) || a.line - b.line;
}

/** The lines that are read: a line that the limit would cut has another meaning, and is left out. */
function wholeLines(text: string): string[] {
  const read = text.slice(0, MOST_CHARACTERS);
  const lines = read.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  return text.length > read.length ? lines.slice(0, -1) : lines;
}

function withoutComment(whole: string): string {
  const line = whole.slice(0, LONGEST_LINE);
  const comment = line.indexOf("#");
  return (comment === -1 ? line : line.slice(0, comment)).trim();
}

function readField(line: string): { name: string; value: string } | null {
  const colon = line.indexOf(":");
  if (colon !== -1) {
    return { name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() };
  }
  const [name = "", value, ...others] = line.split(/[ \t]+/);
  return value === undefined || others.length > 0 ? null : { name: name.toLowerCase(), value };
}

/**
 * The product token that a user-agent line names, in lower case, "" where it names none (RFC 9309, section 2.2.1). Digits are
 * taken too: operators have them in their tokens.
 */
function productToken(value: string): string {
  if (/^\*(?:\s|$)/.test(value)) return "*";
  return (/^[\w-]+/.exec(value)?.[0] ?? "").toLowerCase();
}
