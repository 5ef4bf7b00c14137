import { STEPS, type NewType, type StepName } from "./steps.ts";
import { stepAddress, type StepView } from "./wizard.ts";
import { FORM_ID_FIELD, postForm, type FormFields } from "../../http/pages/post-form.ts";
import { fieldValue } from "./draft-setup.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { alertBox } from "../../http/pages/page.ts";
import { analysesAddress } from "../shared/page-addresses.ts";
import { renderColumnFields, renderKeywordFields } from "./keywords.ts";
import { renderPromptFields } from "./prompts.ts";
import { renderPriceSection } from "./price.ts";
import { renderWhatFields } from "./what-fields.ts";
import { renderWhenFields } from "./when-fields.ts";
import { renderWhereFields } from "./where-fields.ts";

const STEP_TITLES: Readonly<Record<NewType, string>> = {
  search: "New search analysis",
  brand: "New brand analysis",
  audit: "New GEO audit",
};

const STEP_NAMES: Readonly<Record<StepName, string>> = {
  what: "What",
  keywords: "Prompts",
  columns: "Prompts",
  prompts: "Prompts",
  where: "Where",
  when: "How often",
  price: "Price",
};

const FIELDS_BY_STEP: Readonly<Record<Exclude<StepName, "price">, (fields: FormFields, view: StepView) => Html>> = {
  what: renderWhatFields,
  keywords: renderKeywordFields,
  columns: renderColumnFields,
  prompts: renderPromptFields,
  where: renderWhereFields,
  when: renderWhenFields,
};

export function renderStepPage(view: StepView): { title: string; content: Html } {
  const { type, step, ids, faults, problem, isDraftLost } = view;
  const title = STEP_TITLES[type];
  const content = html`<p class="crumb"><a href="${analysesAddress(ids)}">Analyses</a></p>
    <h1>${title}</h1>
    ${renderStepList(view)}
    ${
      isDraftLost &&
      html`<p class="caution" role="status">
        Your draft has expired: drafts are deleted a week after their last change. Start again.
      </p>`
    }
    ${alertBox(problem)}
    ${
      faults.length > 0 &&
      html`<div class="alert" role="alert" id="problem">
        <p>Correct the marked fields. Your entries are kept.</p>
        <ul>
          ${faults.map(({ field, message }) => html`<li><a href="#${field}">${message}</a></li>`)}
        </ul>
      </div>`
    }
    ${step === "price" ? renderPriceSection(view) : renderStepForm(view, step)}`;
  return { title: `${STEP_NAMES[step]}, ${title.charAt(0).toLowerCase()}${title.slice(1)}`, content };
}

function renderStepList(view: StepView): Html {
  const { type, step, draft } = view;
  const shown = STEPS[type].filter((one) => one !== "columns");
  const current = step === "columns" ? "keywords" : step;
  return html`<nav aria-label="Steps">
    <ol class="stages">
      ${shown.map((one) => {
        const isReached = draft.sent.includes(one) || (one === "price" && draft.quote !== null);
        if (one === current) return html`<li aria-current="step"><span>${STEP_NAMES[one]}</span></li>`;
        if (!isReached) return html`<li><span>${STEP_NAMES[one]}</span></li>`;
        return html`<li class="sent"><a href="${stepAddress(view, one)}">${STEP_NAMES[one]}</a></li>`;
      })}
    </ol>
  </nav>`;
}

function renderStepForm(view: StepView, step: Exclude<StepName, "price">): Html {
  const { type, draft } = view;
  const address = stepAddress(view, step);
  const isFirst = draft.sent.length === 0;
  const steps = STEPS[type];
  const next = STEP_NAMES[steps.find((one, at) => at > steps.indexOf(step) && one !== "columns") ?? "price"];
  return postForm(
    {
      action: isFirst ? address.replace(/\?.*/, "") : address,
      attributes: html`${step === "keywords" && html` enctype="multipart/form-data"`} novalidate`,
      className: "stack wizard",
      values: (name) => fieldValue(draft, name),
      faults: view.faults,
    },
    (fields) =>
      html`${isFirst && html`<input type="hidden" name="${FORM_ID_FIELD}" value="${draft.id}" />`}
        ${FIELDS_BY_STEP[step](fields, view)}
        <div class="row-actions">
          <button class="primary" name="go" value="next">
            ${step === "when" ? "Show the price" : `Next: ${next.toLowerCase()}`}
          </button>
          ${step !== "what" && html`<button class="secondary" name="go" value="back">Back</button>`}
          ${
            step === "prompts" &&
            draft.prompts.edited !== null &&
            html`<button class="secondary" name="go" value="anew">Discard my changes and suggest prompts again</button>`
          }
        </div>`,
  );
}
