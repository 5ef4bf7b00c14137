import { valueOf } from "./setup-of-draft.ts";
import type { Fault } from "./steps.ts";
import type { Wizard } from "./wizard.ts";
import type { Instant } from "../../../core/shared/time.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { nameShown, shortName } from "../shared/figures.ts";

/** What a step shows. */
export interface StepView extends Wizard {
  now: Instant;
  faults: readonly Fault[];
  /** What went wrong that is of no field. */
  problem: string | undefined;
}

interface Field {
  name: string;
  label: string;
  hint?: Html | string | undefined;
}

/** A field with its label, what helps to fill it in, and what is wrong with it. `control` takes the attributes that tie them. */
function field(
  { faults }: Pick<StepView, "faults">,
  { name, label, hint }: Field,
  control: (tied: Html) => Html,
): Html {
  const wrong = faultOf({ faults }, name);
  const described = [hint !== undefined && `${name}-hint`, wrong !== undefined && `${name}-wrong`]
    .filter(Boolean)
    .join(" ");
  const tied = html`id="${name}" name="${name}" ${described !== "" && html` aria-describedby="${described}"`}
  ${wrong !== undefined && html` aria-invalid="true"`}`;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${control(tied)} ${wrongShown(name, wrong)}
    ${hint !== undefined && html`<span class="hint" id="${name}-hint">${hint}</span>`}
  </div>`;
}

function faultOf({ faults }: Pick<StepView, "faults">, name: string): string | undefined {
  return faults.find((fault) => fault.field === name)?.message;
}

function wrongShown(name: string, wrong: string | undefined): Html | undefined {
  return wrong === undefined ? undefined : html`<span class="wrong" id="${name}-wrong">${wrong}</span>`;
}

/** A line of text. `more` are further attributes. */
export function lineField(view: StepView, of: Field & { more?: Html; value?: string }): Html {
  const value = of.value ?? valueOf(view.draft, of.name);
  return field(view, of, (tied) => html`<input ${tied} value="${value}" autocomplete="off" ${of.more} />`);
}

/** Text of several lines. */
export function textField(view: StepView, of: Field & { rows: number; required?: boolean }): Html {
  const value = valueOf(view.draft, of.name);
  return field(
    view,
    of,
    (tied) =>
      html`<textarea ${tied} rows="${of.rows}" ${of.required === true && html` required`}>${"\n"}${value}</textarea>`,
  );
}

/** One of several. */
export function choiceField(
  view: StepView,
  of: Field & { options: readonly (readonly [value: string, shown: string])[]; value?: string },
): Html {
  const chosen = of.value ?? valueOf(view.draft, of.name);
  return field(
    view,
    of,
    (tied) =>
      html`<select ${tied}>
        ${of.options.map(([value, shown]) => html`<option value="${value}" ${value === chosen && html` selected`}>${shortName(shown)}</option>`)}
      </select>`,
  );
}

/** Any of several. */
export function tickFields(
  view: StepView,
  of: Field & { options: readonly { value: string; shown: Html | string }[]; ticked: readonly string[] },
): Html {
  const { name, label, hint, options, ticked } = of;
  const wrong = faultOf(view, name);
  return html`<fieldset class="ticks" id="${name}" ${wrong !== undefined && html` aria-describedby="${name}-wrong"`}>
    <legend>${label}</legend>
    ${hint !== undefined && html`<p class="hint">${hint}</p>`} ${wrongShown(name, wrong)}
    <div class="tick-list">
      ${options.map(
        ({ value, shown }) =>
          html`<label class="tick"
            ><input type="checkbox" name="${name}" value="${value}" ${ticked.includes(value) && html` checked`} />
            <span>${typeof shown === "string" ? nameShown(shown) : shown}</span></label
          >`,
      )}
    </div>
  </fieldset>`;
}

/** One thing that is so or not. */
export function tickField(view: StepView, { name, label, hint }: Field): Html {
  const wrong = faultOf(view, name);
  return html`<div class="field">
    <label class="tick"
      ><input
        type="checkbox"
        id="${name}"
        name="${name}"
        value="1"
        ${wrong !== undefined && html` aria-invalid="true" aria-describedby="${name}-wrong"`}
        ${valueOf(view.draft, name) === "1" && html` checked`}
      />
      <span>${label} ${hint !== undefined && html`<small>${hint}</small>`}</span></label
    >
    ${wrongShown(name, wrong)}
  </div>`;
}
