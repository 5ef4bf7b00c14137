import { removeInvisible } from "../../../core/shared/fields.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { postForm } from "../../http/pages/post-form.ts";
import { standalonePage } from "../../http/pages/page.ts";

export function renderApprovalPage(
  quoteId: string,
  { message, mustApprove }: { message: string; mustApprove: boolean },
) {
  if (!mustApprove) return renderSetupPage(message);
  return standalonePage(
    html` <h1>Approve this cost?</h1>
      <p class="lead">
        An assistant or program acting for you wants to create this. Your organization requires a person to approve this
        cost.
      </p>
      ${renderSetupAndCost(message)}
      ${postForm(
        { action: `/approve/${quoteId}`, className: "actions" },
        html`<button class="primary" name="decision" value="approve">Approve</button>
          <button class="secondary" name="decision" value="decline">Decline</button>`,
      )}`,
    { isWide: true },
  );
}

function renderSetupPage(message: string): Html {
  return standalonePage(
    html` <h1>Setup and cost</h1>
      <p class="lead">
        An assistant or program acting for you wants to create this. Nothing is created or spent here: answer where you
        were asked.
      </p>
      ${renderSetupAndCost(message)}`,
    { isWide: true },
  );
}

/** The last paragraph of the message is the cost. */
function renderSetupAndCost(message: string): Html {
  const at = message.lastIndexOf("\n\n");
  return html`<pre class="setup" tabindex="0">${removeInvisible(message.slice(0, at))}</pre>
    <pre class="setup">${removeInvisible(message.slice(at + 2))}</pre>`;
}

export function renderDecisionPage(decision: "approved" | "declined"): Html {
  const approved = decision === "approved";
  return standalonePage(
    html` <h1>${approved ? "Approved" : "Declined"}</h1>
      <p class="lead">
        ${
          approved
            ? "Go back to the assistant and tell it to continue. It can now create this once."
            : "Nothing was created and no credits were spent. This quote can no longer be used."
        }
      </p>
      <a class="button secondary" href="/">Go to the start page</a>`,
  );
}
