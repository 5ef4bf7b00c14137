import { html, type Html } from "./html.ts";
import type { FormFields } from "./post-form.ts";

interface Field {
  name: string;
  label: string;
  hint?: Html | string | undefined;
  attributes?: Html;
}

/** `control` takes the attributes that tie it to label, hint and fault. */
function renderField(
  fields: FormFields,
  { name, label, hint, attributes }: Field,
  control: (tied: Html) => Html,
): Html {
  const wrong = fields.faultOf(name);
  const described = [hint !== undefined && `${name}-hint`, wrong !== undefined && `${name}-wrong`]
    .filter(Boolean)
    .join(" ");
  const tied = html`id="${name}" ${described !== "" && html` aria-describedby="${described}"`}
  ${wrong !== undefined && html` aria-invalid="true"`} ${attributes}`;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${control(tied)} ${renderFault(name, wrong)}
    ${hint !== undefined && html`<span class="hint" id="${name}-hint">${hint}</span>`}
  </div>`;
}

function renderFault(name: string, wrong: string | undefined): Html | undefined {
  return wrong === undefined ? undefined : html`<span class="wrong" id="${name}-wrong">${wrong}</span>`;
}

export function inputField(fields: FormFields, of: Field): Html {
  return renderField(fields, of, (tied) => html`<input ${fields.input(of.name)} autocomplete="off" ${tied} />`);
}

export function textareaField(fields: FormFields, of: Field & { rows: number }): Html {
  const { name, rows } = of;
  return renderField(
    fields,
    of,
    (tied) => html`<textarea name="${name}" rows="${rows}" ${tied}>${fields.textarea(name)}</textarea>`,
  );
}

export function selectField(
  fields: FormFields,
  of: Field & { options: readonly (readonly [value: string, shown: string])[]; value?: string },
): Html {
  const { name, options, value: chosen } = of;
  const isChosen = (value: string) => (chosen === undefined ? undefined : value === chosen);
  return renderField(
    fields,
    of,
    (tied) =>
      html`<select name="${name}" ${tied}>
        ${options.map(([value, shown]) => html`<option ${fields.option(name, value, isChosen(value))}>${shown}</option>`)}
      </select>`,
  );
}

export function checkboxFields(
  fields: FormFields,
  of: Field & { options: readonly { value: string; shown: Html | string }[]; ticked: readonly string[] },
): Html {
  const { name, label, hint, options, ticked } = of;
  const wrong = fields.faultOf(name);
  return html`<fieldset class="ticks" id="${name}" ${wrong !== undefined && html` aria-describedby="${name}-wrong"`}>
    <legend>${label}</legend>
    ${hint !== undefined && html`<p class="hint">${hint}</p>`} ${renderFault(name, wrong)}
    <div class="tick-list">
      ${options.map(
        ({ value, shown }) =>
          html`<label class="tick"
            ><input type="checkbox" ${fields.checkbox(name, value, ticked.includes(value))} />
            <span>${shown}</span></label
          >`,
      )}
    </div>
  </fieldset>`;
}

export function renderCheckboxField(fields: FormFields, of: Field & { isTicked?: boolean }): Html {
  const { name, label, hint, isTicked } = of;
  const wrong = fields.faultOf(name);
  return html`<div class="field">
    <label class="tick"
      ><input
        type="checkbox"
        id="${name}"
        ${fields.checkbox(name, "1", isTicked)}
        ${wrong !== undefined && html` aria-invalid="true" aria-describedby="${name}-wrong"`}
      />
      <span>${label} ${hint !== undefined && html`<small>${hint}</small>`}</span></label
    >
    ${renderFault(name, wrong)}
  </div>`;
}

export function boxField(fields: FormFields, { name, label, hint }: Field): Html {
  return html`<label class="scope">
    <input type="checkbox" ${fields.checkbox(name, "1")} />
    <span>${label}${hint !== undefined && html`<small>${hint}</small>`}</span>
  </label>`;
}
