import { html, type Html } from "./html.ts";

/**
 * A form for what cannot be undone: its button first opens what is lost, and asks. It needs no script. `of` tells screen
 * readers what the button is about, where several of a page are called the same.
 */
export function askFirst(step: {
  /** The form posts here. */
  action: string;
  /** What the first button says, such as "Revoke". */
  verb: string;
  of?: string;
  /** What is lost. */
  lost: string;
  /** The hidden fields of the form. */
  hidden?: Html;
}): Html {
  const { action, verb, of, lost, hidden } = step;
  return html`<details class="ask">
    <summary>${verb}${of !== undefined && html`<span class="unseen"> ${of}</span>`}…</summary>
    <form method="post" action="${action}">
      ${hidden}
      <p>${lost}</p>
      <button class="secondary danger">${verb}${of !== undefined && html` ${of}`}</button>
    </form>
  </details>`;
}
