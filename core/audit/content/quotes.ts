import type { Located, ParsedPage } from "../parsed-page.ts";

/** A quoted sentence: the marks that open and close it, and how long it can be. */
const QUOTED =
  /“([^“”]{30,400})”|„([^„“”]{30,400})[“”]|«([^«»]{30,400})»|「([^「」]{15,200})」|(?<![\w=])"([^"]{30,400})"(?!\w)/gu;
/** Who says, near a quotation. */
const SAYS =
  /\b(?:said|says|explains?|explained|according to|notes?|noted|told|writes?|wrote|adds?|added|sagte?|erklärte?|laut|meinte?|schreibt|schrieb|betont|selon|explique|déclare|affirme|précise|dit|d[’']après|dice|dijo|afirma|explica|según|señala)(?![\p{L}])|によると|によれば|氏|さん|と述べ|と語/iu;
const NAME = /\p{Lu}\p{L}+/u;
/** A line that begins with a dash and names someone. */
const SIGNED = /^[—–-]\s?\p{L}/u;
const NEAR = 160;
const MOST_QUOTES = 200;
const MOST_CAPITALS = 0.75;

/** Quotations of the main content, and whether each says who said it: in its markup, in a line below, or beside the quoted sentence. */
export function quotesIn({ quotes, blocks }: ParsedPage): (Located & { isAttributed: boolean })[] {
  const found: (Located & { isAttributed: boolean })[] = [];
  const main = blocks.filter(({ isInMain }) => isInMain);
  for (const { text, at, attribution, isInline, isInMain } of quotes) {
    if (!isInMain || isInline || text === "") continue;
    const own = attribution !== null && attribution !== "";
    found.push({ text, at, isAttributed: own || isSigned(main, text, at) });
    if (found.length >= MOST_QUOTES) return found;
  }
  for (const { text, at, kind } of main) {
    if (kind !== "paragraph" && kind !== "list_item") continue;
    for (const match of text.slice(0, 20_000).matchAll(QUOTED)) {
      if (isTitle(match[0])) continue;
      const before = text.slice(Math.max(0, match.index - NEAR), match.index);
      const after = text.slice(match.index + match[0].length, match.index + match[0].length + NEAR);
      const isAttributed = [before, after].some(
        (near) => SAYS.test(near) && (NAME.test(near) || /[氏さん]/.test(near)),
      );
      found.push({ text: match[0], at, isAttributed: isAttributed || SIGNED.test(after.trim()) });
      if (found.length >= MOST_QUOTES) return found;
    }
  }
  return found;
}

/** True for the name of a work: nearly every longer word of it has a capital, as in no sentence. */
function isTitle(quoted: string): boolean {
  const words = quoted.match(/\p{L}{4,}/gu) ?? [];
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  return capitals >= MOST_CAPITALS * words.length && capitals > 1;
}

const firstOf = (text: string) => text.slice(0, 100).replaceAll("\n", " ");

/** Whether the last line of a quote, or the block after it, is signed. */
function isSigned(blocks: readonly (Located & { kind: string })[], quote: string, at: number): boolean {
  const inside = blocks.findIndex((block) => block.kind === "quote" && block.at >= at);
  if (inside < 0) return false;
  let after = inside;
  while (blocks[after]?.kind === "quote" && quote.includes(firstOf(blocks[after]?.text ?? ""))) after += 1;
  const last = (blocks[after - 1]?.text ?? "").split("\n").at(-1) ?? "";
  return SIGNED.test(last) || SIGNED.test(blocks[after]?.text ?? "");
}
