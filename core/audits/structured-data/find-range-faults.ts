import { wordList } from "../../shared/words.ts";
import { isEarlierDate, parseNumber } from "./parse-values.ts";
import { isItem, propertyTexts, type StructuredIssue, type StructuredItem } from "./structured-item.ts";
import { findProperty, isSubtypeOf } from "./vocabulary.ts";

/** Faults in the meaning of values, not in the form of the data. */
export type RangeFault = Pick<StructuredIssue, "severity" | "code" | "property" | "message" | "source">;

export const googleGuide = (page: string): string =>
  `https://developers.google.com/search/docs/appearance/structured-data/${page}`;

const CURRENCY_CODES = wordList("currencies");
const PRICE_PROPERTIES = ["price", "lowPrice", "highPrice", "minPrice", "maxPrice"];
const CURRENCY_PROPERTIES = ["priceCurrency", "currency", "salaryCurrency"];
const COUNT_PROPERTIES = ["ratingCount", "reviewCount", "offerCount", "answerCount", "numberOfItems"];
const GTIN_PATTERNS: Readonly<Record<string, RegExp>> = {
  gtin: /^(?:\d{8}|\d{12,14})$/,
  gtin8: /^\d{8}$/,
  gtin12: /^\d{12}$/,
  gtin13: /^\d{13}$/,
  gtin14: /^\d{14}$/,
};
/** The first must not be earlier. */
const DATE_ORDERS = [
  ["endDate", "startDate"],
  ["dateModified", "datePublished"],
  ["validThrough", "datePosted"],
  ["validThrough", "validFrom"],
  ["availabilityEnds", "availabilityStarts"],
] as const;
/** The first must not be greater. */
const NUMBER_ORDERS = [
  ["lowPrice", "highPrice"],
  ["minPrice", "maxPrice"],
  ["minValue", "maxValue"],
] as const;

export function findRangeFaults(item: StructuredItem): RangeFault[] {
  return [
    ...findPriceFaults(item),
    ...findCountFaults(item),
    ...findCurrencyFaults(item),
    ...findOrderFaults(item),
    ...findCoordinateFaults(item),
    ...findGtinFaults(item),
    ...(hasType(item, "Rating") ? findRatingFaults(item) : []),
    ...(hasType(item, "BreadcrumbList") ? findBreadcrumbFaults(item) : []),
    ...(hasType(item, "Dataset") ? findDatasetFaults(item) : []),
  ];
}

function findPriceFaults(item: StructuredItem): RangeFault[] {
  const source = "https://schema.org/price";
  return PRICE_PROPERTIES.flatMap((property) =>
    propertyTexts(item, property).flatMap((text): RangeFault[] => {
      const price = parseNumber(text);
      if (price !== null && price < 0) return [outOfRangeFault(property, "The price is negative.", source)];
      const isText = findProperty(property)?.kinds.includes("Text") ?? false;
      if (price !== null || text === "" || !isText) return [];
      const message =
        "The price is not a number. Write it with a decimal point, without separators, and with its currency in priceCurrency.";
      return [{ severity: "error", code: "wrong_kind", property, message, source }];
    }),
  );
}

function findCountFaults(item: StructuredItem): RangeFault[] {
  const source = googleGuide("review-snippet");
  const negative = COUNT_PROPERTIES.filter((property) =>
    propertyTexts(item, property).some((text) => (parseNumber(text) ?? 0) < 0),
  );
  const faults = negative.map((property) => outOfRangeFault(property, "The count is negative.", source));
  if (!hasType(item, "AggregateRating") || negative.length > 0) return faults;
  const given = ["reviewCount", "ratingCount"].filter((property) => propertyTexts(item, property).length > 0);
  const [property] = given;
  const isOfNone = given.every((one) => propertyTexts(item, one).every((text) => parseNumber(text) === 0));
  if (property === undefined || !isOfNone) return faults;
  return [outOfRangeFault(property, "The rating is an aggregate of no ratings.", source)];
}

function findCurrencyFaults(item: StructuredItem): RangeFault[] {
  const message = "The currency is not an ISO 4217 code such as EUR.";
  const source = "https://schema.org/priceCurrency";
  return CURRENCY_PROPERTIES.filter((property) =>
    propertyTexts(item, property).some((text) => text !== "" && !CURRENCY_CODES.has(text)),
  ).map((property) => ({ severity: "error", code: "not_a_currency", property, message, source }));
}

function findOrderFaults(item: StructuredItem): RangeFault[] {
  const first = (property: string): string => propertyTexts(item, property)[0] ?? "";
  const dates = DATE_ORDERS.filter(([late, early]) => isEarlierDate(first(late), first(early))).map(([late, early]) =>
    createContradictionFault(late, `The date is before ${early}.`, `https://schema.org/${late}`),
  );
  const numbers = NUMBER_ORDERS.filter(([low, high]) => {
    const [lowest, highest] = [parseNumber(first(low)), parseNumber(first(high))];
    return lowest !== null && highest !== null && lowest > highest;
  }).map(([low, high]) => createContradictionFault(low, `The value is above ${high}.`, `https://schema.org/${low}`));
  return [...dates, ...numbers];
}

function findCoordinateFaults(item: StructuredItem): RangeFault[] {
  const limits = { latitude: 90, longitude: 180 };
  return Object.entries(limits).flatMap(([property, limit]) =>
    propertyTexts(item, property)
      .filter((text) => Math.abs(parseNumber(text) ?? 0) > limit)
      .map(() => outOfRangeFault(property, `The value is beyond ${limit} degrees.`, `https://schema.org/${property}`)),
  );
}

function findGtinFaults(item: StructuredItem): RangeFault[] {
  return Object.entries(GTIN_PATTERNS).flatMap(([property, form]) =>
    propertyTexts(item, property)
      .filter((text) => text !== "" && !/^https?:/.test(text) && !(form.test(text) && hasCheckDigit(text)))
      .map((): RangeFault => {
        const message = "The number has a wrong number of digits or a wrong check digit.";
        return { severity: "warning", code: "wrong_kind", property, message, source: "https://schema.org/gtin" };
      }),
  );
}

/** GS1's check digit: digits from the right weigh 3 and 1 alternately. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let at = 1; at <= digits.length; at++) sum += Number(digits.at(-at)) * (at % 2 === 1 ? 1 : 3);
  return sum % 10 === 0;
}

/** 1 to 5 by default; percentages and fractions have their own scale. */
function findRatingFaults(item: StructuredItem): RangeFault[] {
  const source = googleGuide("review-snippet");
  const best = parseNumber(propertyTexts(item, "bestRating")[0] ?? "5") ?? 5;
  const worst = parseNumber(propertyTexts(item, "worstRating")[0] ?? "1") ?? Math.min(1, best);
  if (worst > best) return [createContradictionFault("bestRating", "The rating is below worstRating.", source)];
  return propertyTexts(item, "ratingValue").flatMap((text): RangeFault[] => {
    const rating = parseNumber(text);
    const property = "ratingValue";
    if (rating !== null && (rating < worst || rating > best)) {
      return [
        outOfRangeFault(
          property,
          `The rating is not on its scale, which is 1 to 5 unless worstRating and bestRating say otherwise.`,
          source,
        ),
      ];
    }
    if (rating !== null || text === "" || /^\d{1,9}(?:\.\d{1,9})? ?(?:%|\/ ?\d{1,9})$/.test(text)) return [];
    const message = "The rating is not a number with a decimal point, a percentage or a fraction.";
    return [{ severity: "error", code: "wrong_kind", property, message, source }];
  });
}

function findBreadcrumbFaults(item: StructuredItem): RangeFault[] {
  const steps = (item.properties.get("itemListElement") ?? []).filter((value) => typeof value === "object");
  if (steps.length !== 1) return [];
  const message = "A breadcrumb needs at least two steps.";
  return [{ ...outOfRangeFault("itemListElement", message, googleGuide("breadcrumb")), severity: "warning" }];
}

function findDatasetFaults(item: StructuredItem): RangeFault[] {
  const message = "Google asks for a description of 50 to 5,000 characters.";
  return propertyTexts(item, "description")
    .filter((text) => text !== "" && (text.length < 50 || text.length > 5_000))
    .map(() => ({ ...outOfRangeFault("description", message, googleGuide("dataset")), severity: "warning" }));
}

export function findRepeatedPositions(trail: StructuredItem): StructuredItem[] {
  const seen = new Set<string>();
  return (trail.properties.get("itemListElement") ?? []).filter(isItem).filter((step) => {
    const position = propertyTexts(step, "position")[0];
    if (position === undefined || !seen.has(position)) {
      if (position !== undefined) seen.add(position);
      return false;
    }
    return true;
  });
}

const hasType = (item: StructuredItem, type: string): boolean => item.types.some((one) => isSubtypeOf(one, type));

function outOfRangeFault(property: string, message: string, source: string): RangeFault {
  return { severity: "error", code: "out_of_range", property, message, source };
}

function createContradictionFault(property: string, message: string, source: string): RangeFault {
  return { severity: "warning", code: "contradiction", property, message, source };
}
