import type { z } from "zod";
import type { getCatalogReading } from "../../../tools/brands/get-catalog-reading.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { alertBox } from "../../http/pages/page.ts";
import { formatInteger, formatCount } from "../../../core/shared/format-count.ts";

/** Progress of re-extraction after a catalog change. */
export function renderRereadingProgress(reading: z.output<typeof getCatalogReading.output>): Html | undefined {
  const { status, answers_done: done, answers_total: all, reason } = reading;
  if (status === "idle") return undefined;
  if (status === "failed") return alertBox(`Past answers could not be re-processed. ${reason ?? ""}`);
  return html`<section class="panel" aria-labelledby="reading">
    <h2 id="reading">Past answers are being re-processed</h2>
    <progress max="${Math.max(1, all)}" value="${done}" aria-labelledby="reading"></progress>
    <p class="hint">
      ${formatInteger(done)} of ${formatCount(all, "answer")}. Figures change until then.
      <a href="">Reload</a>
    </p>
  </section>`;
}
