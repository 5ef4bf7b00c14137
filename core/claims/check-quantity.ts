import { matchesAttribute, buildAttributePatterns } from "./attribute-words.ts";
import { findFigures, type TextFigure } from "./figures.ts";
import { isPlainStatement, type StatementVerdict, type Sentence } from "./statement-verdict.ts";
import { parseUnit, type Unit } from "./units.ts";

export interface DeclaredQuantity {
  attribute: string;
  amount: number;
  /** Name of a unit, or currency code. */
  unit?: string;
  currency?: string;
}

interface WantedQuantity extends DeclaredQuantity {
  words: RegExp[];
  of: Unit;
}

/** Attributes implied by the dimension of a unit. */
const IMPLIED_ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  mass: /weigh|mass|gewicht|poids|peso/i,
  light: /bright|light output|lumens|helligkeit|luminosit|brillo/i,
  charge: /batter|capacity/i,
};
/** Words that mark an amount as no price: savings, monthly fees, other items. */
const NO_PRICE_PATTERN =
  /\b(?:sav(?:e|es|ing|ings)|off|discount\w*|cheaper|less|more|extra|budget|ceiling|deals?|sale|refurb\w*|used|gift|cash ?back|shipping|subscription|trade-in|rebate|coupon|per month|a month|monthly|rabatt|sparen|remise|descuento|crédito|credit|was|warranty|accessor\w*|case|kit|bundle|combo|plan)\b|\/ ?mo\b/iu;
/** Words that mark a figure as a difference, a condition or a load. */
const DIFFERENCE_AFTER_PATTERN =
  /^[^.;,]{0,12}\b(?:more|less|longer|shorter|extra|additional|faster|lighter|heavier|better|cheaper|higher|lower|ago|warranty|mehr|weniger|de plus|más)\b/iu;
const DIFFERENCE_BEFORE_PATTERN = /\b(?:by|um|de|another|extra|additional|adds?|gains?|loses?|cuts?|saves?)\s?[~≈]?$/iu;
const OTHER_USE_PATTERN =
  /\b(?:payload|carr(?:y|ies)|lift|load|holds?|supports?|tested|test|wind|in (?:just|only|about)|every|each|a day|per day|daily|limit|ships?|deliver\w*|within)\b/iu;
const CHARGING_PATTERN = /charg|lade|carga|充電|top[- ]up/iu;
const CONDITION_PATTERN =
  /\b(?:with|without|when|mode|variants?|trims?|versions?|models?|editions?|using|low[- ]power|saving|saver|always-on|gps|off|on|at \d|depending|varies|typical|real[- ]world|realistic|mixed|heavy|moderate|eco|larger|smaller|up to|as (?:low|little|much)|case|bei|mit|ohne|avec|sans|con|sin)\b|時/iu;
/** Relative tolerances for rounded and rough figures. */
const ROUNDING_TOLERANCE = 0.02;
const APPROXIMATE_TOLERANCE = 0.05;

export function checkQuantity(
  quantity: DeclaredQuantity,
  sentences: readonly Sentence[],
): StatementVerdict | undefined {
  const wanted = { ...quantity, words: buildAttributePatterns(quantity.attribute), of: parseUnit(quantity.unit ?? "") };
  let otherwise: StatementVerdict | undefined;
  for (const sentence of sentences) {
    for (const stated of findStatedFigures(wanted, sentence)) {
      if (stated.isEqual) return { verdict: "agreed", statement: sentence };
      if (stated.isCertain) otherwise ??= { verdict: "contradicted", statement: sentence };
    }
  }
  return otherwise;
}

interface StatedFigure {
  isEqual: boolean;
  isCertain: boolean;
}

function findStatedFigures(quantity: WantedQuantity, sentence: Sentence): StatedFigure[] {
  const figures = findFigures(sentence.text, 0, sentence.text.length).filter((figure) => isOfKind(quantity, figure));
  const isSaid = isPlainStatement(sentence) && (quantity.currency === undefined || isOwnShop(sentence));
  return figures.flatMap((figure, at) => {
    const from = Math.max(figures[at - 1]?.end ?? 0, figure.start - 80);
    const to = Math.min(figures[at + 1]?.start ?? sentence.text.length, figure.end + 60);
    const around = { before: sentence.text.slice(from, figure.start), after: sentence.text.slice(figure.end, to) };
    const how = judgeAttributeCertainty(quantity, sentence, figure, around);
    if (how === "no" || isOtherSubject(quantity, sentence, around)) return [];
    const isEqual = matchesFigure(quantity, figure);
    const isConditional = CONDITION_PATTERN.test(extractClause(around)) && !isSameCondition(quantity, around);
    const isPlain = figure.boundKind === undefined || quantity.currency === undefined;
    const isFar = !figure.isApproximate || !matchesFigure(quantity, figure, 3 * APPROXIMATE_TOLERANCE);
    return [
      {
        isEqual: isEqual && isPlain,
        isCertain:
          isSaid &&
          how === "surely" &&
          isPlain &&
          isFar &&
          !isConditional &&
          !matchesFigure(quantity, figure, ROUNDING_TOLERANCE),
      },
    ];
  });
}

/** On a product card, a price of another shop is not the maker's price. */
function isOwnShop({ shopName, text }: Sentence): boolean {
  if (shopName === undefined) return true;
  const [maker = ""] = text.split(" ");
  return maker !== "" && shopName.toLowerCase().startsWith(maker.toLowerCase());
}

interface FigureContext {
  before: string;
  after: string;
}

function isOfKind({ currency, of, unit, attribute }: WantedQuantity, figure: TextFigure): boolean {
  if (currency !== undefined)
    return figure.currency === currency || (figure.currency === "$" && ["USD", "CAD", "AUD"].includes(currency));
  if (unit === "count") return figure.word !== "" && attribute.toLowerCase().includes(figure.word.replace(/s$/, ""));
  if (figure.currency !== undefined) return false;
  return figure.unit ? figure.unit.dimension === of.dimension : of.dimension === `"${figure.word}"`;
}

/** Certainty that a figure belongs to the attribute, by nearby words, column head, or unit. */
function judgeAttributeCertainty(
  { attribute, words, currency, of }: WantedQuantity,
  { label }: Sentence,
  figure: TextFigure,
  around: FigureContext,
) {
  const side = findSideIndex(attribute);
  if (side !== undefined && figure.sideCount > 1 && figure.sideIndex !== side) return "no";
  if (side === undefined && figure.sideCount > 1) return "no";
  if (currency !== undefined)
    return /pric|cost|preis|prix|precio|msrp|価格/i.test(attribute) || matchesAttribute(around.before + label, words)
      ? "surely"
      : "no";
  const near = `${label} ${around.before} ${around.after}`;
  if (matchesAttribute(near, words)) return side === undefined || figure.sideCount > 1 ? "surely" : "perhaps";
  if (figure.sideCount === 3) return "perhaps";
  if (IMPLIED_ATTRIBUTES[of.dimension]?.test(attribute)) return "surely";
  return "no";
}

/** Index of an attribute in a product width × depth × height. */
function findSideIndex(attribute: string): number | undefined {
  if (/\b(?:width|length|breite|largeur|ancho)\b/i.test(attribute)) return 0;
  if (/\b(?:depth|tiefe|profondeur|fondo)\b/i.test(attribute)) return 1;
  return /\b(?:height|höhe|hauteur|altura)\b/i.test(attribute) ? 2 : undefined;
}

/** True for a figure about something else in the same words. */
function isOtherSubject(
  { attribute, currency }: WantedQuantity,
  { label }: Sentence,
  { before, after }: FigureContext,
): boolean {
  const near = `${before.slice(-30)} ${after.slice(0, 20)}`;
  if (DIFFERENCE_AFTER_PATTERN.test(after) || DIFFERENCE_BEFORE_PATTERN.test(before)) return true;
  if (currency !== undefined) return NO_PRICE_PATTERN.test(near);
  if (CHARGING_PATTERN.test(near + label) && !CHARGING_PATTERN.test(attribute)) return true;
  return OTHER_USE_PATTERN.test(near) && !OTHER_USE_PATTERN.test(attribute);
}

function extractClause({ before, after }: FigureContext): string {
  const from = Math.max(before.lastIndexOf(","), before.lastIndexOf(";"), before.lastIndexOf("—"), -1);
  const stop = after.search(/[;,—]|\.\s/);
  return `${before.slice(from + 1)} # ${stop === -1 ? after : after.slice(0, stop)}`;
}

/** True if the attribute has the same condition: "battery life with noise cancelling". */
function isSameCondition({ attribute, words }: WantedQuantity, { before, after }: FigureContext): boolean {
  return CONDITION_PATTERN.test(attribute) && matchesAttribute(before + after, words);
}

/** True if a figure equals the declared value after conversion, within rounding, range or bound. */
function matchesFigure(
  { amount, of, currency, unit }: WantedQuantity,
  figure: TextFigure,
  slack = figure.isApproximate ? APPROXIMATE_TOLERANCE : 0,
): boolean {
  const isCount = currency !== undefined || unit === "count";
  const factor = isCount ? 1 : (figure.unit?.factor ?? 1);
  const value = isCount ? amount : amount * of.factor;
  return figure.readings.some(({ low, high }) => {
    const rounding = Math.min(figure.tolerance * factor, Math.abs(value) * ROUNDING_TOLERANCE);
    const least = low * factor - rounding - Math.abs(value) * slack;
    const most = high * factor + rounding + Math.abs(value) * slack;
    const epsilon = 1e-9 * Math.abs(value);
    if (figure.boundKind === "least") return value >= least - epsilon;
    if (figure.boundKind === "most") return value <= most + epsilon;
    return value >= least - epsilon && value <= most + epsilon;
  });
}
