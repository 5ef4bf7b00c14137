import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "../../../../auth/people/password.ts";
import type { OrganizationRole } from "../../../../core/identity/roles.ts";
import { html, type Html } from "../../pages/html.ts";
import { alertBox, renderInstant, standalonePage } from "../../pages/page.ts";

export const ROLE_IN_WORDS: Record<OrganizationRole, string> = {
  owner: "can manage everything",
  editor: "can create and edit in every workspace",
  viewer: "can view every workspace",
  guest: "can access only workspaces shared with them",
};

/** Offers sign-in and joining, so that it does not reveal whether the e-mail has an account. */
export function renderInvitationPage(view: {
  linkToken: string;
  invitation: {
    email: string;
    role: OrganizationRole;
    organizationName: string;
    inviterName: string;
    expiresAt: string;
  };
  visitorEmail: string | undefined;
  formValues: URLSearchParams;
  problem?: string | undefined;
  invalidField?: string | undefined;
}): Html {
  const { invitation, visitorEmail } = view;
  return standalonePage(
    html` <h1>Join ${invitation.organizationName}</h1>
      <p class="lead">${invitation.inviterName} invites you to Brand Visibility.</p>
      ${alertBox(view.problem)}
      <dl class="facts">
        <div>
          <dt>For</dt>
          <dd>${invitation.email}</dd>
        </div>
        <div>
          <dt>Role</dt>
          <dd><span class="badge">${invitation.role}</span> ${ROLE_IN_WORDS[invitation.role]}</dd>
        </div>
        <div>
          <dt>Expires</dt>
          <dd>${renderInstant(invitation.expiresAt, "")}</dd>
        </div>
      </dl>
      ${visitorEmail === undefined ? renderSignInOrJoin(view) : visitorEmail === invitation.email ? renderAcceptForm(view.linkToken) : renderWrongAccount(visitorEmail)}`,
    { isWide: true },
  );
}

function renderAcceptForm(link: string): Html {
  return html`<form method="post" action="/invitations/accept" class="stack">
    <input type="hidden" name="link" value="${link}" />
    <button class="primary">Accept</button>
  </form>`;
}

function renderWrongAccount(visitor: string): Html {
  return html`<p class="caution">
      You are signed in as ${visitor}, but this invitation is for another e-mail address. Sign out, then open the link
      again.
    </p>
    <form method="post" action="/sign-out" class="stack"><button class="secondary">Sign out</button></form>`;
}

function renderSignInOrJoin({
  linkToken,
  formValues,
  invalidField,
}: {
  linkToken: string;
  formValues: URLSearchParams;
  invalidField?: string | undefined;
}) {
  const next = `/invitations/accept?link=${encodeURIComponent(linkToken)}`;
  const invalid = (name: string) =>
    name === invalidField && html` aria-invalid="true" aria-errormessage="problem"${" "}autofocus`;
  return html`<p class="ways">
      <a class="button secondary" href="/sign-in?next=${encodeURIComponent(next)}">I have an account: sign in</a>
    </p>
    <form method="post" action="/invitations/join" class="stack">
      <input type="hidden" name="link" value="${linkToken}" />
      <fieldset>
        <legend>Or create an account</legend>
        <label class="field"
          >Name
          <input
            name="name"
            required
            autocomplete="name"
            maxlength="255"
            value="${formValues.get("name") ?? ""}"
            ${invalid("name")}
        /></label>
        <label class="field"
          >Password
          <input
            name="password"
            type="password"
            required
            autocomplete="new-password"
            minlength="${PASSWORD_MIN_LENGTH}"
            maxlength="${PASSWORD_MAX_LENGTH}"
            aria-describedby="password-hint"
            ${invalid("password")}
          />
          <span class="hint" id="password-hint"
            >At least ${PASSWORD_MIN_LENGTH} characters. A few words in a row work well.</span
          ></label
        >
      </fieldset>
      <button class="primary">Create account and join</button>
    </form>`;
}
