import { html, type Html } from "./html.ts";
import { standalonePage } from "./page.ts";

export const signedOutPage: Html = standalonePage(
  html` <h1>You are signed out</h1>
    <p class="lead">Assistants you connected stay connected. To disconnect them, sign in and open Assistants.</p>
    <a class="button primary" href="/sign-in">Sign in again</a>`,
);

export const notSetUpPage: Html = standalonePage(
  html` <h1>Not set up yet</h1>
    <p class="lead">
      This service has no account yet. Open the link that it printed when it started. Each start prints a new one.
    </p>`,
);

/** The link is for browsers that do not redirect by themselves. */
export function redirectPage(to: string, client?: string): Html {
  return standalonePage(
    html` <h1>${client === undefined ? "One moment" : `Back to ${client}`}</h1>
      <p class="lead">You can close this window if nothing happens.</p>
      <a class="button secondary" href="${to}">Continue</a>`,
  );
}

/** Page with an OAuth error that cannot be returned to the client. */
export function renderNotConnectedPage({ code, detail }: { code: string; detail: string }): Html {
  return standalonePage(
    html` <h1>The assistant could not be connected</h1>
      <p class="lead" role="alert">
        ${ERROR_REMEDIES[code] ?? "Its request is not valid. Go back to the assistant and connect again."}
      </p>
      <p class="hint">For the developer: <code>${code}</code>${detail !== "" && html`, ${detail}`}</p>`,
  );
}

const ERROR_REMEDIES: Record<string, string> = {
  invalid_client: "Its registration no longer exists. Remove the connection in the assistant and add it again.",
  invalid_redirect_uri:
    "It asked for a redirect to an address that it did not register. Continue only with an assistant you trust.",
};

export function renderErrorPage(title: string, message: string): Html {
  return standalonePage(
    html` <h1>${title}</h1>
      <p class="lead" role="alert">${message}</p>
      <a class="button secondary" href="/">Go to the start page</a>`,
  );
}
