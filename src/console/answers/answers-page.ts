import type { z } from "zod";
import type { listAnswers } from "../../../tools/answers/list-answers.ts";
import { unreadSentence } from "../../../core/reading/capture.ts";
import { SOURCE_NAMES } from "../../../core/sources/sources.ts";
import type { CsvColumn } from "../../http/pages/csv.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { instantShown } from "../../http/pages/page.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { outside } from "../audits/words.ts";
import { dayShown } from "../../http/pages/days.ts";
import { nameShown } from "../shared/figures.ts";
import {
  analysisChoices,
  choiceForm,
  cursorPager,
  narrowingChoices,
  noneFits,
  type BrandChoices,
  type FiguresView,
} from "../shared/filters.ts";
import { sortHeads } from "../shared/order.ts";
import { answerAddress, answersAddress, exportsAddress, queryWith } from "../shared/places.ts";
import { tablePanel } from "../shared/table-panel.ts";
import { count, counted } from "../../../core/shared/counts.ts";

type Answers = z.output<typeof listAnswers.output>;

export interface AnswersView extends FiguresView {
  answers: Answers;
  brands: BrandChoices;
}

export const ANSWER_SORTS = { collected: "desc" } as const;

/** Values as in the API response. */
export const ANSWER_COLUMNS: readonly CsvColumn<Answers["data"][number]>[] = [
  "id",
  "prompt",
  "source",
  "collect_number",
  "run",
  "collected_at",
  "shown",
  "informative",
  "unread_reason",
  "provider",
  "model",
  "locale",
  "collection_method",
  ["cost_credits", ({ cost }) => cost.credits],
  ["cost_usd", ({ cost }) => cost.usd],
  "length",
  "excerpt",
];

export function answersPage(view: AnswersView): Html {
  const { answers, place, query } = view;
  const path = answersAddress(place);
  return html`<h1>Answers</h1>
    ${choices(view)}
    ${tablePanel({
      id: "listed",
      title: countShown(answers),
      hint: "To all prompts. Headline figures count generic prompts that do not name your brand.",
      csv: {
        href: `${path}/answers.csv${queryWith(query, { cursor: undefined })}`,
        rows: answers.total_is_exact ? answers.total_count : Math.max(1, answers.total_count),
      },
      table: answers.data.length === 0 ? undefined : table(view),
      empty:
        answers.next_cursor === null
          ? noneFits("No answer fits these filters.", path, view)
          : html`<div class="empty"><p>None of the answers that were searched fits. Next searches on.</p></div>`,
      pager: cursorPager(path, query, answers.next_cursor),
      note: restsOn(view),
    })}`;
}

function countShown({ total_count, total_is_exact }: Answers): string {
  return total_is_exact ? counted(total_count, "answer") : `${count(total_count)}+ answers`;
}

function restsOn({ answers, place, query, measured }: AnswersView): Html {
  const wanted = query.get("collect") || measured[0].id;
  const collect = measured.find(({ id }) => id === wanted);
  const parts = [
    `n = ${countShown(answers)}`,
    collect ? `collect ${collect.number} of ${dayShown(collect.collected_to ?? collect.finished_at)}` : "all collects",
    ...(collect && collect.failed > 0 ? [`${counted(collect.failed, "question")} failed, which have no answer`] : []),
  ];
  return html`<p class="hint">${parts.join(" · ")} · <a href="${exportsAddress(place)}">Export whole answers</a></p>`;
}

function choices(view: AnswersView): Html {
  const { place, query, analysis, filters, brands } = view;
  const [ofAnalysis, ofCollect] = analysisChoices(view);
  const all = [
    ofAnalysis,
    { ...ofCollect, options: [...ofCollect.options, ["all", "All collects"] as const] },
    ...narrowingChoices(filters, ["source", "country"]),
    { name: "names", label: "Names", any: "Anyone", ...brands },
    { name: "lacks", label: "Does not name", any: "Anyone", ...brands },
  ];
  const keyword = query.get("keyword");
  const held = keyword === null ? {} : { keyword };
  return choiceForm(answersAddress(place), query, all, { chosen: { analysis: analysis.id }, held });
}

function excerptOf({ shown, excerpt, unread_reason: reason }: Answers["data"][number]) {
  if (reason !== null) return unreadSentence(reason);
  return shown ? outside(excerpt) : "The source showed nothing.";
}

function table({ answers, place, query }: AnswersView): Html {
  const usual = { sort: "collected", direction: "desc" } as const;
  const head = sortHeads({ path: answersAddress(place), query, id: "listed", sorts: ANSWER_SORTS, usual });
  return scrollTable({
    label: "Answers",
    columns: [
      "Prompt and beginning of the answer",
      "Source",
      { number: "Run" },
      { number: "Collect" },
      head("collected", "Collected", "text"),
    ],
    className: "sticky answers",
    rows: answers.data.map(
      (one) =>
        html`<tr>
          <th scope="row">
            <a href="${answerAddress({ ...place, analysis_id: one.analysis_id }, one.id)}">${nameShown(one.prompt)}</a>
            <small>${excerptOf(one)}</small>
          </th>
          <td>
            ${SOURCE_NAMES[one.source]} ${one.model !== null && html`<small>${outside(one.model)}</small>`}
            ${one.collection_method !== "api" && html`<small>${one.collection_method.replaceAll("_", " ")}</small>`}
          </td>
          <td class="number">${one.run}</td>
          <td class="number">${one.collect_number}</td>
          <td class="when">${instantShown(one.collected_at, "", "day")}</td>
        </tr>`,
    ),
  });
}
