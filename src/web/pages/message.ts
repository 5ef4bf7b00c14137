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

/** Something is wrong, and what to do. */
export function errorPage(title: string, message: string): Html {
  return standing(
    html` <h1>${title}</h1>
      <p class="lead" role="alert">${message}</p>
      <a class="button secondary" href="/">Go to the start page</a>`,
  );
}
