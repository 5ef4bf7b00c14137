import { html, type Html } from "../html.ts";
import { standing } from "../page.ts";

/** Signed out. */
export const signedOutPage: Html = standing(
  html` <h1>You are signed out</h1>
    <p class="lead">
      Assistants that you connected stay connected. You can end them under Assistants when you are signed in.
    </p>
    <a class="button primary" href="/sign-in">Sign in again</a>`,
);

/** Nobody has an account yet. */
export const notSetUpPage: Html = standing(
  html` <h1>Not set up yet</h1>
    <p class="lead">
      This service has no account. Open the link that it printed when it started; each start prints a fresh one.
    </p>`,
);

/** Shown for a moment while the browser goes on; the link is for browsers that do not. */
export function goingOnPage(to: string, client?: string): Html {
  return standing(
    html` <h1>${client === undefined ? "One moment" : `Back to ${client}`}</h1>
      <p class="lead">You can close this window if nothing more happens.</p>
      <a class="button secondary" href="${to}">Continue</a>`,
  );
}

/** An authorization request that cannot be answered to its client, so that the person must be told. */
export function notConnectedPage({ code, detail }: { code: string; detail: string }): Html {
  return standing(
    html` <h1>The assistant could not be connected</h1>
      <p class="lead" role="alert">
        ${REMEDIES[code] ?? "Its request cannot be answered. Go back to it and connect again."}
      </p>
      <p class="hint">For its maker: <code>${code}</code>${detail !== "" && html`, ${detail}`}</p>`,
  );
}

const REMEDIES: Record<string, string> = {
  invalid_client: "It is not known here any more. Remove the connection in the assistant and add it anew.",
  invalid_redirect_uri:
    "It wants its answer at an address that it did not register. Go on only with an assistant you trust.",
};

/** Something is wrong, and what to do. */
export function errorPage(title: string, message: string): Html {
  return standing(
    html` <h1>${title}</h1>
      <p class="lead" role="alert">${message}</p>
      <a class="button secondary" href="/">Go to the start page</a>`,
  );
}
