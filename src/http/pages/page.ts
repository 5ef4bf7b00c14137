import type { Response } from "express";
import { shortened } from "./truncate-text.ts";
import { html, type Html } from "./html.ts";
import { insertSentForm, type ReturnedForm, type SentForm } from "./sent-form.ts";

export const PRODUCT_NAME = "Brand Visibility";

export interface HtmlPage {
  title: string;
  body: Html;
  status?: number | undefined;
  redirectTo?: string;
}

// Pages that need scripts add a policy. Chromium applies form-action to redirects after a form
// post, so pages redirect themselves (redirectTo).
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/** Referrers stay on this site, so that form posts carry a true Origin and links do not leak. */
export const PAGE_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

const MAX_TITLE_LENGTH = 160;

const STYLE_SHEETS = ["style", "console", "figures"];

/** Scripts by the markup that requires them. Inserted texts are escaped, so they cannot match. */
const SCRIPT_PATH_BY_MARKUP = {
  "<button data-copy=": "/assets/copy.js",
  "<form data-passkey=": "/assets/passkey.js",
  " data-refresh ": "/assets/refresh.js",
};
const SCRIPT_POLICY = "; script-src 'self'; connect-src 'self'";

export function setReturnedForm(response: Response, returned: ReturnedForm): void {
  response.locals["returned"] = returned;
}

export function getSentForm(response: Response): SentForm | undefined {
  const returned = response.locals["returned"] as ReturnedForm | undefined;
  return returned && "form" in returned ? returned.form : undefined;
}

export function sendPage(response: Response, requestedPage: HtmlPage): void {
  const returned = response.locals["returned"] as ReturnedForm | undefined;
  const page = returned ? { ...requestedPage, body: insertSentForm(requestedPage.body, returned) } : requestedPage;
  response
    .set(PAGE_HEADERS)
    .set(
      "content-security-policy",
      findScripts(page).length > 0 ? CONTENT_SECURITY_POLICY + SCRIPT_POLICY : CONTENT_SECURITY_POLICY,
    )
    .status(page.status ?? 200)
    .type("html")
    .send(renderPage(page));
}

function findScripts({ body }: HtmlPage): string[] {
  return Object.entries(SCRIPT_PATH_BY_MARKUP).flatMap(([markup, script]) =>
    body.markup.includes(markup) ? [script] : [],
  );
}

/** `what` names the button for screen readers, such as "the key". Hidden without JavaScript. */
export function copyButton(id: string, what: string): Html {
  return html`<button data-copy="${id}" type="button" class="secondary" hidden>
    Copy <span class="unseen">${what}</span>
  </button>`;
}

/** Full HTML document, in one piece: streamed rows would shift table columns while loading. */
export function renderPage(page: HtmlPage): string {
  const { title, body, redirectTo } = page;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        ${redirectTo !== undefined && html`<meta http-equiv="refresh" content="0;url=${redirectTo}" />`}
        <title>${shortened(title, MAX_TITLE_LENGTH)} · ${PRODUCT_NAME}</title>
        <link rel="icon" href="/assets/mark.svg" type="image/svg+xml" />
        ${STYLE_SHEETS.map((sheet) => html`<link rel="stylesheet" href="/assets/${sheet}.css" />`)}
        <link rel="expect" href="#end" blocking="render" />
        ${findScripts(page).map((script) => html`<script src="${script}" defer></script>`)}
      </head>
      <body>
        ${body}
        <span id="end" hidden></span>
      </body>
    </html> `.markup;
}

export const wordmark = html`<span class="wordmark"
  ><svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
    <g fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round">
      <path d="M21 12a9 9 0 1 1-9-9" />
      <path d="M16.6 12A4.6 4.6 0 1 1 12 7.4" />
    </g>
    <circle cx="18.4" cy="5.6" r="2.6" class="spark" /></svg
  >${PRODUCT_NAME}</span
>`;

export function standalonePage(content: Html, options: { isWide?: boolean; footer?: Html } = {}): Html {
  return html`<div class="standing">
    <header class="standing-head">${wordmark}</header>
    <main class="card${options.isWide ? " card-wide" : ""}">${content}</main>
    ${options.footer && html`<footer class="standing-foot">${options.footer}</footer>`}
  </div>`;
}

/** Box with an error, which screen readers announce when the page opens. */
export function alertBox(message: string | undefined): Html | undefined {
  return message === undefined ? undefined : html`<p class="alert" role="alert" id="problem">${message}</p>`;
}

export function renderNoticeLine(unread: number): Html | undefined {
  if (unread === 0) return undefined;
  return html`<p class="caution" role="status">
    Something changed about your account. <a href="/account#notices">Read what</a>
  </p>`;
}

/** A readable UTC time; the element's `datetime` has the exact instant. */
export function renderInstant(at: string | null, never: string, exact: "day" | "minute" | "second" = "minute"): Html {
  if (at === null) return html`<span class="faint">${never}</span>`;
  const shown = new Date(at).toLocaleString("en-GB", {
    timeZone: "UTC",
    day: "numeric",
    month: "short",
    year: "numeric",
    ...(exact === "minute" && { hour: "2-digit", minute: "2-digit", timeZoneName: "short" }),
    ...(exact === "second" && { hour: "2-digit", minute: "2-digit", second: "2-digit" }),
  });
  return html`<time datetime="${at}">${shown}</time>`;
}
