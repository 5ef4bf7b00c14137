import type { Found } from "./find-aliases.ts";

/** "I found no information about", "couldn't find anything on", "am not familiar with", in a few languages. */
const NOTHING_ABOUT = new RegExp(
  [
    String.raw`\bno (?:\w+ ){0,3}(?:information|info|mentions?|results?|details?|data|references?|records?|evidence|reviews?)(?: \w+){0,3}? (?:about|on|of|for|regarding|concerning|to)`,
    String.raw`\b(?:could|can|did|do|was|were|am)(?:n't| ?not)(?: be)?(?: able to)? (?:find|locate|see|identify|have|any)(?: \w+){0,5}? (?:about|on|of|for|regarding|concerning)`,
    String.raw`\b(?:could|can|did|do)(?:n't| ?not)(?: be able to)? (?:find|locate|identify|recogni[sz]e|know(?: of)?)`,
    String.raw`\b(?:am|'m|was|are|is)(?:n't| not) (?:\w+ )?(?:familiar with|aware of)`,
    String.raw`\bunfamiliar with`,
    String.raw`\bkeine (?:\w+ ){0,2}(?:informationen|angaben|ergebnisse|treffer|hinweise) (?:zu|uber|zur|zum|fur)`,
    String.raw`\b(?:aucune?|pas d'|pas trouve d')\s?(?:\w+ ){0,2}(?:informations?|resultats?|mentions?) (?:sur|concernant|pour|de)`,
    String.raw`\bno (?:\w+ ){0,3}(?:informacion|resultados|datos) (?:sobre|de|para|acerca de)`,
    String.raw`\bnessuna? (?:\w+ ){0,2}(?:informazion[ei]|risultat[oi]) (?:su|per|riguardo a)`,
  ].join("|"),
);

/** What may stand between the statement and the name: "… about a brand called X". */
const FILLER =
  /^[\s"'“”„*:]*(?:(?:the|a|an|any|brand|company|product|manufacturer|model|name|called|named|specific|marke|firma|die|der|das|la|le|marque|marca)[\s"'“”„*]+)*$/;
/** What may stand between two names of which both are absent. */
const JOINED = /^[\s"'“”„*]*(?:,|\/|&)?\s*(?:(?:or|and|nor|oder|und|noch|ou|et|ni|o|y|e)\s)?[\s"'“”„*]*$/;
/** "X is not mentioned", "X does not appear", "X was not found". */
const IS_ABSENT =
  /^["'”*]*(?:,? (?:itself|however),?)? (?:(?:is|was|are|were|isn't|wasn't|aren't)(?: not|n't)?|(?:does|did)(?: not|n't)|wird|wurde) (?:(?:\w+ )?(?:not |nicht )?)?(?:mentioned|listed|found|appear|show up|come up|referenced|included|erwahnt|gefunden)\b/;
/** No statement of absence is without one of these. */
const HINT = /\bno\b|not\b|n't\b|unfamiliar|kein|nicht|aucun|\bpas\b|nessun/;
const NEGATION = /\b(?:not|nicht)\b|n't\b/;

/** Mentions that only say that nothing is known of the brand. `lower` is the folded text, `found` ascending. */
export function absentNames(lower: string, found: Found[]): Set<Found> {
  const absent = new Set<Found>();
  if (!HINT.test(lower)) return absent;
  let last: Found | undefined;
  for (const name of found) {
    const from = sentenceStart(lower, name.start);
    const joined = last !== undefined && last.end > from && JOINED.test(lower.slice(last.end, name.start));
    if (joined || followsAbsence(lower.slice(from, name.start)) || precedesAbsence(lower, name.end)) {
      // A possessive names something of the brand that is missing, not the brand.
      if (/^'s\b/.test(lower.slice(name.end, name.end + 3))) continue;
      absent.add(name);
      last = name;
    }
  }
  return absent;
}

function followsAbsence(before: string): boolean {
  if (!HINT.test(before)) return false;
  const match = NOTHING_ABOUT.exec(before);
  return match !== null && FILLER.test(before.slice(match.index + match[0].length));
}

function precedesAbsence(lower: string, end: number): boolean {
  const match = IS_ABSENT.exec(lower.slice(end, end + 80));
  return match !== null && NEGATION.test(match[0]);
}

/** At most 200 characters back: a statement of absence is short. */
function sentenceStart(lower: string, position: number): number {
  const floor = Math.max(0, position - 200);
  for (let i = position - 1; i >= floor; i -= 1) {
    const character = lower.charAt(i);
    if ("\n!?;。".includes(character)) return i + 1;
    if (character === "." && (lower.charAt(i + 1) === " " || lower.charAt(i + 1) === "\n")) return i + 1;
  }
  return floor;
}
