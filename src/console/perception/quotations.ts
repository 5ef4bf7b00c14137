import { SOURCE_NAMES, type Source } from "../../../core/sources/sources.ts";
import { shortened } from "../../http/pages/truncate-text.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { answerAddress } from "../shared/page-addresses.ts";
import type { MetricsView } from "../shared/filters.ts";

const MAX_QUOTATION_LENGTH = 300;

interface AnswerQuotation {
  answer_id: string;
  source: Source;
  text: string;
}

export function renderQuotation(
  { answer_id: id, source, text }: AnswerQuotation,
  { ids, analysis }: MetricsView,
): Html {
  const href = answerAddress({ ...ids, analysis_id: analysis.id }, id);
  return html`<blockquote class="said">
    <bdi>${shortened(text.replaceAll("**", ""), MAX_QUOTATION_LENGTH)}</bdi>
    <cite
      ><a href="${href}">${SOURCE_NAMES[source]}<span class="unseen">: open the answer</span></a></cite
    >
  </blockquote>`;
}
