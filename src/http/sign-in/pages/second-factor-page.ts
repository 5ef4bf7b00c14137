import { html, type Html } from "../../pages/html.ts";
import { alertBox, standalonePage } from "../../pages/page.ts";

export function renderSecondFactorPage(form: {
  action: string;
  email: string;
  hasApp: boolean;
  passkey: object | undefined;
  problem: string | undefined;
}): Html {
  const invalid = form.problem !== undefined && html` aria-invalid="true" aria-errormessage="problem"`;
  return standalonePage(
    html` <h1>Second step</h1>
      <p class="lead">for ${form.email}</p>
      ${alertBox(form.problem)}
      ${
        form.passkey !== undefined &&
        renderPasskeyForm(form.action, form.passkey, html`<button class="primary">Use a passkey</button>`)
      }
      <form method="post" action="${form.action}" class="stack">
        <label class="field"
          >Code
          <input
            name="code"
            required
            autofocus
            maxlength="64"
            autocomplete="one-time-code"
            autocapitalize="off"
            spellcheck="false"
            aria-describedby="code-hint"
            ${invalid}
          />
          <span class="hint" id="code-hint"
            >${
              form.hasApp ? "The six digits that your authenticator app shows, or a recovery code." : "A recovery code."
            }</span
          >
        </label>
        <button class="${form.passkey === undefined ? "primary" : "secondary"}">Continue</button>
      </form>
      <p class="hint">
        Without any of these: an owner of your organization, or the operator of this service, can take the second factor
        away. <a href="/sign-in">Start again</a>
      </p>`,
  );
}

/** A script fills the field `passkey` with the WebAuthn response. Hidden without the script. */
export function renderPasskeyForm(action: string, asked: object, content: Html): Html {
  return html`<form data-passkey="${JSON.stringify(asked)}" method="post" action="${action}" class="stack" hidden>
    <input type="hidden" name="passkey" value="" />
    ${content}
    <p class="hint" role="status"></p>
  </form>`;
}
