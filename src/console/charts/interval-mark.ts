import { scaleLinear } from "d3-scale";
import { html, type Html } from "../../http/pages/html.ts";
import { roundCoordinate } from "./chart.ts";

/** The table cell also states value and interval as text. */
export function renderIntervalPlot(
  value: number | null,
  {
    low,
    high,
    scale: [minValue, maxValue],
  }: { low: number | null | undefined; high: number | null | undefined; scale: readonly [number, number] },
): Html | false {
  if (value === null) return false;
  const x = scaleLinear([minValue, maxValue], [1, 99]).clamp(true);
  const middle = roundCoordinate(x((minValue + maxValue) / 2));
  const hasInterval = low !== null && low !== undefined && high !== null && high !== undefined;
  const [from, to] = hasInterval ? [roundCoordinate(x(low)), roundCoordinate(x(high))] : [0, 0];
  return html`<svg
    class="interval-mark"
    viewBox="0 0 100 8"
    preserveAspectRatio="none"
    aria-hidden="true"
    focusable="false"
  >
    <rect class="scale" y="3.5" width="100" height="1" />
    <rect class="middle" x="${middle - 0.3}" y="0" width="0.6" height="8" />
    ${hasInterval && html`<rect class="range" x="${from}" y="2" width="${roundCoordinate(to - from)}" height="4" />`}
    <rect class="point" x="${roundCoordinate(x(value)) - 0.8}" y="0" width="1.6" height="8" />
  </svg>`;
}
