import { html, type Html } from "../../html.ts";
import { copyButton, standing } from "../../page.ts";

/** Somebody's identity provider wants to sign this browser in, without our having asked. */
export function confirmPage({ email, organization }: { email: string; organization: string }): Html {
  return standing(
    html` <h1>Sign in?</h1>
      <p class="lead">
        The identity provider of <strong>${organization}</strong> signs you in as <strong>${email}</strong>. Go on only
        if that is you.
      </p>
      <form method="post" action="/sso/finish" class="stack">
        <button class="primary">Go on as ${email}</button>
        <a class="button secondary" href="/sign-in">Not me</a>
      </form>`,
  );
}

/** The code for a program that waits for it; `to` is where it listens on this device. */
export function programPage({ code, to }: { code: string; to: URL | null }): Html {
  return standing(
    html` <h1>Sign in a program</h1>
      <p class="lead">
        ${
          to === null
            ? "Give this code to the program that you started. It acts as you for 15 minutes."
            : html`The program that listens on this device at <strong>${to.host}</strong> will act as you for 15
                minutes.`
        }
      </p>
      ${
        to !== null &&
        html`<p><a class="button primary" href="${to.href}">Sign this program in</a></p>
          <p class="hint">Or give it this code:</p>`
      }
      <p class="secret"><code id="code">${code}</code>${copyButton("code", "the code")}</p>
      <p class="hint">It works once, within a minute. Close this window if you did not start a program.</p>`,
  );
}
