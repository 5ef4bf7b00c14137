import { html, type Html } from "../../pages/html.ts";
import { alertBox, standing } from "../../pages/page.ts";
import { newPasswordField } from "../../../console/account/own-account-page.ts";

export function setPasswordPage(form: { link: string; email: string; problem?: string }): Html {
  return standing(
    html` <h1>Choose a new password</h1>
      <p class="lead">for ${form.email}</p>
      ${alertBox(form.problem)}
      <form method="post" action="/set-password" class="stack">
        <input type="hidden" name="link" value="${form.link}" />
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

export const passwordSetPage: Html = standing(
  html` <h1>Your password is set</h1>
    <p class="lead">You can sign in with it now.</p>
    <a class="button primary" href="/sign-in">Sign in</a>`,
);
