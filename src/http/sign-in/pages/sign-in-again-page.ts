import { html, type Html } from "../../pages/html.ts";
import { standalonePage } from "../../pages/page.ts";

export function renderSignInAgainPage(form: {
  email: string;
  nextPath: string;
  through: string | undefined;
  hasPassword: boolean;
}): Html {
  const { email, nextPath, through, hasPassword } = form;
  const query = new URLSearchParams({ relay_path: nextPath, login_hint: email, again: "1" });
  return standalonePage(
    html` <h1>Sign in again</h1>
      <p class="lead">
        This gives access or changes who has it, so you must have signed in within the last ten minutes. What you
        entered is kept.
      </p>
      ${
        through !== undefined &&
        html`<a class="button primary" href="/sso/${through}/start?${query.toString()}"
          >Sign in with your organization</a
        >`
      }
      ${
        (hasPassword || through === undefined) &&
        html`<form method="post" action="/sign-in" class="stack">
          <input type="hidden" name="next" value="${nextPath}" />
          <label class="field"
            >E-mail <input name="email" type="email" autocomplete="username" readonly value="${email}"
          /></label>
          <label class="field"
            >Password
            <input
              name="password"
              type="password"
              autocomplete="current-password"
              maxlength="1024"
              required
              ${through === undefined && html` autofocus`}
            />
          </label>
          <button class="${through === undefined ? "primary" : "secondary"}">Sign in</button>
          ${
            through === undefined &&
            html`<button class="secondary" formaction="/sso/sign-in" formnovalidate>
              Sign in with your organization
            </button>`
          }
        </form>`
      }`,
  );
}
