import { html, type Html } from "./html.ts";
import { details, postForm } from "./post-form.ts";

/** The first button opens a confirmation, without a script. `target` is for screen readers. */
export function confirmationForm(step: {
  action: string;
  /** Text of the first button, such as "Revoke". */
  verb: string;
  target?: string;
  effect: string;
  hidden?: Readonly<Record<string, string>>;
}): Html {
  const { action, verb, target, effect, hidden } = step;
  return details(
    {
      attributes: html`class="ask"`,
      summary: html`${verb}${target !== undefined && html`<span class="unseen"> ${target}</span>`}…`,
    },
    postForm(
      { action, ...(hidden && { hidden }) },
      html`<p>${effect}</p>
        <button class="secondary danger">${verb}${target !== undefined && html` ${target}`}</button>`,
    ),
  );
}
