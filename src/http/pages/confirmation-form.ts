import { html, type Html } from "./html.ts";
import { details, postForm } from "./post-form.ts";

/**
 * Form for an irreversible action: its first button opens a confirmation, without a script. `of`
 * distinguishes equal buttons for screen readers.
 */
export function confirmationForm(step: {
  action: string;
  /** Text of the first button, such as "Revoke". */
  verb: string;
  of?: string;
  lost: string;
  about?: Readonly<Record<string, string>>;
}): Html {
  const { action, verb, of, lost, about } = step;
  return details(
    {
      attributes: html`class="ask"`,
      summary: html`${verb}${of !== undefined && html`<span class="unseen"> ${of}</span>`}…`,
    },
    postForm(
      { action, ...(about && { about }) },
      html`<p>${lost}</p>
        <button class="secondary danger">${verb}${of !== undefined && html` ${of}`}</button>`,
    ),
  );
}
