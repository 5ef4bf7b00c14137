import { html, type Html } from "../html.ts";
import { standing } from "../page.ts";

/** What a person approves: the whole setup, the cost, the balance after it. */
export function approvePage(quoteId: string, message: string): Html {
  return standing(
    html` <h1>Approve this cost?</h1>
      <p class="lead">
        An assistant or program that acts for you wants to create this. Your organization asks a person to approve what
        costs this much.
      </p>
      <pre class="setup" tabindex="0">${message}</pre>
      <form method="post" action="/approve/${quoteId}" class="actions">
        <button class="primary" name="decision" value="approve">Approve</button>
        <button class="secondary" name="decision" value="decline">Decline</button>
      </form>`,
    { wide: true },
  );
}

/** After the decision. */
export function decidedPage(decision: "approved" | "declined"): Html {
  const approved = decision === "approved";
  return standing(
    html` <h1>${approved ? "Approved" : "Declined"}</h1>
      <p class="lead">
        ${
          approved
            ? "Go back to the assistant and tell it to go on: it can create now what you saw, once."
            : "Nothing was created and nothing was spent. This price cannot be used any more."
        }
      </p>
      <a class="button secondary" href="/">Go to the start page</a>`,
  );
}
