import type { z } from "zod";
import type { getAnswer } from "../../../tools/answers/get-answer.ts";
import { removeInvisible } from "../../../core/shared/fields.ts";
import { describeUnread } from "../../../core/reading/capture.ts";
import { SOURCE_NAMES } from "../../../core/sources/sources.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { copyButton, renderInstant } from "../../http/pages/page.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { definitionItem } from "../actions/actions-page.ts";
import { renderUntrustedText, simulatedBadge } from "../audits/labels.ts";
import { renderName } from "../shared/format-metrics.ts";
import { answersAddress, type WorkspaceIds } from "../shared/page-addresses.ts";
import { formatSiteType } from "../sites/view.ts";
import { renderMarkedText, type TextMark } from "./marked-text.ts";
import { formatInteger, formatCount } from "../../../core/shared/format-count.ts";

type ShownAnswer = z.output<typeof getAnswer.output>;

export interface AnswerView {
  ids: WorkspaceIds;
  /** Ids of the own brand and its descendants. */
  ownBrandIds: ReadonlySet<string>;
  answer: ShownAnswer;
  shareUrl: string;
}

export function renderAnswerPage(view: AnswerView): Html {
  const { answer, ids, shareUrl } = view;
  return html`<p class="crumb">
      <a href="${answersAddress(ids)}?analysis=${answer.analysis_id}">Answers</a>
    </p>
    <div class="page-head">
      <h1>${renderName(answer.prompt)}</h1>
      <span class="badges">
        ${answer.collection_method === "simulated" && simulatedBadge}
        ${answer.refused && html`<span class="badge badge-warn">refused</span>`}
        ${!answer.shown && html`<span class="badge">${answer.unread_reason === null ? "not shown" : "not read"}</span>`}
      </span>
    </div>
    ${renderAnswerDetails(answer)} ${renderTextSection(view)} ${renderRanksSection(view)} ${renderPagesSection(answer)}
    ${renderQueriesSection(answer)}
    <section class="panel" aria-labelledby="send">
      <div class="panel-head"><h2 id="send">Link to this answer</h2></div>
      <p class="secret"><code id="link">${shareUrl}</code>${copyButton("link", "the link")}</p>
    </section>`;
}

function renderAnswerDetails(answer: ShownAnswer): Html {
  const { cost } = answer;
  const usd = cost.usd === null ? "" : `, US$ ${cost.usd === 0 ? "0" : cost.usd.toFixed(4)}`;
  return html`<dl class="meta">
    ${definitionItem("Source", SOURCE_NAMES[answer.source])}
    ${definitionItem("Model", answer.model === null ? "not known" : renderUntrustedText(answer.model))}
    ${definitionItem("Provider", answer.provider)}
    ${definitionItem("Method", answer.collection_method.replaceAll("_", " "))}
    ${definitionItem("Collected", renderInstant(answer.collected_at, ""))}
    ${definitionItem("Run", `${answer.collect_number}, repeat ${answer.run}`)}
    ${definitionItem("Locale", answer.locale)} ${definitionItem("Cost", `${formatCount(cost.credits, "credit")}${usd}`)}
  </dl>`;
}

const MAX_RAW_CHARACTERS = 50_000;

const MARK_LEGEND = [
  ["own", "own brand"],
  ["rival", "other brands"],
  ["pro", "pro"],
  ["con", "con"],
  ["cited", "cited page"],
] as const satisfies readonly (readonly [TextMark["kind"], string])[];

function renderTextSection({ answer, ownBrandIds }: AnswerView): Html {
  const marks = createMarks(answer, ownBrandIds);
  const legend = MARK_LEGEND.filter(([kind]) => marks.some((mark) => mark.kind === kind));
  return html`<section class="panel" aria-labelledby="text">
    <div class="panel-head">
      <h2 id="text">Answer</h2>
      <ul class="legend">
        ${legend.map(([kind, words]) => html`<li><mark class="mark-${kind}">${words}</mark></li>`)}
      </ul>
    </div>
    ${answer.unread_reason !== null && html`<p class="hint">${describeUnread(answer.unread_reason)}</p>`}
    ${
      answer.text === ""
        ? html`<p class="faint">No AI answer was shown.</p>`
        : html`<div class="answer-text" dir="auto">${renderMarkedText(answer.text, marks)}</div>
            <details class="behind">
              <summary>Body as the provider sent it</summary>
              <pre tabindex="0" dir="auto">${removeInvisible(answer.raw.slice(0, MAX_RAW_CHARACTERS))}</pre>
              ${
                answer.raw.length > MAX_RAW_CHARACTERS &&
                html`<p class="hint">
                  The first ${formatInteger(MAX_RAW_CHARACTERS)} of ${formatInteger(answer.raw.length)} characters. The
                  interface gives all.
                </p>`
              }
            </details>`
    }
  </section>`;
}

function createMarks(answer: ShownAnswer, ownIds: AnswerView["ownBrandIds"]): TextMark[] {
  const mentions = answer.mentions.map(({ start, end, brand, brand_id: id }): TextMark => {
    return ownIds.has(id)
      ? { start, end, kind: "own", label: `own brand ${brand}` }
      : { start, end, kind: "rival", label: `brand ${brand}` };
  });
  const points = (answer.perception?.points ?? []).map(({ start, end, polarity, brand }): TextMark => {
    return { start, end, kind: polarity, label: `${polarity} of ${brand}` };
  });
  const cited = answer.citations.flatMap(({ url, position }): TextMark[] => {
    const start = answer.text.indexOf(url);
    return start === -1 ? [] : [{ start, end: start + url.length, kind: "cited", label: `cited page ${position}` }];
  });
  return [...mentions, ...points, ...cited];
}

function renderRanksSection({ answer, ownBrandIds }: AnswerView): Html | undefined {
  if (answer.places.length === 0) return undefined;
  const stances = new Map<string, Set<string>>();
  for (const { brand_id: id, stance } of answer.perception?.stances ?? []) {
    stances.set(id, (stances.get(id) ?? new Set()).add(stance));
  }
  return html`<section class="panel" aria-labelledby="places">
    <div class="panel-head"><h2 id="places">Brands in this answer</h2></div>
    ${scrollTable({
      label: "Brands with their ranks",
      columns: [
        "Brand",
        { number: "Rank" },
        { number: "Brand rank" },
        { number: "Mentions" },
        ...(answer.perception ? ["Stance"] : []),
        "Own page",
      ],
      rows: answer.places.map((rank) => {
        const isOwn = ownBrandIds.has(rank.brand_id);
        return html`<tr ${isOwn && html` class="own"`}>
          <th scope="row">${renderName(rank.brand)}</th>
          <td class="number">${rank.rank}</td>
          <td class="number">${rank.brand_rank}</td>
          <td class="number">${rank.mentions}</td>
          ${answer.perception && html`<td>${[...(stances.get(rank.brand_id) ?? [])].join(", ")}</td>`}
          <td>${rank.url !== null && renderPageLink(rank.url)}</td>
        </tr>`;
      }),
    })}
  </section>`;
}

function renderPagesSection({ citations, retrieved, results }: ShownAnswer): Html {
  const table = (label: string, pages: ShownAnswer["citations"]) =>
    scrollTable({
      label,
      columns: [{ number: "No." }, "Page", "Kind of site"],
      rows: pages.map(
        ({ position, url, title, competitor_type: type }) =>
          html`<tr>
            <td class="number">${position}</td>
            <th scope="row">
              ${title !== null && html`${renderUntrustedText(title)} `}<small>${renderPageLink(url)}</small>
            </th>
            <td>${formatSiteType(type)}</td>
          </tr>`,
      ),
    });
  const isPage = results.length > 0;
  return html`<section class="panel" aria-labelledby="cited">
      <div class="panel-head"><h2 id="cited">${isPage ? "Listed pages" : "Cited pages"}</h2></div>
      ${citations.length === 0 ? html`<p class="faint">None.</p>` : table("Cited pages with their sites", citations)}
    </section>
    ${
      retrieved.length > 0 &&
      html`<section class="panel" aria-labelledby="retrieved">
        <div class="panel-head">
          <h2 id="retrieved">Read and not cited</h2>
          <p class="hint">Pages that the assistant read for this answer.</p>
        </div>
        ${table("Retrieved pages with their sites", retrieved)}
      </section>`
    }`;
}

function renderQueriesSection({ queries }: ShownAnswer): Html | undefined {
  if (queries.length === 0) return undefined;
  return html`<section class="panel" aria-labelledby="queries">
    <div class="panel-head">
      <h2 id="queries">Searches</h2>
      <p class="hint">What the assistant searched for.</p>
    </div>
    <ul class="plain">
      ${queries.map((query) => html`<li>${renderUntrustedText(query)}</li>`)}
    </ul>
  </section>`;
}

/** Links only http(s) URLs, because the URL is untrusted. */
function renderPageLink(url: string): Html {
  const leadsToWeb = /^https?:\/\//i.test(url) && URL.canParse(url);
  return leadsToWeb
    ? html`<a href="${url}" rel="noopener noreferrer nofollow">${renderUntrustedText(url)}</a>`
    : renderUntrustedText(url);
}
