import { scaleLinear } from "d3-scale";
import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import {
  renderChartFigure,
  renderSvgDrawing,
  roundCoordinate,
  spreadLabels,
  type Chart,
  type DrawingSize,
} from "./chart.ts";
import { shortened } from "../../http/pages/truncate-text.ts";

interface ChartSlope {
  name: string;
  before: number;
  after: number;
}

export interface SlopeChart extends Chart {
  sideLabels: readonly [before: string, after: string];
  slopes: readonly ChartSlope[];
  formatValue: (value: number) => string;
}

const SLOPE_CHART_SIZE: DrawingSize = {
  name: "narrow",
  width: 400,
  height: 300,
  top: 28,
  right: 172,
  bottom: 12,
  left: 64,
};
const MAX_NAME_LENGTH = 40;
const MAX_LABEL_LENGTH = 20;
const LINE_HEIGHT = 15;

export function renderSlopeChart(chart: SlopeChart): Html {
  return renderChartFigure(chart, {
    drawings: [renderSvgDrawing(chart, SLOPE_CHART_SIZE, drawSlopes(chart))],
    table: renderTable(chart),
  });
}

function renderTable({ title, sideLabels, slopes, formatValue }: SlopeChart): Html {
  const cell = (value: number) => html`<td class="number"><data value="${value}">${formatValue(value)}</data></td>`;
  return scrollTable({
    label: `${title}: all figures`,
    columns: ["Name", ...sideLabels.map((number) => ({ number }))],
    rows: slopes.map(
      ({ name, before, after }) =>
        html`<tr>
          <th scope="row"><bdi>${shortened(name, MAX_NAME_LENGTH)}</bdi></th>
          ${cell(before)} ${cell(after)}
        </tr>`,
    ),
  });
}

function drawSlopes({ sideLabels, slopes, formatValue }: SlopeChart): Html[] {
  const { width, height, top, right, bottom, left } = SLOPE_CHART_SIZE;
  const [from, to] = [left, width - right];
  const values = slopes.flatMap(({ before, after }) => [before, after]);
  const y = scaleLinear([Math.min(...values), Math.max(...values)], [height - bottom, top]);
  const range = [top, height - bottom] as const;
  const labels = (sideValues: readonly number[]) =>
    spreadLabels(
      sideValues.map((value) => y(value) + 4),
      LINE_HEIGHT,
      range,
    );
  // The left side shows each distinct value once.
  const firsts = [...new Map(slopes.map(({ before }) => [formatValue(before), before])).values()];
  const [lefts, rights] = [labels(firsts), labels(slopes.map(({ after }) => after))];
  return [
    html`<text class="tick" x="${from}" y="14" text-anchor="end">${sideLabels[0]}</text>`,
    html`<text class="tick" x="${to}" y="14">${sideLabels[1]}</text>`,
    ...firsts.map(
      (before, at) => html`<text x="${from - 4}" y="${lefts[at] ?? 0}" text-anchor="end">${formatValue(before)}</text>`,
    ),
    ...slopes.map(({ name, before, after }, at) => {
      const [start, end] = [roundCoordinate(y(before)), roundCoordinate(y(after))];
      return html`<g class="slope ${toSlopeClass(before, after)}">
        <line x1="${from + 6}" x2="${to - 6}" y1="${start}" y2="${end}" />
        <circle cx="${from + 6}" cy="${start}" r="3" /><circle cx="${to - 6}" cy="${end}" r="3" />
        <text x="${to + 4}" y="${rights[at] ?? 0}">${formatValue(after)} ${shortened(name, MAX_LABEL_LENGTH)}</text>
      </g>`;
    }),
  ];
}

function toSlopeClass(before: number, after: number): string {
  if (before === after) return "slope-level";
  return after > before ? "slope-up" : "slope-down";
}
