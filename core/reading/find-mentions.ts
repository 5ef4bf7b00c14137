import { absentNames } from "./aliases/absence.ts";
import type { Mention } from "./capture.ts";
import type { CompiledCatalog } from "./catalog.ts";
import { findAliases } from "./aliases/find-aliases.ts";
import type { Found } from "./aliases/find-aliases.ts";
import { brandsNamedIn, echoedNames } from "./prompt-echoes.ts";
import { foldText, originalOffset } from "./aliases/text-folding.ts";
import type { FoldedText } from "./aliases/text-folding.ts";
import { joined, maskedStretches, overlaps } from "./aliases/text-masks.ts";
import type { Mask } from "./aliases/text-masks.ts";

/**
 * The brands that a text names, ascending (measurement.md section 1): excluded phrases, link addresses, the echo of the prompt,
 * rephrased where the prompt names the brand, and statements of absence do not count. Offsets are UTF-16 code units of `text` as given.
 */
export function findMentions(text: string, catalog: CompiledCatalog, prompt = ""): Mention[] {
  const folded = foldText(text);
  const masks = maskedStretches(folded.cased, folded.lower, foldText(prompt).lower);
  const excluded = excludedSpans(folded, catalog, masks);
  const found = findAliases(folded, catalog.aliases, masks, (candidate) => {
    if (candidate.walk.opener && opensSentence(folded.cased, candidate)) return false;
    const spans = excluded.get(candidate.walk.brand);
    return spans === undefined || !overlaps(spans, candidate.start, candidate.end);
  });
  if (found.length === 0) return [];
  const absent = absentNames(folded.lower, found);
  const echoed = echoedNames(folded, prompt, found, brandsNamedIn(prompt, catalog));
  return found.flatMap((name) => {
    const brand = catalog.brands[name.walk.brand];
    if (brand === undefined || absent.has(name) || echoed.has(name)) return [];
    const start = originalOffset(folded, name.start);
    return [{ brand_id: brand.id, alias: name.walk.alias, start, end: originalOffset(folded, name.end) }];
  });
}

/** Per brand the stretches that its excluded phrases take; they hide that brand there and no other. */
function excludedSpans(folded: FoldedText, catalog: CompiledCatalog, masks: Mask[]): Map<number, Mask[]> {
  const spans = new Map<number, Mask[]>();
  if (catalog.exclusions === null) return spans;
  // Each candidate is noted and none is taken, so that two brands can exclude the same phrase.
  findAliases(folded, catalog.exclusions, masks, ({ walk, start, end }) => {
    const known = spans.get(walk.brand);
    if (known) known.push({ start, end });
    else spans.set(walk.brand, [{ start, end }]);
    return false;
  });
  return new Map([...spans].map(([brand, stretches]) => [brand, joined(stretches)]));
}

/** "Nothing beats them": a word that opens a sentence and goes on in small letters is the word, not the brand. */
function opensSentence(cased: string, { start, end }: Found): boolean {
  const before = cased
    .slice(Math.max(0, start - 12), start)
    .replace(/[\s"'“”„*_#>•-]+$/, (gap) => (gap.includes("\n") ? "\n" : ""));
  const opens = before === "" || /[.!?:\n]$/.test(before);
  return opens && /^ [a-z]/.test(cased.slice(end, end + 2));
}
