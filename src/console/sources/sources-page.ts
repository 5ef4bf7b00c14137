import type { z } from "zod";
import type { listSources } from "../../../tools/sources/list-sources.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { renderInstant } from "../../http/pages/page.ts";
import { formatInteger, formatCount } from "../../../core/shared/format-count.ts";

type SourceRow = z.output<typeof listSources.output>["data"][number];

const STATE_LABELS: Readonly<Record<SourceRow["state"], readonly [words: string, mark: string]>> = {
  not_configured: ["Not configured", " badge-warn"],
  simulated: ["Simulated", ""],
  configured: ["Not asked yet", ""],
  answers: ["Answers", " badge-good"],
  failing: ["Failing", " badge-bad"],
};

export function renderSourcesPage(sources: readonly SourceRow[]): Html {
  const failing = sources.filter(({ state }) => state === "failing");
  return html` <h1>Source providers</h1>
    <p class="lead">
      Who answers each source, whether that works, and what it cost this organization since the first of the month, UTC.
      The operator of this service configures providers; their keys are never shown.
    </p>
    ${failing.length > 0 && renderRemediesSection(failing)}
    <section aria-labelledby="all">
      <h2 id="all">All sources</h2>
      ${scrollTable({
        label: "Sources with their state",
        columns: ["Source", "State", "Provider", { number: "Cost, US$" }],
        rows: sources.map(renderSourceRow),
      })}
      <p class="hint">
        The state is how the newest question of this organization ended. Answers of simulated sources are invented. The
        caps on spending are those of all organizations together.
      </p>
    </section>`;
}

function renderRemediesSection(failing: readonly SourceRow[]): Html {
  return html`<section aria-labelledby="to-do">
    <h2 id="to-do">What to do</h2>
    <ul>
      ${failing.map(
        ({ name, last_failure: failure }) =>
          failure && html`<li><strong>${name}</strong>: ${failure.message} ${failure.remedy}</li>`,
      )}
    </ul>
  </section>`;
}

function renderSourceRow(row: SourceRow): Html {
  const [words, mark] = STATE_LABELS[row.state];
  const { last_answer_at: answered, last_failure: failure } = row;
  return html`<tr>
    <th scope="row">${row.name} <small>${row.source}</small></th>
    <td>
      <span class="badge${mark}">${words}</span>
      ${answered !== null && html` <small>answered ${renderInstant(answered, "")}</small>`}
      ${failure && html` <small>failed ${renderInstant(failure.at, "")}: ${describeFailure(failure)}</small>`}
    </td>
    <td>
      ${row.provider ?? html`<span class="faint">none</span>`}
      ${
        row.limits &&
        html` <small>${[row.collection_method, row.model].filter(Boolean).join(", ")}</small>
          <small>${describeLimits(row.limits)}</small>`
      }
    </td>
    <td class="number">${renderCost(row)}</td>
  </tr>`;
}

function describeFailure({ kind, message }: NonNullable<SourceRow["last_failure"]>): string {
  return kind === null ? message : kind.replaceAll("_", " ");
}

function describeLimits(limits: NonNullable<SourceRow["limits"]>): string {
  const bounds = [
    [limits.concurrency, "at once"],
    [limits.requests_per_minute, "requests a minute"],
    [limits.tokens_per_minute, "tokens a minute"],
    [limits.usd_per_month, "US$ a month"],
    [limits.usd_per_day, "US$ a day"],
  ] as const;
  const shown = bounds.flatMap(([bound, of]) => (bound === null ? [] : [`${formatInteger(bound)} ${of}`]));
  return `At most ${shown.join(", ")}`;
}

function renderCost({ usd_this_month: usd, answers_this_month: answers, unpriced_this_month: unpriced }: SourceRow) {
  if (answers === 0) return html`<span class="faint">0</span>`;
  const priced = answers - unpriced;
  const unknown = unpriced === 0 ? "" : `, ${formatInteger(unpriced)} without a known price`;
  return html`${priced === 0 ? "not known" : usd.toFixed(2)}
    <small>${formatCount(answers, "answer")}${unknown}</small>`;
}
