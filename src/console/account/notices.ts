import type { NoticeKind } from "../../../core/identity/notices.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { postForm } from "../../http/pages/post-form.ts";
import { renderInstant } from "../../http/pages/page.ts";

export interface ShownNotice {
  kind: NoticeKind;
  organizationName: string | null;
  createdAt: string;
}

export function renderNoticesSection(notices: readonly ShownNotice[]): Html | undefined {
  if (notices.length === 0) return undefined;
  return html`<section aria-labelledby="notices">
    <h2 id="notices">What changed</h2>
    <ul class="cards">
      ${notices.map(
        (notice) =>
          html`<li class="item">
            <p>${NOTICE_TEXTS[notice.kind](notice.organizationName)}</p>
            <p class="hint">${renderInstant(notice.createdAt, "")}</p>
          </li>`,
      )}
    </ul>
    ${postForm(
      { action: "/account/notices", className: "stack narrow" },
      html`<div class="actions"><button class="secondary">Got it</button></div>`,
    )}
  </section>`;
}

const NOTICE_TEXTS: Record<NoticeKind, (organization: string | null) => string> = {
  handed_over: (organization) =>
    `${organization ?? "An organization"} has shown that it owns the domain of this e-mail address, so the address now belongs to the person who signs in through it. What opened the account before has ended: password, sessions, assistants and API keys. Memberships of other organizations stayed behind with the earlier account; ask their owners to invite you again.`,
  second_factor_reset: (organization) =>
    `Your second factor was removed by ${organization === null ? "the operator of this service" : `an owner of ${organization}`}. If you did not ask for that, change your password and set up a second factor again.`,
};
