import type { z } from "zod";
import type { listAnswers } from "../../../../../tools/analyses/list-answers.ts";
import { SOURCE_NAMES } from "../../../../../core/sources.ts";
import { counted } from "../../../../../tools/quotes/presentation.ts";
import { html, type Html } from "../../html.ts";
import { instantShown } from "../../page.ts";
import { scrollTable } from "../../table.ts";
import { outside } from "../audits/words.ts";
import { nameShown } from "../figures.ts";
import { analysisChoices, choiceForm, cursorPager, narrowingChoices, noneFits, type FiguresView } from "../filters.ts";
import { answerAddress, answersAddress } from "../places.ts";

type Answers = z.output<typeof listAnswers.output>;

export interface AnswersView extends FiguresView {
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
      ${answers.data.length === 0 ? noneFits("No answer fits these filters.", answersAddress(place), view) : table(view)}
      ${cursorPager(answersAddress(place), query, answers.next_cursor)}
    </section>`;
}

function choices(view: AnswersView): Html {
  const { place, query, analysis, filters } = view;
  const [ofAnalysis, ofCollect] = analysisChoices(view);
  const brands = filters.brands.map(({ id, name }) => [id, name] as const);
  const all = [
    ofAnalysis,
    { ...ofCollect, options: [...ofCollect.options, ["all", "All collects"] as const] },
    ...narrowingChoices(filters, ["source"]),
    { name: "names", label: "Names", any: "Anyone", options: brands },
    { name: "lacks", label: "Does not name", any: "Anyone", options: brands },
  ];
  const keyword = query.get("keyword");
  const held = keyword === null ? {} : { keyword };
  return choiceForm(answersAddress(place), query, all, { chosen: { analysis: analysis.id }, held });
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
