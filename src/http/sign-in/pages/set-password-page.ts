import { html, type Html } from "../../pages/html.ts";
import { alertBox, standalonePage } from "../../pages/page.ts";
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "../../../../auth/people/password.ts";

export function renderSetPasswordPage(form: { linkToken: string; email: string; problem?: string }): Html {
  return standalonePage(
    html` <h1>Choose a new password</h1>
      <p class="lead">for ${form.email}</p>
      ${alertBox(form.problem)}
      <form method="post" action="/set-password" class="stack">
        <input type="hidden" name="link" value="${form.linkToken}" />
        <input type="text" name="username" autocomplete="username" value="${form.email}" readonly hidden />
        ${newPasswordField(
          form.problem === undefined
            ? html` autofocus`
            : html` autofocus aria-invalid="true" aria-errormessage="problem"`,
        )}
        <button class="primary">Set password</button>
      </form>
      <p class="hint">This signs out every browser and disconnects every assistant of this account.</p>`,
  );
}

export const passwordSetPage: Html = standalonePage(
  html` <h1>Your password is set</h1>
    <p class="lead">You can sign in with it now.</p>
    <a class="button primary" href="/sign-in">Sign in</a>`,
);

export function newPasswordField(attributes: Html | false): Html {
  return html`<label class="field"
    >New password
    <input
      name="password"
      type="password"
      required
      minlength="${PASSWORD_MIN_LENGTH}"
      maxlength="${PASSWORD_MAX_LENGTH}"
      autocomplete="new-password"
      aria-describedby="password-hint"
      ${attributes}
    />
    <span class="hint" id="password-hint"
      >At least ${PASSWORD_MIN_LENGTH} characters. A few words in a row work well.</span
    >
  </label>`;
}
