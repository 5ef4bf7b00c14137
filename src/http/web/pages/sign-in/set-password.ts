import { html, type Html } from "../../html.ts";
import { alertBox, standing } from "../../page.ts";
import { newPasswordField } from "../own-account.ts";

/** The page behind the link by which a person sets a password. */
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
      <p class="hint">Every browser and every assistant that is signed in to this account is signed out.</p>`,
  );
}

/** The password is set. */
export const passwordSetPage: Html = standing(
  html` <h1>Your password is set</h1>
    <p class="lead">Sign in with it now.</p>
    <a class="button primary" href="/sign-in">Sign in</a>`,
);
