import type { MetricPresentation } from "../../../../core/metrics/metric-fields.ts";
import type { Fields } from "../mcp-context.ts";
import { formatNumber, stringifyRounded } from "./number-text.ts";
import { isFields, isRows } from "./shown-fields.ts";

export interface FieldFacts {
  outside: ReadonlySet<string>;
  figures: FigureContext;
}

export function formatTable(
  columns: readonly string[],
  rows: readonly Fields[],
  facts: FieldFacts,
  path: string,
): string {
  const figures = new Map(
    columns.map((name) => [name, buildFigureColumn(name, { columns, rows, path }, facts.figures)]),
  );
  const mergedColumns = new Set([...figures.values()].flatMap((figure) => figure?.mergedColumns ?? []));
  const cells = columns
    .filter((name) => !mergedColumns.has(name))
    .map((name) => {
      const isOutside = facts.outside.has(`${path}.${name}`);
      const figure = figures.get(name);
      return {
        header: figure?.header ?? formatFieldName(name),
        text: figure
          ? (row: Fields) => figure.renderCell(row)
          : (row: Fields) => formatCell(row[name], name, isOutside),
      };
    });
  const lines = rows.map((row) => cells.map(({ text }) => text(row)).join(" | "));
  return [cells.map(({ header }) => header).join(" | "), ...lines].join("\n");
}

export function formatObject(value: Fields, facts: FieldFacts, prefix = ""): string {
  const lines: string[] = [];
  for (const [key, inner] of Object.entries(value)) {
    const path = prefix + key;
    const name = prefix + formatFieldName(key);
    if (isRows(inner)) lines.push(`${name} (${inner.length}):`, formatTable(listColumns(inner), inner, facts, path));
    else if (isFields(inner)) {
      const below = formatObject(inner, facts, `${name}.`);
      if (below !== "") lines.push(below);
    } else lines.push(`${name}: ${formatCell(inner, key, facts.outside.has(path))}`);
  }
  return lines.join("\n");
}

/**
 * Value on one line that cannot be confused with another cell, line or empty value (`-`). Untrusted
 * text is always quoted, other text only if ambiguous, such as `Note: …`.
 */
function formatCell(value: unknown, name = "", isOutside = false): string {
  if (value === null || value === undefined) return "-";
  if (typeof value === "string" && !isOutside && !AMBIGUOUS_TEXT_PATTERN.test(value)) return value;
  return stringifyRounded(value, name).replaceAll(/[\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16)}`);
}

function formatFieldName(name: string): string {
  return /^[\w$]+$/.test(name) ? name : formatCell(name, "", true);
}

const AMBIGUOUS_TEXT_PATTERN = /[\n\r\t\u2028\u2029|"]|:\s|:$|^\s|\s$|^-?$/;

function listColumns(rows: readonly Fields[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

interface FigureContext {
  words: ReadonlyMap<string, MetricPresentation>;
  siblings: Fields;
}

interface FigureColumn {
  header: string;
  mergedColumns: readonly string[];
  renderCell(row: Fields): string;
}

interface TableShape {
  columns: readonly string[];
  rows: readonly Fields[];
  path: string;
}

interface CellPart {
  headerText: string;
  mergedColumns: readonly string[];
  text(row: Fields): string | undefined;
}

/** Column of a metric; undefined for other fields. */
function buildFigureColumn(name: string, table: TableShape, figures: FigureContext): FigureColumn | undefined {
  const words = figures.words.get(`${table.path}.${name}`);
  if (!words) return undefined;
  const isRateMetric = (metric: string) => figures.words.get(`${table.path}.${metric}`)?.kind !== "mean";
  if (words.kind === "gap") {
    const isRate = isRateMetric(String(figures.siblings["figure"]));
    return { header: name, mergedColumns: [], renderCell: (row) => formatGap(row[name], isRate) };
  }
  if (words.kind === "change") {
    // Takes the metric of a change by its name: `sentiment_change` belongs to `sentiment`.
    const figure = name === "change" ? String(figures.siblings["figure"]) : name.replace(/_change$/, "");
    return buildChangeColumn(name, table.rows, isRateMetric(figure));
  }
  const isRate = words.kind === "figure" ? isRateMetric(String(figures.siblings["figure"])) : words.kind === "rate";
  const interval = buildIntervalPart(name, words, table, figures);
  const parts = [buildCountsPart(words, table, figures.siblings), interval].filter((part) => part !== undefined);
  return {
    header: parts.length === 0 ? name : `${name} (${parts.map(({ headerText }) => headerText).join(", ")})`,
    mergedColumns: parts.flatMap(({ mergedColumns: counts }) => counts),
    renderCell(row) {
      const more = parts.flatMap((part) => part.text(row) ?? []);
      const figure = formatFigure(row[name], isRate, interval?.ends(row));
      return more.length === 0 ? figure : `${figure} (${more.join(", ")})`;
    },
  };
}

/** Counts in words: `39 of 182 answers to 61 prompts`. */
function buildCountsPart({ of }: MetricPresentation, { columns }: TableShape, siblings: Fields): CellPart | undefined {
  if (!of || !columns.includes(of.count) || !(columns.includes(of.total) || of.total in siblings)) return undefined;
  const { count, total, noun } = of;
  const prompts = of.prompts !== undefined && columns.includes(of.prompts) ? of.prompts : undefined;
  return {
    headerText: `${count} of ${total}${prompts === undefined ? "" : ` to ${prompts}`}`,
    mergedColumns: [count, total, ...(prompts === undefined ? [] : [prompts])],
    text(row) {
      const all = row[total] ?? siblings[total];
      if (typeof row[count] !== "number" || typeof all !== "number") return undefined;
      const asked = prompts === undefined ? "" : ` to ${formatFigure(row[prompts], false)} prompts`;
      return `${row[count]} of ${all} ${noun}${asked}`;
    },
  };
}

interface IntervalPart extends CellPart {
  ends(row: Fields): Interval;
}

type Interval = readonly [low: unknown, high: unknown];

function buildIntervalPart(
  name: string,
  words: MetricPresentation,
  { columns, path }: TableShape,
  figures: FigureContext,
): IntervalPart | undefined {
  if (!words.interval || !words.interval.every((end) => columns.includes(end))) return undefined;
  const [low, high] = words.interval;
  const figure = String(figures.siblings["figure"]);
  const named = figures.words.get(`${path}.${figure}`)?.interval;
  if (named?.[0] === low && figure !== name) return undefined;
  const isRate = words.kind === "rate";
  const ends = (row: Fields) => [row[low], row[high]] as const;
  return {
    headerText: `${low} to ${high}`,
    mergedColumns: [low, high],
    ends,
    text(row) {
      const text = formatInterval(ends(row), isRate);
      return text && (isRate ? `${text} %` : text);
    },
  };
}

/** Number in its unit, percent for a rate. */
function formatValue(value: number, isRate: boolean, interval: Interval = [null, null]): string {
  const scale = (one: unknown) => (isRate && typeof one === "number" ? toPercent(one) : one);
  return formatNumber(isRate ? toPercent(value) : value, interval.map(scale));
}

function formatFigure(value: unknown, isRate: boolean, interval?: Interval): string {
  if (typeof value !== "number") return "-";
  return `${formatValue(value, isRate, interval)}${isRate ? " %" : ""}`;
}

function formatInterval(interval: Interval, isRate: boolean): string | undefined {
  const ends = interval.filter((end) => typeof end === "number").map((end) => formatValue(end, isRate, interval));
  return ends.length === 2 ? ends.join(" to ") : undefined;
}

/** The header has the comparison if it is the same in all rows. */
function buildChangeColumn(name: string, rows: readonly Fields[], isRate: boolean): FigureColumn {
  const [first, ...others] = new Set(rows.map((row) => formatComparison(row[name])));
  const isShared = rows.length > 1 && others.length === 0 && first !== "";
  return {
    header: isShared ? `${name} (${first})` : name,
    mergedColumns: [],
    renderCell(row) {
      const verdict = formatVerdict(row[name], isRate);
      const comparison = formatComparison(row[name]);
      return isShared || comparison === "" ? verdict : `${verdict}; ${comparison}`;
    },
  };
}

/** `+6 points (before 15 %, after 21 %; 1 to 11, p 0.02): first_sign` */
function formatVerdict(change: unknown, isRate: boolean): string {
  if (!isFields(change)) return "-";
  const words = [formatDelta(change, isRate), change["verdict"]].filter((one) => typeof one === "string").join(": ");
  return words === "" ? "-" : words;
}

/** `against run 5; 61 common cells, left out 3 one_side_only`; empty without a change. */
function formatComparison(change: unknown): string {
  if (!isFields(change)) return "";
  const { cells, left_out: leftOut, baseline } = change;
  const reasons = Object.entries((leftOut ?? {}) as Fields).filter(([, count]) => count !== 0);
  const left = reasons.map(([reason, count]) => `${String(count)} ${reason}`).join(", ");
  return `against ${formatCell(baseline)}; ${String(cells)} common cells, left out ${left === "" ? "0" : left}`;
}

/** `+6 points on Acme (15 %; 1 to 11, p 0.02): ahead; 182 answers to 61 prompts` */
function formatGap(value: unknown, isRate: boolean): string {
  if (typeof value !== "object" || value === null) return "-";
  const { versus, versus_value: other, gap, verdict, n, prompts, ...test } = value as Fields;
  const sides = `on ${formatCell(versus)} (${formatFigure(other, isRate, listEnds(test))}`;
  const [points, sure] = [formatPoints(gap, isRate, listEnds(test)), formatTest(test, isRate)];
  const words = points === undefined ? `${sides})` : `${points} ${sides}${sure})`;
  return `${words}: ${String(verdict)}; ${String(n)} answers to ${String(prompts)} prompts`;
}

function formatDelta({ before, after, delta, ...test }: Fields, isRate: boolean) {
  const ends = listEnds(test);
  const points = formatPoints(delta, isRate, ends);
  const sides = `before ${formatFigure(before, isRate, ends)}, after ${formatFigure(after, isRate, ends)}`;
  return points && `${points} (${sides}${formatTest(test, isRate)})`;
}

function listEnds({ ci_low: low, ci_high: high }: Fields): Interval {
  return [low, high];
}

function formatPoints(delta: unknown, isRate: boolean, interval: Interval): string | undefined {
  if (typeof delta !== "number") return undefined;
  const points = formatValue(delta, isRate, interval);
  return `${Number(points) > 0 ? "+" : ""}${points} points`;
}

function formatTest(test: Fields, isRate: boolean): string {
  const interval = formatInterval(listEnds(test), isRate);
  const p = Number(test["p"]);
  return interval === undefined ? "" : `; ${interval}, p ${p > 0 && p < 1e-6 ? "< 0.000001" : formatNumber(p)}`;
}

function toPercent(value: number): number {
  return Number((value * 100).toPrecision(12));
}
