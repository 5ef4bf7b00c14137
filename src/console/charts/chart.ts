import { html, type Html } from "../../http/pages/html.ts";

/** Rendered on the server, without a script. */
export interface Chart {
  /** Prefix of element ids; unique on the page. */
  id: string;
  title: string;
  /** One or two sentences for screen readers. */
  description: string;
}

/** Size and margins in the drawing's units. */
export interface DrawingSize {
  name: "wide" | "narrow";
  width: number;
  height: number;
  top: number;
  right: number;
  bottom: number;
  left: number;
}

export function renderSvgDrawing({ id, title, description }: Chart, size: DrawingSize, content: readonly Html[]): Html {
  const suffix = `${id}-${size.name}`;
  return html`<svg
    class="chart-${size.name}"
    viewBox="0 0 ${size.width} ${size.height}"
    role="img"
    aria-labelledby="${suffix}-title ${suffix}-description"
  >
    <title id="${suffix}-title">${title}</title>
    <desc id="${suffix}-description">${description}</desc>
    ${content}
  </svg>`;
}

export function renderChartFigure(
  { id, title, description }: Chart,
  parts: { drawings: readonly Html[]; legend?: Html | undefined; notes?: Html | undefined; table: Html },
): Html {
  return html`<section class="panel" aria-labelledby="${id}">
    <div class="panel-head">
      <h2 id="${id}">${title}</h2>
      <p class="hint">${description}</p>
    </div>
    ${parts.legend} ${parts.drawings} ${parts.notes}
    <details class="behind">
      <summary>View as table</summary>
      ${parts.table}
    </details>
  </section>`;
}

/** Rounds to a tenth of a unit, which is below visible precision. */
export function roundCoordinate(coordinate: number): number {
  return Math.round(coordinate * 10) / 10;
}

/** Spaces labels by at least `gap`, each close to its position, in the input order. */
export function spreadLabels(
  positions: readonly number[],
  gap: number,
  [rangeStart, rangeEnd]: readonly [number, number],
): number[] {
  const order = positions.map((place, index) => ({ place, index })).toSorted((a, b) => a.place - b.place);
  let nextTop = rangeStart;
  for (const one of order) nextTop = (one.place = Math.max(one.place, nextTop)) + gap;
  let nextBottom = rangeEnd;
  for (const one of order.toReversed()) nextBottom = (one.place = Math.min(one.place, nextBottom)) - gap;
  const found = positions.map(() => 0);
  for (const { place, index } of order) found[index] = roundCoordinate(place);
  return found;
}
