import { hasHeldForm } from "../../pages/held-forms.ts";
import { html, type Html } from "../../pages/html.ts";
import { alertBox, standalonePage } from "../../pages/page.ts";

export function signInPage(form: {
  action: string;
  email?: string;
  problem?: string;
  clientName?: string;
  nextPath?: string;
}): Html {
  const invalid = form.problem !== undefined && html` aria-invalid="true" aria-describedby="problem"`;
  const atPassword = (form.email ?? "") !== "";
  return standalonePage(
    html` <h1>Sign in</h1>
      <p class="lead">
        ${form.clientName === undefined ? getWelcomeText(form.nextPath) : html`to connect <strong>${form.clientName}</strong>`}
      </p>
      ${alertBox(form.problem)}
      <form method="post" action="${form.action}" class="stack">
        ${form.nextPath !== undefined && html`<input type="hidden" name="next" value="${form.nextPath}" />`}
        <label class="field"
          >E-mail
          <input
            name="email"
            type="email"
            autocomplete="username"
            maxlength="320"
            required
            value="${form.email ?? ""}"
            ${invalid}${!atPassword && html` autofocus`}
          />
        </label>
        <label class="field"
          >Password
          <input
            name="password"
            type="password"
            autocomplete="current-password"
            maxlength="1024"
            required${invalid}${atPassword && html` autofocus`}
          />
        </label>
        <button class="primary">Sign in</button>
        <button class="secondary" formaction="/sso/sign-in" formnovalidate>Sign in with your organization</button>
      </form>
      <p class="hint">
        Forgot your password? Ask the operator of this service for a link to set a new one. If your organization has
        single sign-on, enter your e-mail and sign in with your organization.
      </p>`,
  );
}

function getWelcomeText(next: string | undefined): string {
  return next !== undefined && hasHeldForm(next)
    ? "Sign in to go on. What you entered is kept for an hour, and comes back in its form."
    : "Welcome back.";
}
