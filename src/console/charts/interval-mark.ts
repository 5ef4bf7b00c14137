import { scaleLinear } from "d3-scale";
import { html, type Html } from "../../http/pages/html.ts";
import { rounded } from "./chart.ts";

/** Value and interval on a scale. The table cell also states both as text. */
export function intervalMark(
  value: number | null,
  {
    low,
    high,
    scale: [least, most],
  }: { low: number | null | undefined; high: number | null | undefined; scale: readonly [number, number] },
): Html | false {
  if (value === null) return false;
  const x = scaleLinear([least, most], [1, 99]).clamp(true);
  const middle = rounded(x((least + most) / 2));
  const hasInterval = low !== null && low !== undefined && high !== null && high !== undefined;
  const [from, to] = hasInterval ? [rounded(x(low)), rounded(x(high))] : [0, 0];
  return html`<svg
    class="interval-mark"
    viewBox="0 0 100 8"
    preserveAspectRatio="none"
    aria-hidden="true"
    focusable="false"
  >
    <rect class="scale" y="3.5" width="100" height="1" />
    <rect class="middle" x="${middle - 0.3}" y="0" width="0.6" height="8" />
    ${hasInterval && html`<rect class="range" x="${from}" y="2" width="${rounded(to - from)}" height="4" />`}
    <rect class="point" x="${rounded(x(value)) - 0.8}" y="0" width="1.6" height="8" />
  </svg>`;
}
