import { scaleLinear, scaleUtc } from "d3-scale";
import { area, line } from "d3-shape";
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

export interface LinePoint {
  value: number;
  low: number | null;
  high: number | null;
}

/** One optional point per axis position. A chart emphasises its first series. */
export interface LineSeries {
  name: string;
  points: readonly (LinePoint | null)[];
}

export interface LineChart extends Chart {
  axis: string;
  /** Positions on the axis, oldest first. `at` is in milliseconds; null unless known for all. */
  positions: readonly { name: string; label: string; at: number | null }[];
  series: readonly LineSeries[];
  /** Events at or before a position, numbered below the chart. */
  annotations: readonly { place: number; text: string }[];
  formatValue: (value: number) => string;
  maxValue: number;
}

const WIDE_SIZE: DrawingSize = { name: "wide", width: 880, height: 300, top: 16, right: 168, bottom: 28, left: 44 };
const NARROW_SIZE: DrawingSize = { name: "narrow", width: 340, height: 230, top: 16, right: 12, bottom: 26, left: 38 };
const MAX_LABEL_LENGTH = 18;
const MAX_NAME_LENGTH = 40;
const LINE_HEIGHT = 15;

/** Draws 95 % intervals as bands. */
export function renderLineChart(chart: LineChart): Html {
  return renderChartFigure(chart, {
    legend: renderLegend(chart),
    drawings: [WIDE_SIZE, NARROW_SIZE].map((size) => renderSvgDrawing(chart, size, drawChart(chart, size))),
    notes: renderNotes(chart),
    table: renderTable(chart),
  });
}

function renderLegend({ series }: LineChart): Html {
  return html`<ul class="legend">
    ${series.map(
      ({ name }, at) =>
        html`<li><span class="swatch swatch-${at}"></span><bdi>${shortened(name, MAX_NAME_LENGTH)}</bdi></li>`,
    )}
  </ul>`;
}

function renderNotes({ annotations }: LineChart): Html | undefined {
  if (annotations.length === 0) return undefined;
  return html`<ol class="marks">
    ${annotations.map(({ text }) => html`<li>${text}</li>`)}
  </ol>`;
}

function renderTable({ axis, positions, series, formatValue, title }: LineChart): Html {
  const cell = (point: LinePoint | null | undefined) =>
    point
      ? html`<td class="number">
          <data value="${point.value}">${formatValue(point.value)}</data>${renderInterval(point, formatValue)}
        </td>`
      : html`<td class="number"><span class="faint">–</span></td>`;
  return scrollTable({
    label: `${title}: all points`,
    columns: [axis, ...series.map(({ name }) => ({ number: shortened(name, MAX_NAME_LENGTH) }))],
    rows: positions.map(
      ({ name }, at) =>
        html`<tr>
          <th scope="row">${name}</th>
          ${series.map(({ points }) => cell(points[at]))}
        </tr>`,
    ),
  });
}

function renderInterval({ low, high }: LinePoint, written: (value: number) => string): Html | undefined {
  if (low === null || high === null) return undefined;
  return html`<small
    ><data value="${low}">${written(low)}</data> to <data value="${high}">${written(high)}</data></small
  >`;
}

function createScales({ positions: places, series, maxValue }: LineChart, size: DrawingSize) {
  const { width, height, top, right, bottom, left } = size;
  const times = places.map(({ at }) => at);
  const isTimed = times.every((at) => at !== null) && new Set(times).size === times.length;
  const positions = isTimed ? times.map(Number) : places.map((_, index) => index);
  const xRange = [left, width - right];
  const [first = 0, last = 0] = [positions[0], positions.at(-1)];
  // A single position is centred.
  const domain = first === last ? [first - 1, last + 1] : [first, last];
  const scale = isTimed ? scaleUtc(domain, xRange) : scaleLinear(domain, xRange);
  const values = series.flatMap(({ points }) => points.flatMap((point) => [point?.value ?? 0, point?.high ?? 0]));
  const highest = Math.min(maxValue, Math.max(...values, maxValue / 20));
  const y = scaleLinear([0, highest], [height - bottom, top]).nice(4);
  return { x: (place: number) => roundCoordinate(scale(positions[place] ?? 0)), y };
}

function drawChart(chart: LineChart, size: DrawingSize): Html[] {
  const { x: toX, y: toY } = createScales(chart, size);
  const isWide = size.name === "wide";
  return [
    ...renderValueAxis(chart, size, toY),
    ...renderPositionAxis(chart, size, toX),
    ...chart.annotations.map((mark, at) => renderAnnotationLine(toX(mark.place), at + 1, size)),
    // Draws the first series above all others.
    ...chart.series.map((series, at) => drawSeries(series, at, { chart, toX, toY })).toReversed(),
    ...(isWide ? renderEndLabels(chart, size, toY) : []),
  ];
}

function renderValueAxis(
  { formatValue }: LineChart,
  { width, right, left }: DrawingSize,
  y: (value: number) => number,
) {
  const ticks = (y as ReturnType<typeof scaleLinear<number, number>>).ticks(4);
  return ticks.map((tick) => {
    const at = roundCoordinate(y(tick));
    return html`<line class="grid-line" x1="${left}" x2="${width - right}" y1="${at}" y2="${at}" /><text
        class="tick"
        x="${left - 8}"
        y="${at + 4}"
        text-anchor="end"
        >${formatValue(tick).replace(/\.0+(?= |$)/, "")}</text
      >`;
  });
}

/** Shows as many labels as fit, always including the last. */
function renderPositionAxis(
  { positions }: LineChart,
  { height, name }: DrawingSize,
  x: (place: number) => number,
): Html[] {
  const step = Math.ceil(positions.length / (name === "wide" ? 8 : 4));
  return positions.flatMap(({ label }, at) =>
    (positions.length - 1 - at) % step === 0
      ? [
          html`<text
            class="tick"
            x="${x(at)}"
            y="${height - 6}"
            text-anchor="${at === positions.length - 1 && at > 0 && name === "narrow" ? "end" : "middle"}"
            >${label}</text
          >`,
        ]
      : [],
  );
}

function renderAnnotationLine(x: number, number: number, { top, height, bottom }: DrawingSize): Html {
  return html`<line class="mark-line" x1="${x}" x2="${x}" y1="${top}" y2="${height - bottom}" /><text
      class="mark-number"
      x="${x}"
      y="${top - 4}"
      text-anchor="middle"
      >${number}</text
    >`;
}

function drawSeries(
  { name, points }: LineSeries,
  at: number,
  { chart, toX, toY }: { chart: LineChart; toX: (place: number) => number; toY: (value: number) => number },
): Html {
  const known = points.map((point, place) => ({ point, place }));
  const band = area<(typeof known)[number]>()
    .digits(1)
    .defined(({ point }) => point?.low != null && point.high !== null)
    .x(({ place }) => toX(place))
    .y0(({ point }) => toY(point?.low ?? 0))
    .y1(({ point }) => toY(point?.high ?? 0))(known);
  const path = line<(typeof known)[number]>()
    .digits(1)
    .defined(({ point }) => point !== null)
    .x(({ place }) => toX(place))
    .y(({ point }) => toY(point?.value ?? 0))(known);
  return html`<g class="series series-${at}">
    ${band !== null && html`<path class="band" d="${band}" />`}
    ${path !== null && html`<path class="line" d="${path}" />`}
    ${known.map(({ point, place }) => point && renderDot(point, { x: toX(place), y: roundCoordinate(toY(point.value)) }, { chart, name, place }))}
  </g>`;
}

function renderDot(
  point: LinePoint,
  at: { x: number; y: number },
  { chart, name, place }: { chart: LineChart; name: string; place: number },
): Html {
  const { formatValue, positions } = chart;
  const { value, low, high } = point;
  const intervalText = low === null || high === null ? "" : ` (${formatValue(low)} to ${formatValue(high)})`;
  return html`<circle cx="${at.x}" cy="${at.y}" r="3">
    <title>${shortened(name, MAX_NAME_LENGTH)}, ${positions[place]?.name}: ${formatValue(value)}${intervalText}</title>
  </circle>`;
}

function renderEndLabels({ series, formatValue }: LineChart, size: DrawingSize, y: (value: number) => number): Html[] {
  const ends = series.flatMap(({ name, points }, at) => {
    const last = points.at(-1);
    return last ? [{ name, at, value: last.value }] : [];
  });
  const range = [size.top + 6, size.height - size.bottom] as const;
  const heights = spreadLabels(
    ends.map(({ value }) => y(value) + 4),
    LINE_HEIGHT,
    range,
  );
  return ends.map(
    ({ name, at, value }, index) =>
      html`<text class="end end-${at}" x="${size.width - size.right + 12}" y="${heights[index] ?? 0}"
        >${shortened(name, MAX_LABEL_LENGTH)} <tspan class="end-value">${formatValue(value)}</tspan></text
      >`,
  );
}
