import { PASSWORD_MAX_LENGTH } from "../../../auth/people/password.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { boxField } from "../../http/pages/fields.ts";
import { newPasswordField } from "../../http/sign-in/pages/set-password-page.ts";
import { postForm } from "../../http/pages/post-form.ts";
import { renderNoticesSection, type ShownNotice } from "./notices.ts";
import { alertBox, renderInstant } from "../../http/pages/page.ts";

export interface ShownSession {
  id: string;
  browser: string | null;
  created_at: string;
  last_used_at: string | null;
}

export type AccountForm = "rename" | "end" | "password" | "sign-out";

export function renderOwnAccountPage(view: {
  name: string;
  email: string;
  /** False for accounts that sign in only through an identity provider. */
  hasPassword: boolean;
  secondFactorAt: string | null;
  /** False if an organization manages the account. */
  canRename: boolean;
  sessions: readonly ShownSession[];
  hasMoreSessions: boolean;
  sessionId: string;
  notices: readonly ShownNotice[];
  done?: string | undefined;
  problem?: { form: AccountForm; message: string } | undefined;
}): Html {
  const findProblem = (form: AccountForm) => (view.problem?.form === form ? view.problem.message : undefined);
  return html` <h1>Your account</h1>
    <p class="lead">${view.email}</p>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`}
    ${renderNoticesSection(view.notices)}
    <section aria-labelledby="you">
      <h2 id="you">Your name</h2>
      ${alertBox(findProblem("rename"))}
      ${
        view.canRename
          ? postForm(
              { action: "/account/rename", className: "line" },
              (fields) =>
                html`<label class="field"
                    >Name <input ${fields.input("name", view.name)} required maxlength="255" autocomplete="name" />
                  </label>
                  <button class="secondary">Save</button>`,
            )
          : html`<p>${view.name}</p>
              <p class="hint">Your organization manages this account; its owners change the name.</p>`
      }
    </section>
    ${renderPasswordSection(view.email, view.hasPassword, findProblem("password"))}
    ${view.hasPassword && renderSecondFactorSection(view.secondFactorAt)}
    <section aria-labelledby="browsers">
      <h2 id="browsers">Where you are signed in</h2>
      ${alertBox(findProblem("end"))}
      <ul class="cards">
        ${view.sessions.map((session) => renderSessionCard(session, session.id === view.sessionId))}
      </ul>
      ${view.hasMoreSessions && html`<p class="hint">Older ones are not shown.</p>`}
      <p class="hint">
        See also your <a href="/assistants">connected assistants</a> and your <a href="/api-keys">API keys</a>.
      </p>
    </section>
    <section aria-labelledby="everywhere">
      <h2 id="everywhere">Sign out everywhere</h2>
      <p>Signs out every browser, including this one, and disconnects every assistant.</p>
      ${postForm(
        { action: "/account/sign-out", className: "stack narrow" },
        (fields) =>
          html`${boxField(fields, {
              name: "api_keys",
              label: "Also revoke my API keys",
              hint: "Programs that use them lose access at once.",
            })}
            <div class="actions"><button class="secondary danger">Sign out everywhere</button></div>`,
      )}
    </section>`;
}

function renderPasswordSection(email: string, hasPassword: boolean, problem: string | undefined): Html {
  if (!hasPassword) {
    return html`<section aria-labelledby="password">
      <h2 id="password">Password</h2>
      <p>This account has no password: you sign in through your organization.</p>
    </section>`;
  }
  const wrong = problem !== undefined && html` aria-invalid="true" aria-errormessage="problem"`;
  return html`<section aria-labelledby="password">
    <h2 id="password">Change your password</h2>
    <p>This signs out your other browsers and disconnects all assistants.</p>
    ${alertBox(problem)}
    ${postForm(
      { action: "/account/password", className: "stack narrow" },
      html` <input type="text" name="username" autocomplete="username" value="${email}" readonly hidden />
        <label class="field"
          >Current password
          <input
            name="present"
            type="password"
            required
            maxlength="${PASSWORD_MAX_LENGTH}"
            autocomplete="current-password"
            ${wrong}
          />
        </label>
        ${newPasswordField(wrong)}
        <div class="actions"><button class="secondary">Change password</button></div>`,
    )}
  </section>`;
}

function renderSecondFactorSection(since: string | null): Html {
  return html`<section aria-labelledby="second-factor">
    <h2 id="second-factor">Second factor</h2>
    ${
      since === null
        ? html`<p>Off. Your password alone opens this account.</p>`
        : html`<p><span class="badge badge-good">On</span> since ${renderInstant(since, "", "day")}</p>`
    }
    <p class="ways">
      <a class="button secondary" href="/account/second-factor">${since === null ? "Set up" : "Manage"}</a>
    </p>
  </section>`;
}

function renderSessionCard({ id, browser, created_at, last_used_at }: ShownSession, isThis: boolean): Html {
  const name = browser ?? "A browser";
  return html`<li class="item">
    <div class="item-head">
      <h3>${name}</h3>
      ${
        isThis
          ? html`<span class="badge badge-good">This browser</span>`
          : postForm(
              { action: "/account/end", hidden: { session_id: id } },
              html`<button class="secondary danger" aria-label="Sign out of ${name}">Sign out</button>`,
            )
      }
    </div>
    <dl class="meta">
      <div>
        <dt>Signed in</dt>
        <dd>${renderInstant(created_at, "")}</dd>
      </div>
      <div>
        <dt>Last used</dt>
        <dd>${renderInstant(last_used_at, isThis ? "Just now" : "Not yet")}</dd>
      </div>
    </dl>
  </li>`;
}
