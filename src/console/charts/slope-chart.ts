import { scaleLinear } from "d3-scale";
import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { chartFigure, drawing, rounded, spread, type Chart, type Size } from "./chart.ts";
import { shortened } from "../../http/pages/shortened.ts";

interface Slope {
  name: string;
  before: number;
  after: number;
}

export interface SlopeChart extends Chart {
  sides: readonly [before: string, after: string];
  slopes: readonly Slope[];
  /** Formats a value, such as `46.2 %`. */
  written: (value: number) => string;
}

const SIZE: Size = { name: "narrow", width: 400, height: 300, top: 28, right: 172, bottom: 12, left: 64 };
const NAME = 40;
const LABEL = 20;
const LINE_HEIGHT = 15;

/** Shows values before and after, with names at the line ends. */
export function slopeChart(chart: SlopeChart): Html {
  return chartFigure(chart, { drawings: [drawing(chart, SIZE, drawn(chart))], table: table(chart) });
}

function table({ title, sides, slopes, written }: SlopeChart): Html {
  const cell = (value: number) => html`<td class="number"><data value="${value}">${written(value)}</data></td>`;
  return scrollTable({
    label: `${title}: all figures`,
    columns: ["Name", ...sides.map((number) => ({ number }))],
    rows: slopes.map(
      ({ name, before, after }) =>
        html`<tr>
          <th scope="row"><bdi>${shortened(name, NAME)}</bdi></th>
          ${cell(before)} ${cell(after)}
        </tr>`,
    ),
  });
}

function drawn({ sides, slopes, written }: SlopeChart): Html[] {
  const { width, height, top, right, bottom, left } = SIZE;
  const [from, to] = [left, width - right];
  const values = slopes.flatMap(({ before, after }) => [before, after]);
  const y = scaleLinear([Math.min(...values), Math.max(...values)], [height - bottom, top]);
  const range = [top, height - bottom] as const;
  const labels = (sideValues: readonly number[]) =>
    spread(
      sideValues.map((value) => y(value) + 4),
      LINE_HEIGHT,
      range,
    );
  // The left side shows each distinct value once.
  const firsts = [...new Map(slopes.map(({ before }) => [written(before), before])).values()];
  const [lefts, rights] = [labels(firsts), labels(slopes.map(({ after }) => after))];
  return [
    html`<text class="tick" x="${from}" y="14" text-anchor="end">${sides[0]}</text>`,
    html`<text class="tick" x="${to}" y="14">${sides[1]}</text>`,
    ...firsts.map(
      (before, at) => html`<text x="${from - 4}" y="${lefts[at] ?? 0}" text-anchor="end">${written(before)}</text>`,
    ),
    ...slopes.map(({ name, before, after }, at) => {
      const [start, end] = [rounded(y(before)), rounded(y(after))];
      return html`<g class="slope ${slopeClass(before, after)}">
        <line x1="${from + 6}" x2="${to - 6}" y1="${start}" y2="${end}" />
        <circle cx="${from + 6}" cy="${start}" r="3" /><circle cx="${to - 6}" cy="${end}" r="3" />
        <text x="${to + 4}" y="${rights[at] ?? 0}">${written(after)} ${shortened(name, LABEL)}</text>
      </g>`;
    }),
  ];
}

function slopeClass(before: number, after: number): string {
  if (before === after) return "slope-level";
  return after > before ? "slope-up" : "slope-down";
}
