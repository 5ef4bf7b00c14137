import { html, type Html } from "../../http/pages/html.ts";

/** A chart of a page, drawn on the server, so that it needs no script. */
export interface Chart {
  /** Begins the ids of its parts: one on each page. */
  id: string;
  title: string;
  /** What it shows, in a sentence or two, for who does not see it. */
  description: string;
}

/** How large a drawing is, in its own units, and the room around its plot. */
export interface Size {
  name: "wide" | "narrow";
  width: number;
  height: number;
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** One drawing of a chart, with its title and description for screen readers. */
export function drawing({ id, title, description }: Chart, size: Size, content: readonly Html[]): Html {
  const of = `${id}-${size.name}`;
  return html`<svg
    class="chart-${size.name}"
    viewBox="0 0 ${size.width} ${size.height}"
    role="img"
    aria-labelledby="${of}-title ${of}-description"
  >
    <title id="${of}-title">${title}</title>
    <desc id="${of}-description">${description}</desc>
    ${content}
  </svg>`;
}

/** A chart with its heading, and behind it the table of all that it draws. */
export function chartFigure(
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
      <summary>Table of this chart</summary>
      ${parts.table}
    </details>
  </section>`;
}

/** A coordinate of a drawing: a tenth of its unit is less than is seen. */
export function rounded(coordinate: number): number {
  return Math.round(coordinate * 10) / 10;
}

/** Labels one under the other with room between them, each as near to its place as that leaves; in the order given. */
export function spread(places: readonly number[], gap: number, [least, most]: readonly [number, number]): number[] {
  const order = places.map((place, index) => ({ place, index })).toSorted((a, b) => a.place - b.place);
  let free = least;
  for (const one of order) free = (one.place = Math.max(one.place, free)) + gap;
  let below = most;
  for (const one of order.toReversed()) below = (one.place = Math.min(one.place, below)) - gap;
  const found = places.map(() => 0);
  for (const { place, index } of order) found[index] = rounded(place);
  return found;
}
