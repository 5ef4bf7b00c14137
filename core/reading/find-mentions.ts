import type { Span } from "./capture.ts";
import { absentNames } from "./aliases/absence.ts";
import type { Mention } from "./capture.ts";
import type { CompiledCatalog } from "./catalog.ts";
import { endingsIn } from "./aliases/endings.ts";
import { findAliases } from "./aliases/find-aliases.ts";
import type { Found } from "./aliases/find-aliases.ts";
import { echoedNames } from "./prompt-echoes.ts";
import { opensAsWord, plainWords } from "./aliases/name-signs.ts";
import { once } from "../shared/once.ts";
import { isOneCase } from "./aliases/text-case.ts";
import { foldText, originalOffset } from "./aliases/text-folding.ts";
import type { FoldedText } from "./aliases/text-folding.ts";
import { isSourceLabel } from "./aliases/source-labels.ts";
import { joined, maskedStretches, overlaps } from "./aliases/text-masks.ts";

const NONE: () => ReadonlySet<number> = () => new Set();

/**
 * Brand mentions in a text, ascending (measurement.md section 1). Excluded phrases, addresses,
 * code, source labels, plain words, echoes of the prompt and statements of absence do not count.
 * `cited` returns catalog indexes of brands whose domains the answer cites. Offsets are UTF-16 code
 * units of `text`.
 */
export function findMentions(text: string, catalog: CompiledCatalog, prompt = "", cited = NONE): Mention[] {
  const folded = foldText(text);
  const oneCase = isOneCase(folded.cased);
  const masks = maskedStretches(folded.cased, folded.lower, foldText(prompt).lower);
  const named = namesIn(folded, catalog, masks, oneCase);
  if (named.length === 0) return [];
  const words = plainWords(folded, named, { cited, oneCase });
  const found = named.filter((name) => !words.has(name) && !isSourceLabel(folded.cased, name));
  const absent = absentNames(folded.lower, found);
  const echoed = echoedNames(folded, prompt, found, brandsNamedIn(prompt, catalog));
  return found.flatMap((name) => {
    const brand = catalog.brands[name.walk.brand];
    if (brand === undefined || absent.has(name) || echoed.has(name)) return [];
    const start = originalOffset(folded, name.start);
    return [{ brand_id: brand.id, alias: name.walk.alias, start, end: originalOffset(folded, name.end) }];
  });
}

/**
 * Catalog indexes of the brands a prompt names. Case counts even in a lower-case prompt: "best
 * target date funds" does not name Target.
 */
export function brandsNamedIn(prompt: string, catalog: CompiledCatalog): Set<number> {
  const folded = foldText(prompt);
  const named = namesIn(folded, catalog, maskedStretches(folded.cased, folded.lower, ""), false);
  return new Set(named.filter((name) => !opensAsWord(folded.cased, name)).map(({ walk }) => walk.brand));
}

function namesIn(folded: FoldedText, catalog: CompiledCatalog, masks: Span[], oneCase: boolean): Found[] {
  // Searching excluded phrases costs as much as searching all names, and few texts need it.
  const excluded = once(() => excludedSpans(folded, catalog, masks));
  return findAliases(folded, catalog.aliases, {
    masks,
    oneCase,
    endings: endingsIn(folded.lower),
    accept: ({ walk, start, end }) => {
      if (!catalog.brands[walk.brand]?.excluded_phrases.length) return true;
      const spans = excluded().get(walk.brand);
      return spans === undefined || !overlaps(spans, start, end);
    },
  });
}

/** Spans of excluded phrases per brand; they hide that brand only. */
function excludedSpans(folded: FoldedText, catalog: CompiledCatalog, masks: Span[]): Map<number, Span[]> {
  const spans = new Map<number, Span[]>();
  if (catalog.exclusions === null) return spans;
  // Rejecting each candidate lets two brands exclude the same phrase.
  const accept = ({ walk, start, end }: Found) => {
    const known = spans.get(walk.brand);
    if (known) known.push({ start, end });
    else spans.set(walk.brand, [{ start, end }]);
    return false;
  };
  findAliases(folded, catalog.exclusions, { masks, accept });
  return new Map([...spans].map(([brand, stretches]) => [brand, joined(stretches)]));
}
