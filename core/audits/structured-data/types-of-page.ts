import type { PageType } from "../page-type.ts";
import { isMain } from "./judge-rich-results.ts";
import type { StructuredItem } from "./structured-item.ts";
import { isA } from "./vocabulary.ts";

/** Products at the top of a page, or entries of a list, from which on it is a list of things. */
const MANY = 4;
const ENTRIES = 3;

/** Types of schema.org that fit a page of each type: one of them is enough. Empty where any does. */
const FITTING: Readonly<Record<PageType, readonly string[]>> = {
  article: ["Article", "Recipe", "Review"],
  product: ["Product", "SoftwareApplication", "Service", "Course", "Event", "Accommodation", "LodgingBusiness"],
  category: ["ItemList", "CollectionPage", "OfferCatalog", "Blog", "Product"],
  comparison: ["ItemList", "Article", "Review", "Product"],
  documentation: ["Article", "HowTo", "FAQPage", "QAPage", "SoftwareSourceCode", "LearningResource"],
  home: ["WebSite", "Organization"],
  other: [],
};

/** Types that say that a page is none of the other types. */
const OTHER = [
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

/** A graph names its parts by reference in these ways though the page is of them. */
const NEUTRAL_USES = new Set(["mainEntity", "subjectOf", "isPartOf", "hasPart", "breadcrumb", "publisher", "about"]);

const DOCUMENTING = ["TechArticle", "HowTo", "SoftwareSourceCode"];

/** The types of schema.org that fit a page of a type, by name and with their subtypes: one is enough. Empty where any does. */
export function expectedTypes(pageType: PageType): readonly string[] {
  return FITTING[pageType];
}

/** True where the page is of something that fits its type. A trail is a list, but not what a page is of. */
export function fitsPageType(items: readonly StructuredItem[], pageType: PageType): boolean {
  const fitting = expectedTypes(pageType).filter((type) => type !== "ItemList");
  const takesLists = pageType === "category" || pageType === "comparison";
  return items.some((item) => isMain(item) && (is(item, fitting) || (takesLists && isListOfThings(item))));
}

/** Which types of page the structured data speaks for, the surest first; empty where it says nothing of it. */
export function typesOfPage(items: readonly StructuredItem[]): PageType[] {
  const subjects = items.filter(isSubject);
  const has = (...types: string[]): boolean => subjects.some((item) => is(item, types));
  const products = subjects.filter((item) => is(item, ["Product", "SoftwareApplication"])).length;
  const listed = items.filter((item) => isEntry(item) && is(item, ["Product", "SoftwareApplication"])).length;
  const isArticle = subjects.some(
    (item) => is(item, ["Recipe"]) || (is(item, ["Article", "Review"]) && !is(item, [...DOCUMENTING, ...OTHER])),
  );
  const isListed = products >= MANY || subjects.some((item) => isListOfThings(item) && entriesOf(item) >= ENTRIES);
  const told: PageType[] = [];
  if (isArticle && listed >= 2) told.push("comparison");
  if (subjects.some((item) => is(item, DOCUMENTING) && !is(item, ["Recipe"]))) told.push("documentation");
  if (isArticle) told.push("article");
  if (products > 0 && products < MANY) told.push("product");
  if (has("CollectionPage", "OfferCatalog", "SearchResultsPage", "Blog") || (isListed && !isArticle))
    told.push("category");
  if (told.length === 0 && has(...OTHER)) told.push("other");
  if (told.length === 0 && has("FAQPage")) told.push("documentation");
  // Every page of many sites names its site and organization; those within have a trail.
  if (told.length === 0 && has("WebSite", "Organization") && !has("BreadcrumbList")) told.push("home");
  return told;
}

/** What a page is of stands at its top, and is not only named by another item. */
function isSubject(item: StructuredItem): boolean {
  if (item.isForeign) return false;
  if (item.uses.some(({ property }) => property === "mainEntity")) return true;
  return item.isTopLevel && item.uses.every(({ property }) => NEUTRAL_USES.has(property));
}

const isEntry = (item: StructuredItem): boolean =>
  item.uses.some(({ property }) => property === "item" || property === "itemListElement");

const isListOfThings = (item: StructuredItem): boolean =>
  is(item, ["ItemList"]) && !is(item, ["BreadcrumbList", "HowTo"]);

const entriesOf = (item: StructuredItem): number => item.properties.get("itemListElement")?.length ?? 0;

const is = (item: StructuredItem, types: readonly string[]): boolean =>
  !item.isForeign && item.types.some((one) => types.some((type) => isA(one, type)));
