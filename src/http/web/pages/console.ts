import type { Visitor } from "../../../../auth/people/web-sessions.ts";
import { noticeLine } from "./account/notices.ts";
import { html, type Html } from "../html.ts";
import { wordmark } from "../page.ts";

const SECTIONS = [
  ["/", "Overview"],
  ["/actions", "Actions"],
  ["/organizations", "Organizations"],
  ["/assistants", "Assistants"],
  ["/api-keys", "API keys"],
] as const;

/** The console section of a page; `null` for none. */
export type Section = (typeof SECTIONS)[number][0] | null;

/** A page of the console: the navigation bar, then the content. */
export function consolePage(at: Section, visitor: Visitor, content: Html): Html {
  return html`<a class="skip" href="#content">Skip to content</a>
    <header class="bar">
      <a class="home" href="/">${wordmark}</a>
      <nav aria-label="Console">
        ${SECTIONS.map(
          ([path, name]) => html`<a href="${path}" ${path === at && html` aria-current="page"`}>${name}</a>`,
        )}
      </nav>
      <div class="who">
        <a href="/account" aria-label="Your account, ${visitor.email}">${visitor.email}</a>
        <form method="post" action="/sign-out"><button class="link">Sign out</button></form>
      </div>
    </header>
    <main class="console" id="content">${noticeLine(visitor.unreadNotices)} ${content}</main>`;
}
