import { html, type Html } from "../../pages/html.ts";
import { copyButton, standalonePage } from "../../pages/page.ts";

/** Asks for confirmation, because the identity provider, not this browser, started the sign-in. */
export function confirmPage({ email, organization }: { email: string; organization: string }): Html {
  return standalonePage(
    html` <h1>Sign in?</h1>
      <p class="lead">
        The identity provider of <strong>${organization}</strong> wants to sign you in as <strong>${email}</strong>.
        Continue only if that is you.
      </p>
      <form method="post" action="/sso/finish" class="stack">
        <button class="primary">Continue as ${email}</button>
        <a class="button secondary" href="/sign-in">Not me</a>
      </form>`,
  );
}

/** `to` is the loopback URL of the waiting program. */
export function renderProgramPage({ code, to }: { code: string; to: URL | null }): Html {
  return standalonePage(
    html` <h1>Sign in a program</h1>
      <p class="lead">
        ${
          to === null
            ? "Enter this code in the program you started. It can act as you for 15 minutes."
            : html`The program listening on this device at <strong>${to.host}</strong> will be able to act as you for 15
                minutes.`
        }
      </p>
      ${
        to !== null &&
        html`<p><a class="button primary" href="${to.href}">Sign this program in</a></p>
          <p class="hint">Or enter this code in it:</p>`
      }
      <p class="secret"><code id="code">${code}</code>${copyButton("code", "the code")}</p>
      <p class="hint">The code works once, within one minute. Close this window if you did not start a program.</p>`,
  );
}
