import { html, type Html } from "./html.ts";
import { details, postForm } from "./post-form.ts";

/**
 * Form for what cannot be undone: its button first opens what is lost, and asks. It needs no script. `of` tells screen
 * readers what the button is about, where several of a page are called the same.
 */
export function askFirst(step: {
  /** The form posts here. */
  action: string;
  /** Text of the first button, such as "Revoke". */
  verb: string;
  of?: string;
  lost: string;
  /** Hidden fields of the form. */
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
