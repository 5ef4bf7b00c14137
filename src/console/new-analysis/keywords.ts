import { readColumns, readDraftKeywords } from "./draft-setup.ts";
import { readRows } from "./read-rows.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { renderName } from "../shared/format-metrics.ts";
import { selectField, textareaField, renderCheckboxField } from "../../http/pages/fields.ts";
import type { FormFields } from "../../http/pages/post-form.ts";
import type { StepView } from "./wizard.ts";
import { formatCount } from "../../../core/shared/format-count.ts";

export function renderKeywordFields(fields: FormFields): Html {
  return html`${textareaField(fields, {
      name: "keywords",
      label: "Prompts",
      hint: "What people ask or search for: one per line, or topic; prompt. Up to 5,000. You can also paste rows of a CSV file.",
      rows: 12,
    })}
    <div class="field">
      <label for="keywords_file">Or a CSV file</label>
      <input
        type="file"
        id="keywords_file"
        name="keywords_file"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        aria-describedby="keywords_file-hint"
      />
      <span class="hint" id="keywords_file-hint"
        >Up to 2 MB. It replaces the text above. You check its columns in the next step.</span
      >
    </div>`;
}

const COLUMN_KIND_LABELS = [
  ["keyword", "Prompt"],
  ["topic", "Topic"],
  ["thematic", "Group of topics"],
  ["type", "Type (Generic, Brand)"],
  ["funnel_stage", "Funnel stage"],
  ["persona", "Persona"],
  ["search_volume", "Searches per month"],
  ["", "Skip"],
] as const;

const SAMPLE_ROWS = 3;

export function renderColumnFields(fields: FormFields, { draft, personas }: StepView): Html {
  const columns = readColumns(draft);
  const rows = readRows(draft.fields.get("keywords") ?? "", columns.separator);
  const { count, topics, duplicateCount } = readDraftKeywords(draft, personas);
  const isWrong = fields.faultOf("columns") !== undefined;
  return html`<p class="lead" id="columns">
      ${isWrong ? `${formatCount(rows.length, "row")}.` : `${formatCount(count, "prompt")} in ${formatCount(topics, "topic")}.`}
      ${duplicateCount > 0 && ` ${formatCount(duplicateCount, "repeated row")} ${duplicateCount === 1 ? "is" : "are"} skipped.`}
      Check the columns.
    </p>
    ${scrollTable({
      label: "Columns",
      className: "fitted",
      columns: ["Column", "First values", "Content"],
      rows: columns.kinds.map((kind, at) => {
        const head = columns.hasHead ? rows[0]?.cells[at] : undefined;
        const first = rows.slice(columns.hasHead ? 1 : 0).slice(0, SAMPLE_ROWS);
        const name = head === undefined || head === "" ? `Column ${at + 1}` : head;
        return html`<tr>
          <th scope="row">${renderName(name)}</th>
          <td>${first.map(({ cells }) => html`${renderName(cells[at] ?? "")}<br />`)}</td>
          <td>
            <select name="column_${at}" aria-label="Content of ${name}">
              ${COLUMN_KIND_LABELS.map(([value, shown]) => html`<option ${fields.option(`column_${at}`, value, value === kind)}>${shown}</option>`)}
            </select>
          </td>
        </tr>`;
      }),
    })}
    <div class="grid">
      ${selectField(fields, {
        name: "separator",
        label: "Separator",
        value: columns.separator,
        options: [
          ["semicolon", "Semicolon"],
          ["comma", "Comma"],
          ["tab", "Tab"],
          ["none", "None: one prompt per line"],
        ],
      })}
      ${renderCheckboxField(fields, {
        name: "head",
        label: "The first row has column names",
        isTicked: columns.hasHead,
      })}
    </div>`;
}
