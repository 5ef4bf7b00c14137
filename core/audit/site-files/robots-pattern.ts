/** A path of an allow or disallow line, ready to be compared. */
export interface PathPattern {
  /** What stands between the wildcards. */
  parts: readonly string[];
  /** Whether "$" ends the pattern: the path must end there too. */
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
export function readPattern(path: string): PathPattern {
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
export function pathToMatch(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return normalize(parsed ? parsed.pathname + parsed.search : "/")
    .replaceAll("*", "%2A")
    .replaceAll("$", "%24");
}

/**
 * Whether a pattern matches a path from its first octet; an empty one matches none (RFC 9309, section 2.2.2). Each part is looked for once, behind the one before it: nothing is
 * tried twice, whatever the wildcards.
 */
export function matchesPath({ parts, isAnchored, octets }: PathPattern, path: string): boolean {
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
