import { skipped, type CheckFinding } from "../check.ts";
import type { PageType } from "../page-type.ts";

const PAGE_TYPE_NAMES: Readonly<Record<PageType, string>> = {
  article: "articles",
  product: "product pages",
  category: "category pages",
  comparison: "comparisons",
  documentation: "documentation",
  home: "home pages",
  other: "other pages",
};

/** Undefined if the check applies to the page type. */
export function skipUnlessPageType(types: readonly PageType[], pageType: PageType): CheckFinding | undefined {
  if (types.includes(pageType)) return undefined;
  const named = types.map((type) => PAGE_TYPE_NAMES[type]);
  const list = named.length === 1 ? named[0] : `${named.slice(0, -1).join(", ")} and ${named.at(-1)}`;
  return skipped(`The check is for ${list}; this page is of type ${pageType}.`);
}
