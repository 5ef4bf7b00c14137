import type { z } from "zod";
import type { listAnswers } from "../../../../../tools/analyses/list-answers.ts";
import { SOURCE_NAMES } from "../../../../../core/sources.ts";
import { counted } from "../../../../../tools/quotes/presentation.ts";
import { html, type Html } from "../../html.ts";
import { instantShown } from "../../page.ts";
import { scrollTable } from "../../table.ts";
import { outside } from "../audits/words.ts";
import { dayShown } from "../days.ts";
import { nameShown } from "../figures.ts";
import {
  analysisChoices,
  choiceForm,
  type Choice,
  type Filters,
  type ShownAnalysis,
  type ShownCollect,
} from "../filters.ts";
import { answerAddress, answersAddress, queryWith, type WorkspacePlace } from "../places.ts";

type Answers = z.output<typeof listAnswers.output>;

export interface AnswersView {
  place: WorkspacePlace;
  query: URLSearchParams;
  analyses: readonly ShownAnalysis[];
  analysis: ShownAnalysis;
  filters: Filters;
  measured: readonly ShownCollect[];
  answers: Answers;
}

/** The answers of an analysis, by whom they name and whom they do not. */
export function answersPage(view: AnswersView): Html {
  const { answers, place, query } = view;
  return html`<h1>Answers</h1>
    ${choices(view)}
    <section class="panel" aria-labelledby="listed">
      <div class="panel-head">
        <h2 id="listed">${counted(answers.total_count, "answer")}</h2>
        <p class="hint">
          Newest collect first, to all prompts. Headline figures count generic prompts that do not name your brand.
        </p>
      </div>
      ${answers.data.length === 0 ? nothing(view) : table(view)}
      <p class="pager">
        ${query.has("cursor") && html`<a href="${answersAddress(place)}${queryWith(query, { cursor: undefined })}">First</a>`}
        ${
          answers.next_cursor !== null &&
          html`<a href="${answersAddress(place)}${queryWith(query, { cursor: answers.next_cursor })}">Next</a>`
        }
      </p>
    </section>`;
}

function nothing({ place, analysis }: AnswersView): Html {
  return html`<div class="empty">
    <p>No answer fits these filters.</p>
    <a class="button secondary" href="${answersAddress(place)}?analysis=${analysis.id}">Without filters</a>
  </div>`;
}

function choices({ place, query, analyses, analysis, filters, measured }: AnswersView): Html {
  const latest = measured[0];
  const [ofAnalysis, ofCollect] = analysisChoices({
    analyses,
    measured,
    latest: latest ? `Latest, ${dayShown(latest.collected_to ?? latest.finished_at)}` : "Latest",
  });
  const brands = filters.brands.map(({ id, name }) => [id, name] as const);
  const all: (Choice | undefined)[] = [
    ofAnalysis,
    ofCollect && { ...ofCollect, options: [...ofCollect.options, ["all", "All collects"] as const] },
    {
      name: "source",
      label: "Source",
      any: "All",
      options: filters.source_names.map(({ source, name }) => [source, name] as const),
    },
    { name: "names", label: "Names", any: "Anyone", options: brands },
    { name: "lacks", label: "Does not name", any: "Anyone", options: brands },
  ];
  const keyword = query.get("keyword");
  const held = keyword === null ? {} : { keyword };
  return choiceForm(
    answersAddress(place),
    query,
    all.filter((one) => one !== undefined),
    { chosen: { analysis: analysis.id }, held },
  );
}

function table({ answers, place }: AnswersView): Html {
  return scrollTable({
    label: "Answers",
    columns: ["Prompt and beginning of the answer", "Source", "Collect", "Collected"],
    className: "answers",
    rows: answers.data.map(
      (one) =>
        html`<tr>
          <th scope="row">
            <a href="${answerAddress({ ...place, analysis_id: one.analysis_id }, one.id)}">${nameShown(one.prompt)}</a>
            <small>${one.shown ? outside(one.excerpt) : "The source showed nothing."}</small>
          </th>
          <td>
            ${SOURCE_NAMES[one.source]}
            ${one.collection_method !== "api" && html`<small>${one.collection_method.replaceAll("_", " ")}</small>`}
          </td>
          <td class="number">${one.collect_number}</td>
          <td class="when">${instantShown(one.collected_at, "", "day")}</td>
        </tr>`,
    ),
  });
}
