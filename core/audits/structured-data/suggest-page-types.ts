import type { PageType } from "../page-type.ts";
import { isMainItem } from "./find-rich-result-faults.ts";
import type { StructuredItem } from "./structured-item.ts";
import { isSubtypeOf } from "./vocabulary.ts";

/** Products at the top of a page, or list entries, that make it a list page. */
const MIN_LIST_PRODUCTS = 4;
const MIN_LIST_ENTRIES = 3;

/** A page needs one of these types; empty if any fits. */
const TYPES_BY_PAGE_TYPE: Readonly<Record<PageType, readonly string[]>> = {
  article: ["Article", "Recipe", "Review"],
  product: ["Product", "SoftwareApplication", "Service", "Course", "Event", "Accommodation", "LodgingBusiness"],
  category: ["ItemList", "CollectionPage", "OfferCatalog", "Blog", "Product"],
  comparison: ["ItemList", "Article", "Review", "Product"],
  documentation: ["Article", "HowTo", "FAQPage", "QAPage", "SoftwareSourceCode", "LearningResource"],
  home: ["WebSite", "Organization"],
  other: [],
};

/** No page type of audits covers these types. */
const OTHER_PAGE_TYPES = [
  "AboutPage",
  "CheckoutPage",
  "ContactPage",
  "ProfilePage",
  "QAPage",
  "DiscussionForumPosting",
  "Course",
  "Dataset",
  "Event",
  "JobPosting",
  "VideoObject",
];

/** These references do not make an item secondary. */
const NEUTRAL_USES = new Set(["mainEntity", "subjectOf", "isPartOf", "hasPart", "breadcrumb", "publisher", "about"]);

const DOCUMENTATION_TYPES = ["TechArticle", "HowTo", "SoftwareSourceCode"];

/** Subtypes also fit; empty if any type fits. */
export function listExpectedTypes(pageType: PageType): readonly string[] {
  return TYPES_BY_PAGE_TYPE[pageType];
}

/** A breadcrumb list does not count. */
export function fitsPageType(items: readonly StructuredItem[], pageType: PageType): boolean {
  const fitting = listExpectedTypes(pageType).filter((type) => type !== "ItemList");
  const takesLists = pageType === "category" || pageType === "comparison";
  return items.some((item) => isMainItem(item) && (hasAnyType(item, fitting) || (takesLists && isListOfThings(item))));
}

/** Best first. */
export function suggestPageTypes(items: readonly StructuredItem[]): PageType[] {
  const subjects = items.filter(isSubject);
  const has = (...types: string[]): boolean => subjects.some((item) => hasAnyType(item, types));
  const products = subjects.filter((item) => hasAnyType(item, ["Product", "SoftwareApplication"])).length;
  const listed = items.filter((item) => isEntry(item) && hasAnyType(item, ["Product", "SoftwareApplication"])).length;
  const isArticle = subjects.some(
    (item) =>
      hasAnyType(item, ["Recipe"]) ||
      (hasAnyType(item, ["Article", "Review"]) && !hasAnyType(item, [...DOCUMENTATION_TYPES, ...OTHER_PAGE_TYPES])),
  );
  const isListed =
    products >= MIN_LIST_PRODUCTS ||
    subjects.some((item) => isListOfThings(item) && countEntries(item) >= MIN_LIST_ENTRIES);
  const suggested: PageType[] = [];
  if (isArticle && listed >= 2) suggested.push("comparison");
  if (subjects.some((item) => hasAnyType(item, DOCUMENTATION_TYPES) && !hasAnyType(item, ["Recipe"])))
    suggested.push("documentation");
  if (isArticle) suggested.push("article");
  if (products > 0 && products < MIN_LIST_PRODUCTS) suggested.push("product");
  if (has("CollectionPage", "OfferCatalog", "SearchResultsPage", "Blog") || (isListed && !isArticle))
    suggested.push("category");
  if (suggested.length === 0 && has(...OTHER_PAGE_TYPES)) suggested.push("other");
  if (suggested.length === 0 && has("FAQPage")) suggested.push("documentation");
  // Many sites name site and organization on each page; a start page has no breadcrumb.
  if (suggested.length === 0 && has("WebSite", "Organization") && !has("BreadcrumbList")) suggested.push("home");
  return suggested;
}

/** Top-level items that are not only referenced by another item. */
function isSubject(item: StructuredItem): boolean {
  if (item.isForeign) return false;
  if (item.uses.some(({ property }) => property === "mainEntity")) return true;
  return item.isTopLevel && item.uses.every(({ property }) => NEUTRAL_USES.has(property));
}

const isEntry = (item: StructuredItem): boolean =>
  item.uses.some(({ property }) => property === "item" || property === "itemListElement");

const isListOfThings = (item: StructuredItem): boolean =>
  hasAnyType(item, ["ItemList"]) && !hasAnyType(item, ["BreadcrumbList", "HowTo"]);

const countEntries = (item: StructuredItem): number => item.properties.get("itemListElement")?.length ?? 0;

const hasAnyType = (item: StructuredItem, types: readonly string[]): boolean =>
  !item.isForeign && item.types.some((one) => types.some((type) => isSubtypeOf(one, type)));
