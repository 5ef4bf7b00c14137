import ROWS from "../../../lists/rich-results.json" with { type: "json" };
import { googleGuide, findRepeatedPositions, type RangeFault } from "./find-range-faults.ts";
import { parseNumber } from "./parse-values.ts";
import { isItem, isReference, propertyTexts, type StructuredItem, type StructuredValue } from "./structured-item.ts";
import { isSubtypeOf } from "./vocabulary.ts";

type RichResultFault = Pick<RangeFault, "severity" | "property" | "message" | "source"> & {
  code: "missing_required" | "missing_recommended" | "contradiction";
};

/** `.` separates path steps, `|` alternatives. */
interface RichResult {
  name: string;
  /** Includes subtypes, except those in `not`. */
  type: string;
  not: readonly string[];
  /** "main": at the top of the page or in a list; else a value of a property of a type. */
  where: "anywhere" | "main" | { property: readonly string[]; of: readonly string[] };
  required: readonly string[];
  /** Required unless the item is a value of one of these properties. */
  requiredUnless: { property: readonly string[]; required: readonly string[] } | null;
  recommended: readonly string[];
  /** Google no longer shows it; its requirements become recommendations. */
  isRetired: boolean;
  source: string;
}

const RICH_RESULTS = ROWS as readonly RichResult[];

/** Per property; bounds paths through nested lists. */
const MAX_INSPECTED_VALUES = 20;

const MAIN_USES = new Set(["mainEntity", "item", "itemListElement", "hasVariant"]);

export function findRichResultFaults(item: StructuredItem): RichResultFault[] {
  return [
    ...RICH_RESULTS.filter((result) => appliesTo(result, item)).flatMap((result) => findMissing(result, item)),
    ...findStepFaults(item),
  ];
}

/** True if search engines have a rich result for the item. */
export function hasRichResult(item: StructuredItem): boolean {
  return !item.isForeign && RICH_RESULTS.some((result) => appliesTo(result, item));
}

/** False for items that are only referenced. */
export function isMainItem(item: StructuredItem): boolean {
  return item.isTopLevel || item.uses.some(({ property }) => MAIN_USES.has(property));
}

function appliesTo({ type, not, where }: RichResult, item: StructuredItem): boolean {
  if (!hasAnyType(item, [type]) || hasAnyType(item, not)) return false;
  if (where === "anywhere") return true;
  if (where === "main") return isMainItem(item);
  return item.uses.some((use) => where.property.includes(use.property) && hasAnyType(use.item, where.of));
}

function findMissing(result: RichResult, item: StructuredItem): RichResultFault[] {
  const { name, source, isRetired, requiredUnless } = result;
  const isExempt = requiredUnless && item.uses.some(({ property }) => requiredUnless.property.includes(property));
  const required = [...result.required, ...(isExempt ? [] : (requiredUnless?.required ?? []))];
  const message = isRetired
    ? `Google required the property for the former rich result "${name}"; without it the item says little.`
    : `Google requires the property for the rich result "${name}".`;
  return [
    ...required
      .filter((need) => isMissing(item, need))
      .map((property): RichResultFault => {
        return { severity: isRetired ? "warning" : "error", code: "missing_required", property, message, source };
      }),
    ...result.recommended
      .filter((need) => isMissing(item, need))
      .map((property): RichResultFault => {
        const recommends = `Google recommends it for the rich result "${name}".`;
        return { severity: "warning", code: "missing_recommended", property, message: recommends, source };
      }),
  ];
}

/** Steps need a target (except the last one) and a unique position. */
function findStepFaults(item: StructuredItem): RichResultFault[] {
  const source = googleGuide("breadcrumb");
  const trail = item.uses.find(
    (use) => use.property === "itemListElement" && hasAnyType(use.item, ["BreadcrumbList"]),
  )?.item;
  if (!trail || !hasAnyType(item, ["ListItem"])) return [];
  const faults: RichResultFault[] = [];
  if (isMissing(item, "item") && findLastStep(trail) !== item) {
    const message = 'Google requires the property for the rich result "breadcrumb", except in the last step.';
    faults.push({ severity: "error", code: "missing_required", property: "item", message, source });
  }
  if (findRepeatedSteps(trail).has(item)) {
    const message = "An earlier step has the same position.";
    faults.push({ severity: "warning", code: "contradiction", property: "position", message, source });
  }
  return faults;
}

const CACHED_REPEATED_STEPS = new WeakMap<StructuredItem, ReadonlySet<StructuredItem>>();
function findRepeatedSteps(trail: StructuredItem): ReadonlySet<StructuredItem> {
  const known = CACHED_REPEATED_STEPS.get(trail) ?? new Set(findRepeatedPositions(trail));
  CACHED_REPEATED_STEPS.set(trail, known);
  return known;
}

const CACHED_LAST_STEPS = new WeakMap<StructuredItem, StructuredItem>();
function findLastStep(trail: StructuredItem): StructuredItem | undefined {
  const known = CACHED_LAST_STEPS.get(trail);
  if (known) return known;
  const steps = (trail.properties.get("itemListElement") ?? []).filter(isItem);
  const [first, ...others] = steps;
  const last = others.reduce((one, other) => (one && parsePosition(one) > parsePosition(other) ? one : other), first);
  if (last) CACHED_LAST_STEPS.set(trail, last);
  return last;
}

const parsePosition = (step: StructuredItem): number => parseNumber(propertyTexts(step, "position")[0] ?? "") ?? 0;

/** Only with an existing parent: without an author, the author is missing, not the name. */
function isMissing(item: StructuredItem, need: string): boolean {
  const paths = need.split("|").map((path) => path.split("."));
  if (paths.some((path) => hasPath(item, path))) return false;
  return paths.some((path) => path.length === 1) || paths.some(([first = ""]) => hasPath(item, [first]));
}

function hasPath(item: StructuredItem, [property = "", ...rest]: readonly string[]): boolean {
  const values = (item.properties.get(property) ?? []).slice(0, MAX_INSPECTED_VALUES);
  return values.some((value) => {
    if (rest.length === 0) return !isEmpty(value);
    // Skips items of other vocabularies.
    if (isReference(value) || (isItem(value) && value.isForeign)) return true;
    return isItem(value) ? hasPath(value, rest) : rest.length === 1 && rest[0] === "name" && !isEmpty(value);
  });
}

const isEmpty = (value: StructuredValue): boolean => typeof value === "string" && value.trim() === "";

const hasAnyType = (item: StructuredItem, types: readonly string[]): boolean =>
  item.types.some((one) => types.some((type) => isSubtypeOf(one, type)));
