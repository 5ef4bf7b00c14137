import { intervalMark } from "../charts/interval-mark.ts";
import { partMark, shareBars } from "../charts/share-bars.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { balance, changeShown, figure, interval, nameShown, OF_FAULTS, OF_MEANS, percent } from "../shared/figures.ts";
import { perceptionAddress } from "../shared/places.ts";
import { restsOn } from "../shared/rests-on.ts";
import { tablePanel } from "../shared/table-panel.ts";
import { SENTIMENT_TABLE, STANCES_TABLE } from "./orders.ts";
import { csvOf, ownFirst, type Perception, type PerceptionView } from "./view.ts";
import { count } from "../../../core/shared/counts.ts";

type Row = Perception["data"][number];

/** Best first, with display names. */
const STANCES = [
  ["winner", "Best pick"],
  ["recommended", "Recommended"],
  ["caveated", "With a con"],
  ["mentioned", "Only named"],
  ["discouraged", "Advised against"],
] as const;

/** Stances towards each brand, and their balance. */
export function stancesSection(view: PerceptionView): Html {
  const { perception, analysis, place, query } = view;
  const rows = ownFirst(perception.data, analysis.brand_id);
  const head = STANCES_TABLE.heads(perceptionAddress(place), query);
  return html`${tablePanel({
    id: "stances",
    title: "Stance",
    hint: "How answers speak of each brand: the best of what each answer says of it.",
    csv: csvOf(view, "stances", perception),
    table: shareBars({
      label: "Stances towards brands",
      columns: [
        head("brand", "Brand", "text"),
        ...STANCES.map(([stance, name], at) => head(stance, html`${partMark(at)}${name}`)),
        head("answers", "Answers"),
      ],
      written: percent,
      bars: STANCES_TABLE.inOrder(rows, query).map((row) => ({
        name: nameShown(row.brand),
        isOwn: row.brand_id === analysis.brand_id,
        shares: STANCES.map(([stance]) => ({ value: row[`${stance}_share`], count: row[stance] })),
        of: html`${figure(row.answers, count)}`,
      })),
    }),
    note: restsOn(perception.basis, ["prompts that ask for neither pros nor cons"]),
  })}
  ${sentimentSection(rows, view)}`;
}

function sentimentSection(rows: readonly Row[], view: PerceptionView): Html {
  const { analysis, place, query, perception } = view;
  const head = SENTIMENT_TABLE.heads(perceptionAddress(place), query);
  return tablePanel({
    id: "sentiment",
    title: "Sentiment",
    hint: "From −1, all answers say more against than for it, to +1. With the 95 % interval for prompts like these.",
    csv: csvOf(view, "sentiment", perception),
    table: scrollTable({
      label: "Sentiment towards brands",
      className: "perceived sticky fitted",
      columns: [
        head("brand", "Brand", "text"),
        head("sentiment", "Sentiment"),
        head("change", "Change"),
        head("pros", "Answers with a pro"),
        head("cons", "Answers with a con"),
        head("con_change", "Change of cons"),
        head("judged", "Judged"),
      ],
      rows: SENTIMENT_TABLE.inOrder(rows, query).map((row) => sentimentRow(row, row.brand_id === analysis.brand_id)),
    }),
    note: html`${restsOn(perception.basis, ["prompts that ask for neither pros nor cons"])}
      <p class="hint">
        Judged are answers in English: the clauses of other languages are not weighed. No sentiment below 10 answers
        with a pro or a con, or 5 prompts.
      </p>`,
  });
}

function sentimentRow(row: Row, isOwn: boolean): Html {
  const { sentiment, sentiment_ci_low: low, sentiment_ci_high: high } = row;
  return html`<tr ${isOwn && html` class="own"`}>
    <th scope="row">${nameShown(row.brand)}</th>
    <td class="number">
      ${figure(sentiment, balance)} <small>${interval(low, high, balance)}</small>
      ${intervalMark(sentiment, { low, high, scale: [-1, 1] })}
    </td>
    <td class="number">${sentiment === null ? tooFew(row) : changeShown(row.sentiment_change, OF_MEANS)}</td>
    <td class="number">${figure(row.pro_rate, percent)} <small>${interval(row.pro_ci_low, row.pro_ci_high)}</small></td>
    <td class="number">${figure(row.con_rate, percent)} <small>${interval(row.con_ci_low, row.con_ci_high)}</small></td>
    <td class="number">${changeShown(row.con_rate_change, OF_FAULTS)}</td>
    <td class="number soft">${figure(row.judged, count)} of ${figure(row.answers, count)}</td>
  </tr>`;
}

function tooFew({ with_either: either }: Row): Html {
  return html`<span class="faint">too few: ${either} with a pro or con</span>`;
}
