import { PROMPT_KINDS, type PromptKind } from "../../../core/prompts/brand-prompt.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { textareaField } from "../../http/pages/fields.ts";
import type { FormFields } from "../../http/pages/post-form.ts";
import type { StepView } from "./wizard.ts";
import { formatCount } from "../../../core/shared/format-count.ts";

const PROMPT_KIND_LABELS: Readonly<Record<PromptKind, string>> = {
  unaided: "Unaided: name no brand",
  aided: "Aided: whether a brand is known",
  perception: "Perception: opinions of a brand",
  attribute: "Attributes",
  comparison: "Comparisons with your brand",
};

export function renderPromptFields(fields: FormFields, { draft }: StepView): Html {
  const { edited, proposed } = draft.prompts;
  const prompts = (edited ?? proposed).map((prompt, at) => ({ ...prompt, at }));
  return html`<p class="lead">
      ${formatCount(prompts.length, edited === null ? "suggested prompt" : "prompt")}. Edit any, or clear it to skip it.
      ${edited === null && "They are suggested again if you change language, countries or personas in the next step."}
    </p>
    ${PROMPT_KINDS.map((kind) => {
      const own = prompts.filter((prompt) => prompt.kind === kind);
      if (own.length === 0) return undefined;
      const isWrong = own.some(({ at }) => fields.faultOf(`prompt_${at}`) !== undefined);
      return html`<details ${(kind === "unaided" || isWrong) && html` open`}>
        <summary>${PROMPT_KIND_LABELS[kind]} <span class="faint">${own.length}</span></summary>
        <ol class="prompt-list">
          ${own.map((prompt, index) => renderPromptField(fields, prompt, `${kind} prompt ${index + 1}`))}
        </ol>
      </details>`;
    })}
    ${textareaField(fields, {
      name: "own_prompts",
      label: "Your own prompts",
      hint: "One per line, without brand names.",
      rows: 3,
    })}`;
}

function renderPromptField(
  fields: FormFields,
  { at, text, look_alike: invented }: { at: number; text: string; look_alike: string | null },
  label: string,
): Html {
  const name = `prompt_${at}`;
  const wrong = fields.faultOf(name);
  return html`<li>
    <input
      id="${name}"
      ${fields.input(name, text)}
      maxlength="2000"
      autocomplete="off"
      aria-label="${label}"
      ${wrong !== undefined && html` aria-invalid="true" aria-describedby="${name}-wrong"`}
    />
    ${wrong !== undefined && html`<span class="wrong" id="${name}-wrong">${wrong}</span>`}
    ${invented !== null && html`<small>${invented} is a decoy name, for comparison.</small>`}
  </li>`;
}
