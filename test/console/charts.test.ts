import * as fc from "fast-check";
import { expect, test } from "vitest";
import { renderBarTable } from "../../src/console/charts/bar-table.ts";
import { spreadLabels } from "../../src/console/charts/chart.ts";
import { heatTable } from "../../src/console/charts/heat-table.ts";
import { renderLineChart, type LineChart, type LinePoint } from "../../src/console/charts/line-chart.ts";
import { renderSlopeChart } from "../../src/console/charts/slope-chart.ts";
import { html } from "../../src/http/pages/html.ts";
import { readMetricValues, readBodyRows } from "./demo-console.ts";

const DAY_MS = 86_400_000;
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const words = { id: "one", title: "Presence", description: "Share of answers." };
const share = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => Math.round(value * 1e6) / 1e6);
const point = fc
  .tuple(share, share, share)
  .map((values) => values.toSorted((a, b) => a - b))
  .map(([low = 0, value = 0, high = 0]): LinePoint => ({ value, low, high }));

function chartOf(series: readonly (readonly (LinePoint | null)[])[], names: readonly string[] = []): LineChart {
  const length = series[0]?.length ?? 0;
  return {
    ...words,
    axis: "Collect",
    positions: Array.from({ length }, (_, at) => ({ name: `${at + 1}`, label: `day ${at}`, at: at * 7 * DAY_MS })),
    series: series.map((points, at) => ({ name: names[at] ?? `Brand ${at}`, points })),
    annotations: [],
    formatValue: percent,
    maxValue: 1,
  };
}

function drawingsIn(markup: string): string[] {
  return markup.match(/<svg\s+class="chart-[\s\S]*?<\/svg>/g) ?? [];
}

/** Points of each line of a chart, in series order: position and title. */
function dotsIn(drawing: string) {
  const groups = [...drawing.matchAll(/<g class="series series-(\d)">([\s\S]*?)<\/g>/g)];
  return groups
    .toSorted(([, a], [, b]) => Number(a) - Number(b))
    .map(([, , inside = ""]) =>
      [...inside.matchAll(/cx="([^"]*)" cy="([^"]*)"[^>]*>\s*<title>([^<]*)</g)].map(([, x, y, title]) => {
        return { x: Number(x), y: Number(y), title: title ?? "" };
      }),
    );
}

test("a line chart equals its table, and each point is at its value", () => {
  const lines = fc.integer({ min: 1, max: 20 }).chain((length) =>
    fc.array(fc.array(fc.option(point, { freq: 6 }), { minLength: length, maxLength: length }), {
      minLength: 1,
      maxLength: 5,
    }),
  );
  fc.assert(
    fc.property(lines, (series) => {
      const { markup } = renderLineChart(chartOf(series));
      const [first = []] = series;
      const expected = first.map((_, at) =>
        series.flatMap((points) => {
          const one = points[at];
          return one ? [one.value, one.low, one.high] : [];
        }),
      );
      expect(readBodyRows(markup).map(readMetricValues)).toEqual(expected);
      for (const drawing of drawingsIn(markup)) {
        const dots = dotsIn(drawing);
        expect(dots.map((line) => line.map(({ title }) => title))).toEqual(
          series.map((points, line) =>
            points.flatMap((one, at) =>
              one
                ? [
                    `Brand ${line}, ${at + 1}: ${percent(one.value)} (${percent(one.low ?? 0)} to ${percent(one.high ?? 0)})`,
                  ]
                : [],
            ),
          ),
        );
        expectOneScale(dots, series);
      }
    }),
    { numRuns: 60, seed: 20_261_123 },
  );
});

/** Heights are linear in the values, and positions ascend with time. */
function expectOneScale(dots: ReturnType<typeof dotsIn>, series: readonly (readonly (LinePoint | null)[])[]): void {
  const pairs = dots.flatMap((line, at) => {
    const values = (series[at] ?? []).flatMap((one) => (one ? [one.value] : []));
    return line.map(({ y }, index) => ({ y, value: values[index] ?? 0 }));
  });
  const [low, high] = [pairs.toSorted((a, b) => a.value - b.value)[0], pairs.toSorted((a, b) => b.value - a.value)[0]];
  if (!low || !high || high.value - low.value < 0.05) return;
  const slope = (high.y - low.y) / (high.value - low.value);
  expect(slope).toBeLessThan(0);
  for (const { y, value } of pairs) expect(Math.abs(low.y + slope * (value - low.value) - y)).toBeLessThan(0.5);
  for (const line of dots) expect(line.map(({ x }) => x)).toEqual(line.map(({ x }) => x).toSorted((a, b) => a - b));
}

test("a slope chart equals its table", () => {
  const slopes = [
    { name: "ChatGPT", before: 0.25, after: 0.5 },
    { name: "Claude", before: 0.5, after: 0.125 },
    { name: "Gemini", before: 0.25, after: 0.25 },
  ];
  const { markup } = renderSlopeChart({ ...words, sideLabels: ["Run 1", "Run 2"], slopes, formatValue: percent });
  expect(readBodyRows(markup).map(readMetricValues)).toEqual(slopes.map(({ before, after }) => [before, after]));
  const [drawing = ""] = drawingsIn(markup);
  const drawn = [...drawing.matchAll(/class="slope (slope-\w+)">[\s\S]*?y1="([^"]*)" y2="([^"]*)"/g)];
  // 0.5 is drawn at 28, 0.125 at 288.
  expect(drawn.map(([, tone, from, to]) => [tone, Number(from), Number(to)])).toEqual([
    ["slope-up", 201.3, 28],
    ["slope-down", 28, 288],
    ["slope-level", 201.3, 201.3],
  ]);
  const ends = [...drawing.matchAll(/y="([^"]*)" text-anchor="end"\s*>([^<]*)</g)].map(([, y, text]) => [
    text,
    Number(y),
  ]);
  expect(ends).toEqual([
    ["Run 1", 14],
    ["25.0 %", 205.3],
    ["50.0 %", 32],
  ]);
});

test("cells darken and bars lengthen with their value, and show the number", () => {
  const values = [0, 0.1, 0.25, 0.5, 0.75, 1];
  const cells = [...values.map((value) => ({ value, counts: "1 of 2 answers", href: "/answers?x=1&y=2" })), null];
  const heat = heatTable({
    label: "Heat",
    rowHeader: "Brand",
    columns: cells.map((_, at) => `Source ${at}`),
    rows: [{ name: "Own", isOwn: true, cells }],
    formatValue: percent,
  }).markup;
  expect(readMetricValues(heat)).toEqual(values);
  expect([...heat.matchAll(/heat-(\d)"/g)].map(([, shade]) => Number(shade))).toEqual([0, 0, 1, 3, 4, 5]);
  expect(heat.match(/href="\/answers\?x=1&#38;y=2"/g)?.length).toBe(6);
  const bars = [0.2, 0.1].map((value) => ({ name: html`a site`, value, note: "2 answers", isOwn: false }));
  const bar = renderBarTable({ label: "Sites", headers: ["Site", "Share"], bars, formatValue: percent }).markup;
  expect(readMetricValues(bar)).toEqual([0.2, 0.1]);
  expect([...bar.matchAll(/<rect width="([^"]*)"/g)].map(([, width]) => Number(width))).toEqual([100, 50]);
});

test("labels at line ends do not overlap, keep their order, and stay inside", () => {
  const places = fc.array(fc.double({ min: 0, max: 250, noNaN: true }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(places, (given) => {
      const found = spreadLabels(given, 15, [10, 260]);
      const sorted = found.toSorted((a, b) => a - b);
      const gaps = sorted.slice(1).map((place, at) => place - (sorted[at] ?? 0));
      expect([Math.min(...sorted) >= 10, Math.max(...sorted) <= 260, gaps.every((gap) => gap >= 14.9)]).toEqual([
        true,
        true,
        true,
      ]);
      const order = given.map((_, at) => at).toSorted((a, b) => (given[a] ?? 0) - (given[b] ?? 0));
      expect(order.map((at) => found[at])).toEqual(sorted);
    }),
    { seed: 20_261_123 },
  );
});

test("the largest chart is under 20 kB a drawing; names of any length and kind change no markup", () => {
  // Attack: a brand name with markup, bidirectional characters, or excessive length.
  const hostile = ["<script>alert(1)</script>", '"><img src=x>', "\u202Egnp.exe", "x".repeat(10_000), "עברית‎"];
  const points = Array.from({ length: 20 }, (_, at) => ({ value: at / 40, low: at / 80, high: at / 20 }));
  const { markup } = renderLineChart(
    chartOf(
      hostile.map(() => points),
      hostile,
    ),
  );
  const drawings = drawingsIn(markup);
  expect(drawings.length).toBe(2);
  for (const drawing of drawings) expect(drawing.length).toBeLessThan(20_000);
  expect(markup).not.toMatch(/<script|<img|\u202E|x{41}| style=/);
  expect(markup).toContain("&#60;script&#62;");
});
