import type { Span, Mention } from "./capture.ts";
import { findAbsentNames } from "./aliases/absence.ts";
import type { CompiledCatalog } from "./catalog.ts";
import { detectEndings } from "./aliases/endings.ts";
import { findAliases, type FoundAlias } from "./aliases/find-aliases.ts";
import { findEchoedNames } from "./prompt-echoes.ts";
import { isOpenerAsWord, findPlainWords } from "./aliases/find-plain-words.ts";
import { foldText, toOriginalOffset, type FoldedText } from "./aliases/text-folding.ts";
import { isSourceLabel } from "./aliases/source-labels.ts";
import { mergeSpans, findMasks, overlapsMask } from "./aliases/text-masks.ts";
import { getCharacterClass, LOWER, UPPER } from "./aliases/word-boundaries.ts";

const findNoBrands: () => ReadonlySet<number> = () => new Set();

/**
 * Brand mentions in a text, ascending (measurement.md section 1). Excluded phrases, addresses,
 * code, source labels, plain words, echoes of the prompt and statements of absence do not count.
 * `cited` returns catalog indexes of brands whose domains the answer cites. Offsets are UTF-16 code
 * units of `text`.
 */
export function findMentions(text: string, catalog: CompiledCatalog, prompt = "", cited = findNoBrands): Mention[] {
  const folded = foldText(text);
  const isOneCase = isSingleCase(folded.cased);
  const masks = findMasks(folded.cased, folded.lower, foldText(prompt).lower);
  const named = findBrandNames(folded, catalog, masks, isOneCase);
  if (named.length === 0) return [];
  const words = findPlainWords(folded, named, { cited, isOneCase });
  const found = named.filter((name) => !words.has(name) && !isSourceLabel(folded.cased, name));
  const absent = findAbsentNames(folded.lower, found);
  const echoed = findEchoedNames(folded, prompt, found, findBrandsInPrompt(prompt, catalog));
  return found.flatMap((name) => {
    const brand = catalog.brands[name.walk.brand];
    if (brand === undefined || absent.has(name) || echoed.has(name)) return [];
    const start = toOriginalOffset(folded, name.start);
    return [{ brand_id: brand.id, alias: name.walk.aliasText, start, end: toOriginalOffset(folded, name.end) }];
  });
}

/** Catalog indexes. Case counts even in a lower-case prompt: "target date funds" is not Target. */
export function findBrandsInPrompt(prompt: string, catalog: CompiledCatalog): Set<number> {
  const folded = foldText(prompt);
  const named = findBrandNames(folded, catalog, findMasks(folded.cased, folded.lower, ""), false);
  return new Set(named.filter((name) => !isOpenerAsWord(folded.cased, name)).map(({ walk }) => walk.brand));
}

function findBrandNames(folded: FoldedText, catalog: CompiledCatalog, masks: Span[], isOneCase: boolean): FoundAlias[] {
  // Searched on demand: excluded phrases cost as much as all names, and few texts need them.
  let excluded: Map<number, Span[]> | undefined;
  return findAliases(folded, catalog.aliases, {
    masks,
    isOneCase,
    nameEndings: detectEndings(folded.lower),
    accept: ({ walk, start, end }) => {
      if (!catalog.brands[walk.brand]?.excluded_phrases.length) return true;
      const spans = (excluded ??= findExcludedSpans(folded, catalog, masks)).get(walk.brand);
      return spans === undefined || !overlapsMask(spans, start, end);
    },
  });
}

/** Spans of excluded phrases per brand; they hide that brand only. */
function findExcludedSpans(folded: FoldedText, catalog: CompiledCatalog, masks: Span[]): Map<number, Span[]> {
  const spans = new Map<number, Span[]>();
  if (catalog.exclusions === null) return spans;
  // Rejects each candidate after recording it, so that two brands can exclude the same phrase.
  const accept = ({ walk, start, end }: FoundAlias) => {
    const known = spans.get(walk.brand);
    if (known) known.push({ start, end });
    else spans.set(walk.brand, [{ start, end }]);
    return false;
  };
  findAliases(folded, catalog.exclusions, { masks, accept });
  return new Map([...spans].map(([brand, stretches]) => [brand, mergeSpans(stretches)]));
}

/** Max percent of capitals in a lower-case text. */
const MAX_CAPITALS_PERCENT = 1;
/** Max percent of lower-case letters in an upper-case text. */
const MAX_LOWER_CASE_PERCENT = 10;

/** True if nearly all letters have one case, so that case does not distinguish names. */
function isSingleCase(cased: string): boolean {
  let capitals = 0;
  let small = 0;
  const { length } = cased;
  for (let i = 0; i < length; i += 1) {
    const unit = cased.charCodeAt(i);
    if (unit >= 0x61 && unit <= 0x7a) small += 1;
    else if (unit > 0x40) {
      const kind = getCharacterClass(unit);
      if (kind === LOWER) small += 1;
      else if (kind === UPPER) {
        capitals += 1;
        // Stops early: both cases suffice even if all characters were letters.
        if (capitals * 100 >= MAX_CAPITALS_PERCENT * length && small * 100 >= MAX_LOWER_CASE_PERCENT * length)
          return false;
      }
    }
  }
  const letters = capitals + small;
  return capitals * 100 < MAX_CAPITALS_PERCENT * letters || small * 100 < MAX_LOWER_CASE_PERCENT * letters;
}
