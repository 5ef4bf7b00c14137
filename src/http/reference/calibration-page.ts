import {
  CALIBRATION,
  CALIBRATION_DIMENSIONS,
  toCalibrationMetric,
  type CalibrationCounts,
  type ShareWithInterval,
} from "../../../core/calibration/calibration.ts";
import { html, type Html } from "../pages/html.ts";
import { scrollTable } from "../pages/table.ts";
import type { Group } from "./operations.ts";
import { referencePage } from "./pages.ts";

const MEASURE_NAMES: Readonly<Record<CalibrationCounts["measure"], string>> = {
  presence: "Presence",
  rank: "Rank",
  named_in_prompt: "Named in the prompt",
  stance: "Stance",
  pros: "Pros",
  cons: "Cons",
};

const PART_NAMES = { held_out: "Held out", open: "Open" } as const;
const DIMENSION_NAMES = { all: "All", class: "By class", provider: "By provider", language: "By language" } as const;

export function renderCalibrationPage(groups: readonly Group[]): string {
  const { answers, pairs, labels_version, labels_hash, reading_version } = CALIBRATION;
  return referencePage(
    "Calibration",
    { groups, at: "calibration" },
    html` <h1>Accuracy of extraction</h1>
      <p class="lead">
        This build is measured against ${pairs} labelled pairs of a brand and a real answer, from ${answers} answers.
      </p>
      <dl class="meta">
        <div>
          <dt>Extraction rules</dt>
          <dd>${reading_version}</dd>
        </div>
        <div>
          <dt>Labels</dt>
          <dd>${String(labels_version)} (<code>${labels_hash}</code>)</dd>
        </div>
      </dl>
      <p>
        The pairs are hard on purpose: names in chips and shops, ordinary words, namesakes. Precision is therefore lower
        here than over usual answers. Two language models of one family labelled the pairs separately; people may agree
        less. All but one of the answers are in English, and most come from one assistant. Authors of rules may read the
        open half, never the held-out half. Brackets contain 95 % intervals. <code>GET /v1/calibration</code> returns
        the same values.
      </p>
      ${(["held_out", "open"] as const).map(renderPartSection)}`,
  );
}

function renderPartSection(part: CalibrationCounts["part"]): Html {
  return html`<section aria-labelledby="${part}">
    <h2 id="${part}">${PART_NAMES[part]}</h2>
    ${CALIBRATION_DIMENSIONS.map((dimension) => {
      const rows = CALIBRATION.figures.filter((row) => row.part === part && row.dimension === dimension);
      return html`<h3>${DIMENSION_NAMES[dimension]}</h3>
        ${scrollTable({
          label: `${PART_NAMES[part]}: ${DIMENSION_NAMES[dimension]}`,
          columns: [
            "Measure",
            "Group",
            { number: "Labels" },
            { number: "Right" },
            { number: "Precision" },
            { number: "Recall" },
          ],
          rows: rows.map(renderFigureRow),
        })}`;
    })}
  </section>`;
}

function renderFigureRow(row: CalibrationCounts): Html {
  const { measure, value, labelled, right, precision, recall } = toCalibrationMetric(row);
  return html`<tr>
    <th scope="row">${MEASURE_NAMES[measure]}</th>
    <td>${value.replaceAll("_", " ")}</td>
    <td class="number">${String(labelled)}</td>
    <td class="number">${String(right)}</td>
    <td class="number">${formatShare(precision)}</td>
    <td class="number">${formatShare(recall)}</td>
  </tr>`;
}

function formatShare(share: ShareWithInterval | null): string {
  if (!share) return "–";
  const [value, low, high] = [share.value, share.ci_low, share.ci_high].map((part) => (100 * part).toFixed(1));
  return `${value} % (${low} to ${high})`;
}
