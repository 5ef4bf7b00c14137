import { removeInvisible } from "../../../core/shared/fields.ts";
import { SOURCE_NAMES, SOURCES } from "../../../core/sources/sources.ts";
import { getAnalysisKind } from "../../../tools/analyses/kinds/kinds.ts";
import { powerLines } from "../../../tools/analyses/setup/power.ts";
import { NEW_TYPES } from "./steps.ts";
import { stepAddress, type StepView } from "./wizard.ts";
import { fieldValue } from "./draft-setup.ts";
import type { ShownQuote } from "./drafts.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { postForm } from "../../http/pages/post-form.ts";
import { renderInstant } from "../../http/pages/page.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { analysisAddress } from "../shared/page-addresses.ts";
import { formatInteger, formatCount } from "../../../core/shared/format-count.ts";

export function renderPriceSection(view: StepView): Html {
  const { draft, type, ids, now } = view;
  const { quote, made } = draft;
  if (!quote) return html``;
  const { cost, presentation, power } = quote;
  const [powerSentence = ""] = powerLines(getAnalysisKind(NEW_TYPES[type]), power);
  const isOver = quote.expires_at <= now;
  return html`${
      made !== null &&
      html`<p class="done" role="status">
        The analysis was created. <a href="${analysisAddress(ids, made)}">View the analysis</a>
      </p>`
    }
    <dl class="figures price">
      ${renderPriceCard("Cost", formatCount(cost.total_credits, "credit"), `${formatCount(cost.per_collect, "credit")} x ${formatCount(cost.collects_planned, "run")}`)}
      ${renderPriceCard("Credits available", formatInteger(quote.balance.available), `${formatInteger(quote.balance.after)} after this`)}
      ${renderPriceCard("Providers charge", formatProviderCost(cost.estimated_provider_cost_usd), formatSpendCap(fieldValue(draft, "max_spend")))}
    </dl>
    ${renderSourcesWarning(quote)} ${powerSentence !== "" && html`<p>${powerSentence}</p>`}
    ${renderCostBreakdown(quote)}
    <details>
      <summary>The whole setup</summary>
      <pre class="setup" tabindex="0">${removeInvisible(presentation)}</pre>
    </details>
    ${made === null && (isOver || view.problem !== undefined ? renderRenewForm(view, isOver) : renderDecisionForm(view, quote))}`;
}

function renderPriceCard(name: string, value: string, below: string): Html {
  return html`<div class="figure-card">
    <dt>${name}</dt>
    <dd class="figure-value">${value}</dd>
    <dd class="figure-interval">${below}</dd>
  </div>`;
}

function formatProviderCost(usd: number | null): string {
  if (usd === null) return "not known";
  return usd > 0 && usd < 0.01 ? "under $0.01" : `$${usd.toFixed(2)}`;
}

function formatSpendCap(cap: string): string {
  return cap === "" ? "no spend cap" : `at most $${cap} in total`;
}

function joinSourceNames(sources: ShownQuote["sources"]): string {
  return sources.map(({ name }) => name).join(", ");
}

function renderSourcesWarning({ sources }: ShownQuote): Html | undefined {
  const simulated = sources.filter(({ collection_method: method }) => method === "simulated");
  const missing = sources.filter(({ collection_method: method }) => method === null);
  if (simulated.length + missing.length === 0) return undefined;
  return html`<p class="caution">
    ${simulated.length > 0 && `Simulated, with invented answers: ${joinSourceNames(simulated)}.`}
    ${missing.length > 0 && `Not configured, so these fail and cost nothing: ${joinSourceNames(missing)}.`}
  </p>`;
}

function replaceSourceCode(what: string): string {
  const source = SOURCES.find((one) => what.startsWith(`${one}:`) || what.startsWith(`${one} by `));
  return source === undefined ? what : SOURCE_NAMES[source] + what.slice(source.length);
}

function renderCostBreakdown({ cost }: ShownQuote): Html {
  return scrollTable({
    label: "Cost of one run",
    className: "fitted",
    columns: ["One run", { number: "Quantity" }, { number: "Credits each" }, { number: "Credits" }],
    rows: cost.breakdown.map(
      ({ what, quantity, unit_credits: unit, credits, questions }) =>
        html`<tr>
          <th scope="row">
            ${replaceSourceCode(what)}
            ${questions !== undefined && html`<small>${formatCount(questions, "answer")}</small>`}
          </th>
          <td class="number">${formatInteger(quantity)}</td>
          <td class="number">${formatInteger(unit)}</td>
          <td class="number">${formatInteger(credits)}</td>
        </tr>`,
    ),
  });
}

function renderDecisionForm(view: StepView, { quote_id: id, cost, expires_at: end, balance }: ShownQuote): Html {
  if (balance.after < 0) {
    return html`<p class="caution">
        This costs more credits than are available. Go back and reduce it, or ask an owner for more credits.
      </p>
      ${renderBackForm(view)}`;
  }
  return html`${postForm(
      { action: stepAddress(view, "price"), className: "row-actions", hidden: { quote_id: id } },
      html`<button class="primary">Start analysis: ${formatCount(cost.total_credits, "credit")}</button>
        <button class="secondary" name="go" value="back">Back</button>`,
    )}
    <p class="hint">
      The credits are reserved now and spent for each answer that arrives. The price holds until
      ${renderInstant(end, "")}.
    </p>`;
}

function renderRenewForm(view: StepView, isOver: boolean): Html {
  return html`${
    isOver &&
    html`<p class="caution" role="status">This price is more than 15 minutes old. Nothing was created or spent.</p>`
  }
  ${renderBackForm(view, html`<button class="primary" name="go" value="again">Show the price again</button>`)}`;
}

function renderBackForm(view: StepView, more?: Html): Html {
  return postForm(
    { action: stepAddress(view, "price"), className: "row-actions" },
    html`${more}<button class="secondary" name="go" value="back">Back</button>`,
  );
}
