import type { z } from "zod";
import { COMPETITOR_TYPES } from "../../../../core/sources.ts";
import type { listCitations } from "../../../../tools/metrics/list-citations.ts";
import type { listQueries } from "../../../../tools/metrics/list-queries.ts";
import { counted } from "../../../../tools/quotes/presentation.ts";
import { barTable } from "../charts/bar-table.ts";
import { html, type Html } from "../html.ts";
import { scrollTable } from "../table.ts";
import { outside } from "./audits/words.ts";
import { dayShown } from "./days.ts";
import { figure, interval, nameShown, percent } from "./figures.ts";
import {
  analysisChoices,
  choiceForm,
  cursorPager,
  narrowingChoices,
  type Choice,
  type FiguresView,
} from "./filters.ts";
import { sitesAddress } from "./places.ts";

type Citations = z.output<typeof listCitations.output>;
type Citation = Citations["data"][number];

export interface SitesView extends FiguresView {
  sites: Citations;
  /** Pages that answers cite which do not name the own brand. */
  gaps: Citations;
  searches: z.output<typeof listQueries.output>;
}

/** The sites and pages that answers cite or were made with, where the own brand is missing, and what was searched for. */
export function sitesPage(view: SitesView): Html {
  return html`<h1>Sources</h1>
    ${choices(view)} ${listSection(view)}
    <div class="halves">${gapsSection(view)} ${searchesSection(view)}</div>`;
}

function kindShown(type: string): string {
  if (type === "QA_FORUM") return "Q&A forum";
  const words = type.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function choices(view: SitesView): Html {
  const { place, query, analysis, filters } = view;
  const brands = filters.brands.map(({ id, name }) => [id, name] as const);
  const own: Choice[] = [
    { name: "by", label: "List", any: "Sites", options: [["page", "Pages"]] },
    { name: "pages", label: "That answers", any: "Cite", options: [["retrieved", "Read and do not cite"]] },
    {
      name: "kind",
      label: "Kind of site",
      any: "All",
      options: COMPETITOR_TYPES.map((one) => [one, kindShown(one)] as const),
    },
    { name: "with", label: "Where answers name", any: "Anyone", options: brands },
    { name: "without", label: "And do not name", any: "Anyone", options: brands },
  ];
  const narrowing = narrowingChoices(filters, ["source", "topic"]);
  return choiceForm(sitesAddress(place), query, [...analysisChoices(view), ...narrowing, ...own], {
    chosen: { analysis: analysis.id },
  });
}

function listSection(view: SitesView): Html {
  const { sites, query, place } = view;
  const noun = query.get("by") === "page" ? "page" : "site";
  return html`<section class="panel" aria-labelledby="sites">
    <div class="panel-head">
      <h2 id="sites">${counted(sites.total_count, noun)}</h2>
      <p class="hint">
        Share of the ${counted(sites.citing_answers, "answer")} of this selection that have any, most first.
      </p>
    </div>
    ${
      sites.data.length === 0
        ? html`<div class="empty"><p>No answer of this selection has such a ${noun}.</p></div>`
        : scrollTable({
            label: "Sites and pages with their shares",
            columns: [
              noun === "page" ? "Page" : "Site",
              "Kind of site",
              "Brand",
              { number: "Share" },
              { number: "Answers" },
              { number: "Times" },
            ],
            rows: sites.data.map(row),
          })
    }
    ${cursorPager(sitesAddress(place), query, sites.next_cursor)}
    <p class="hint">
      ${sites.basis.collects.map(({ number, collected_to: to }) => `Collect ${number} of ${dayShown(to)}`).join(", ")},
      all prompts and sources of the selection.
    </p>
  </section>`;
}

function row(one: Citation): Html {
  return html`<tr>
    <th scope="row">${outside(one.url ?? one.domain)}</th>
    <td>${kindShown(one.competitor_type)}</td>
    <td>${one.brand !== null && nameShown(one.brand)}</td>
    <td class="number">${figure(one.share, percent)} <small>${interval(one.ci_low, one.ci_high)}</small></td>
    <td class="number">${figure(one.answers, String)}</td>
    <td class="number">${figure(one.citations, String)}</td>
  </tr>`;
}

function gapsSection({ gaps }: SitesView): Html {
  const bars = gaps.data.map(({ url, domain, share, answers, competitor_type: type }) => {
    return {
      name: html`${outside(url ?? domain)} <small>${kindShown(type)}</small>`,
      value: share,
      note: counted(answers, "answer"),
      isOwn: false,
    };
  });
  return html`<section class="panel" aria-labelledby="gaps">
    <div class="panel-head">
      <h2 id="gaps">Pages behind answers without you</h2>
      <p class="hint">
        Cited in answers that do not name your brand: share of the ${gaps.citing_answers} that cite anything.
      </p>
    </div>
    ${
      bars.length === 0
        ? html`<p class="faint">Every answer that cites a page names your brand.</p>`
        : barTable({ label: "Pages with their shares", heads: ["Page", "Share"], bars, written: percent })
    }
  </section>`;
}

function searchesSection({ searches }: SitesView): Html {
  return html`<section class="panel" aria-labelledby="searches">
    <div class="panel-head">
      <h2 id="searches">What assistants searched for</h2>
      <p class="hint">Of the ${searches.searching_answers} answers for which anything was searched.</p>
    </div>
    ${
      searches.data.length === 0
        ? html`<p class="faint">The assistants of this selection do not tell what they search for.</p>`
        : scrollTable({
            label: "Searches with their answers",
            columns: ["Search", { number: "Answers" }, { number: "Prompts" }],
            rows: searches.data.map(
              ({ query, answers, prompts }) =>
                html`<tr>
                  <th scope="row">${outside(query)}</th>
                  <td class="number">${figure(answers, String)}</td>
                  <td class="number">${figure(prompts, String)}</td>
                </tr>`,
            ),
          })
    }
  </section>`;
}
