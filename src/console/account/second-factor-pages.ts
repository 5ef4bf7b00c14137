import { encode } from "uqr";
import { PASSWORD_MAX_LENGTH } from "../../../auth/people/password.ts";
import type { NewTotp } from "../../../auth/people/totp.ts";
import { confirmationForm } from "../../http/pages/confirmation-form.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { postForm } from "../../http/pages/post-form.ts";
import { alertBox, copyButton, renderInstant } from "../../http/pages/page.ts";
import { renderPasskeyForm } from "../../http/sign-in/pages/second-factor-page.ts";

export interface ShownPasskey {
  id: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
}

export function secondFactorPage(view: {
  path: string;
  hasPassword: boolean;
  isOn: boolean;
  appSince: string | null;
  /** Undefined outside setup. */
  newApp: NewTotp | undefined;
  passkeys: readonly ShownPasskey[];
  codesLeft: number;
  offersPasskeys: boolean;
  done: string | undefined;
  problem: string | undefined;
}): Html {
  const { path, isOn, codesLeft } = view;
  const head = html`<p class="crumb"><a href="/account">Your account</a></p>
    <h1>Second factor</h1>`;
  if (!view.hasPassword) {
    return html`${head}
      <p>This account has no password: you sign in through your organization, which decides what it asks for.</p>`;
  }
  return html`${head}
    <p class="lead">
      ${
        isOn
          ? "On. After your password, signing in asks for a code or a passkey."
          : "Off. With one, a stolen password alone does not open your account. Turning it on signs out your other browsers and disconnects all assistants."
      }
    </p>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`}
    ${view.newApp === undefined && alertBox(view.problem)} ${renderAppSection(view)}
    ${view.offersPasskeys && renderPasskeySection(view)}
    ${
      isOn &&
      html`<section aria-labelledby="codes">
          <h2 id="codes">Recovery codes</h2>
          <p>${codesLeft} left. Each signs you in once, for the day on which app and passkeys are gone.</p>
          ${confirmationForm({
            action: `${path}/codes`,
            verb: "Make new codes",
            effect: "The codes that you have now stop working.",
          })}
        </section>
        <section aria-labelledby="off">
          <h2 id="off">Turn it off</h2>
          <p>Removes the app, all passkeys and the recovery codes.</p>
          ${confirmationForm({
            action: `${path}/remove`,
            verb: "Turn off the second factor",
            effect: "Your password alone then opens this account. To turn it on again, set up an app or a passkey.",
          })}
        </section>`
    }`;
}

function renderAppSection({ path, appSince, newApp, problem }: Parameters<typeof secondFactorPage>[0]): Html {
  return html`<section aria-labelledby="app">
    <h2 id="app">Authenticator app</h2>
    ${
      appSince === null
        ? newApp === undefined
          ? html`<p>An app on your phone shows a new code every 30 seconds.</p>
              ${postForm({ action: `${path}/app` }, html`<button class="secondary">Set up an app</button>`)}`
          : confirmForm(path, newApp, problem)
        : html`<p><span class="badge badge-good">Set up</span> ${renderInstant(appSince, "", "day")}</p>
            ${confirmationForm({
              action: `${path}/app/remove`,
              verb: "Remove the app",
              effect: "Its codes no longer sign you in. Without a passkey, the second factor is then off.",
            })}`
    }
  </section>`;
}

function confirmForm(path: string, { secret, uri }: NewTotp, problem: string | undefined): Html {
  const invalid = problem !== undefined && html` aria-invalid="true" aria-errormessage="problem"`;
  return html`<ol class="steps">
      <li>
        <p>Scan this with your authenticator app, or <a href="${uri}">open it on this device</a>.</p>
        ${renderQrCode(uri)}
        <p>Or type this key:</p>
        <p class="secret">
          <code id="secret">${secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}</code> ${copyButton("secret", "the key")}
        </p>
      </li>
      <li><p>Type the code that the app shows.</p></li>
    </ol>
    ${alertBox(problem)}
    ${postForm(
      { action: `${path}/app/confirm`, className: "line" },
      html` <label class="field"
          >Code
          <input
            name="code"
            required
            inputmode="numeric"
            pattern="[0-9 ]{6,7}"
            maxlength="7"
            autocomplete="one-time-code"
            ${invalid}
          />
        </label>
        <button class="primary">Confirm</button>`,
    )}`;
}

function renderPasskeySection({ path, passkeys }: Parameters<typeof secondFactorPage>[0]): Html {
  return html`<section aria-labelledby="passkeys">
    <h2 id="passkeys">Passkeys</h2>
    <p>A passkey is kept by this device, a password manager or a security key. Needs JavaScript.</p>
    ${
      passkeys.length > 0 &&
      html`<ul class="cards">
        ${passkeys.map((passkey) => renderPasskeyCard(passkey, path))}
      </ul>`
    }
    ${postForm({ action: `${path}/passkeys/new` }, html`<button class="secondary">Add a passkey</button>`)}
  </section>`;
}

function renderPasskeyCard({ id, name, createdAt, lastUsedAt }: ShownPasskey, path: string): Html {
  return html`<li class="item">
    <div class="item-head">
      <h3>${name}</h3>
      ${confirmationForm({
        action: `${path}/passkeys/remove`,
        verb: "Remove",
        target: name,
        effect: "This passkey no longer signs you in. Without an app or another one, the second factor is then off.",
        hidden: { id },
      })}
    </div>
    <dl class="meta">
      <div>
        <dt>Added</dt>
        <dd>${renderInstant(createdAt, "")}</dd>
      </div>
      <div>
        <dt>Last used</dt>
        <dd>${renderInstant(lastUsedAt, "Not yet")}</dd>
      </div>
    </dl>
    ${postForm(
      { action: `${path}/passkeys/rename`, className: "line", hidden: { id } },
      (fields) =>
        html`<label class="field"
            ><span>Name <span class="unseen">of ${name}</span></span>
            <input ${fields.input("name", name)} required maxlength="100" autocomplete="off" />
          </label>
          <button class="secondary" aria-label="Save ${name}">Save</button>`,
    )}
  </li>`;
}

export function renderNewPasskeyPage(view: { action: string; creationOptions: object; backAddress: string }): Html {
  return html`<p class="crumb"><a href="${view.backAddress}">Second factor</a></p>
    <h1>New passkey</h1>
    <p class="lead">Name it after the device or the password manager that will keep it.</p>
    ${renderPasskeyForm(
      view.action,
      view.creationOptions,
      html`<label class="field"
          >Name <input name="name" required autofocus maxlength="100" autocomplete="off" value="Passkey" />
        </label>
        <button class="primary own-width">Create passkey</button>`,
    )}
    <noscript><p class="caution">Passkeys need JavaScript. Set up an authenticator app instead.</p></noscript>`;
}

export function renderRecoveryCodesPage(view: {
  recoveryCodes: readonly string[];
  isNew: boolean;
  backAddress: string;
}): Html {
  return html`<h1>Your recovery codes</h1>
    <p class="lead">
      ${view.isNew ? "The second factor is on." : "Your earlier codes no longer work."} Keep these where you find them
      without your phone: each signs you in once, and they are shown only now.
    </p>
    <section class="made" aria-label="Recovery codes">
      <pre class="codes" id="codes">${view.recoveryCodes.join("\n")}</pre>
      <p>${copyButton("codes", "the codes")}</p>
    </section>
    <p class="ways"><a class="button primary" href="${view.backAddress}">I have kept them</a></p>`;
}

/** Shown if the last sign-in is too old for changes to account security. */
export function renderPasswordPage(form: { action: string; email: string; problem: string | undefined }): Html {
  const invalid = form.problem !== undefined && html` aria-invalid="true" aria-errormessage="problem"`;
  return html`<p class="crumb"><a href="/account">Your account</a></p>
    <h1>Second factor</h1>
    <p class="lead">You signed in a while ago. Enter your password to go on.</p>
    ${alertBox(form.problem)}
    ${postForm(
      { action: form.action, className: "stack narrow" },
      html` <input type="text" name="username" autocomplete="username" value="${form.email}" readonly hidden />
        <label class="field"
          >Password
          <input
            name="password"
            type="password"
            required
            autofocus
            maxlength="${PASSWORD_MAX_LENGTH}"
            autocomplete="current-password"
            ${invalid}
          />
        </label>
        <div class="actions"><button class="primary">Continue</button></div>`,
    )}`;
}

function renderQrCode(text: string): Html {
  const { data, size } = encode(text, { border: 4 });
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code of the key below">
    <path d="${squares.join("")}" />
  </svg>`;
}
