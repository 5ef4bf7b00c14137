import { SCHEDULES, WEEKDAYS } from "../../../core/analyses/analysis.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { selectField, inputField } from "../../http/pages/fields.ts";
import type { FormFields } from "../../http/pages/post-form.ts";
import type { StepView } from "./wizard.ts";

const SCHEDULE_LABELS: Readonly<Record<(typeof SCHEDULES)[number], string>> = {
  once: "Once, now",
  daily: "Now and every day",
  weekly: "Now and every week",
  monthly: "Now and every month",
};

export function renderWhenFields(fields: FormFields, view: StepView): Html {
  const asks = view.type !== "audit";
  const days = WEEKDAYS.map((day) => [day, day.replace(/^./, (letter) => letter.toUpperCase())] as const);
  return html`<div class="grid">
      ${selectField(fields, { name: "every", label: "How often", options: SCHEDULES.map((one) => [one, SCHEDULE_LABELS[one]]) })}
      ${
        asks &&
        inputField(fields, {
          name: "runs",
          label: "Repeats per prompt",
          hint: "For each source. Answers vary, so three repeats show more than one.",
          attributes: html`type="number" min="1" max="10"`,
        })
      }
    </div>
    <fieldset class="of-rounds">
      <legend>Schedule</legend>
      <div class="grid">
        ${inputField(fields, {
          name: "ends",
          label: "Last day",
          hint: "Within a year.",
          attributes: html`type="date" min="${view.now.slice(0, 10)}"`,
        })}
        ${inputField(fields, { name: "at", label: "Time of the day", attributes: html`type="time"` })}
        ${inputField(fields, { name: "time_zone", label: "Time zone", hint: "Such as Europe/Berlin." })}
        <div class="of-weeks">
          ${selectField(fields, { name: "weekday", label: "Day of the week", options: [["", "Today"], ...days] })}
        </div>
        <div class="of-months">
          ${inputField(fields, {
            name: "day_of_month",
            label: "Day of the month",
            hint: "Default: today.",
            attributes: html`type="number" min="1" max="31"`,
          })}
        </div>
      </div>
    </fieldset>
    ${
      asks &&
      inputField(fields, {
        name: "max_spend",
        label: "Spending limit in US dollars (optional)",
        hint: "Max provider charges in total. Prompts beyond it fail, and their credits are released.",
        attributes: html`type="number" min="0.01" max="1000000" step="any"`,
      })
    }`;
}
