import { selectDefaultSources, type OfferedSource } from "./draft-setup.ts";
import { CHOSEN_METHODS, type ChosenMethod } from "../../../core/sources/sources.ts";
import { COUNTRIES, LANGUAGES } from "../shared/countries-and-languages.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { simulatedBadge } from "../audits/labels.ts";
import { selectField, inputField, checkboxFields } from "../../http/pages/fields.ts";
import type { FormFields } from "../../http/pages/post-form.ts";
import { renderName, truncateName } from "../shared/format-metrics.ts";
import type { StepView } from "./wizard.ts";

const METHOD_NAMES: Readonly<Record<ChosenMethod, string>> = {
  api: "The model itself, through its API",
  capture: "What users see, captured by a vendor",
};

export function renderWhereFields(fields: FormFields, { type, draft, offered, personas }: StepView): Html {
  const isSent = draft.sent.includes("where");
  const methods = CHOSEN_METHODS.filter((method) => offered.some((one) => one.methods.includes(method)));
  const personaOptions = personas.map(({ id, name }) => [id, truncateName(name)] as const);
  const language = selectField(fields, { name: "language", label: "Language", options: LANGUAGES });
  return html`${checkboxFields(fields, {
    name: "sources",
    label: "Sources",
    hint: offered.some(({ isReal }) => isReal)
      ? "Each prompt goes to each source."
      : "Each prompt goes to each source. None is configured here: answers are simulated and marked as such.",
    options: offered.map((one) => ({ value: one.source, shown: renderSource(one) })),
    ticked: isSent ? draft.fields.getAll("sources") : selectDefaultSources(offered),
  })}
  ${
    methods.length > 0 &&
    checkboxFields(fields, {
      name: "methods",
      label: "How assistants are asked",
      hint: "Choose both to compare them. Default: as each source is configured.",
      options: methods.map((method) => ({ value: method, shown: METHOD_NAMES[method] })),
      ticked: draft.fields.getAll("methods"),
    })
  }
  ${
    type === "search"
      ? html`<div class="grid">
          ${selectField(fields, { name: "country", label: "Country", options: COUNTRIES })} ${language}
          ${selectField(fields, {
            name: "device",
            label: "Device",
            options: [
              ["desktop", "Desktop"],
              ["mobile", "Mobile"],
            ],
          })}
          ${
            personaOptions.length > 0 &&
            selectField(fields, {
              name: "persona",
              label: "Personas",
              options: [["", "No persona"], ...personaOptions],
              hint: "Prompts with their own persona keep it.",
            })
          }
        </div>`
      : html`<div class="grid">
            ${inputField(fields, {
              name: "countries",
              label: "Countries",
              hint: "Up to 8, by code or name, separated by commas. Every prompt is sent for each.",
            })}
            ${language}
          </div>
          ${
            personas.length > 0 &&
            checkboxFields(fields, {
              name: "personas",
              label: "Personas",
              hint: "Up to 5. Every prompt is sent as each persona.",
              options: personas.map(({ id, name }) => ({ value: id, shown: renderName(name) })),
              ticked: draft.fields.getAll("personas"),
            })
          }`
  }`;
}

function renderSource({ name, isReal, isConfigured }: OfferedSource): Html {
  if (isReal) return html`${name} <span class="badge badge-good">real</span>`;
  return html`${name} ${isConfigured ? simulatedBadge : html`<span class="badge badge-bad">not configured</span>`}`;
}
