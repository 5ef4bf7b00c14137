import { html, type Html } from "../../http/pages/html.ts";
import type { Frame, FramedVisitor } from "../../http/pages/frame.ts";
import { wordmark, renderNoticeLine } from "../../http/pages/page.ts";
import { findSection, buildSectionAddress, type BarSection } from "../../http/pages/section.ts";

type Workspace = NonNullable<Frame["workspace"]>;

/** `key` is the first path segment of a page in the bar. `wide` is for tables and charts. */
export function consolePage(key: string | null, visitor: FramedVisitor, content: Html, { wide = false } = {}): Html {
  const { frame, unreadNoticeCount } = visitor;
  const current = key === null ? undefined : findSection(frame.sections, key);
  return html`<a class="skip" href="#content">Skip to content</a>
    <div class="frame">
      <header class="side">
        <a class="home" href="/">${wordmark}</a>
        ${renderWorkspaceSwitcher(current, frame)}
        <nav aria-label="Workspace">
          ${frame.sections.map((section) => renderSectionLink(section, section === current, frame))}
        </nav>
        ${renderAccountMenu(visitor)}
      </header>
      <main class="console${wide ? " console-wide" : ""}" id="content">
        ${renderNoticeLine(unreadNoticeCount)} ${content}
      </main>
    </div>`;
}

function renderSectionLink(section: BarSection, isCurrent: boolean, { workspace }: Frame): Html | false {
  const href = buildSectionAddress(section, workspace);
  return (
    href !== undefined &&
    html`<a href="${href}" ${isCurrent && html` aria-current="page"`}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
        <path d="${section.icon}" />
      </svg>
      ${section.name}</a
    >`
  );
}

/** Workspaces with favourites first; links stay in the current section. */
function renderWorkspaceSwitcher(
  current: BarSection | undefined,
  { workspaces, workspace, organizations, favourites, sections }: Frame,
): Html | false {
  const section = current ?? sections[0];
  if (!workspace || !section) return false;
  const findOrganization = (one: Workspace) => organizations.find(({ id }) => id === one.organization_id)?.name;
  return html`<details class="switch" name="menu">
    <summary>
      <span class="unseen">Workspace:</span> <span class="switch-name"><bdi>${workspace.name}</bdi></span>
      <small><bdi>${findOrganization(workspace)}</bdi></small>
    </summary>
    <ul class="menu">
      ${workspaces.map(
        (one) =>
          html`<li>
            <a href="${buildSectionAddress(section, one)}" ${one.id === workspace.id && html` aria-current="true"`}>
              <span
                ><bdi>${one.name}</bdi
                >${favourites.has(one.id) && html` <span class="spark-text" title="Favourite">★</span>`}</span
              >
              <small><bdi>${findOrganization(one)}</bdi></small></a
            >
          </li>`,
      )}
    </ul>
  </details>`;
}

function renderAccountMenu({ name, email }: FramedVisitor): Html {
  return html`<details class="avatar" name="menu">
    <summary aria-label="${name}, your account">
      <span class="face" data-letters="${toInitials(name, email)}"></span>
      <span class="avatar-name"><bdi>${name}</bdi></span>
    </summary>
    <ul class="menu">
      <li class="menu-head">${email}</li>
      <li><a href="/account">Account</a></li>
      <li><a href="/assistants">Assistants</a></li>
      <li><a href="/api-keys">API keys</a></li>
      <li>
        <form method="post" action="/sign-out"><button>Sign out</button></form>
      </li>
    </ul>
  </details>`;
}

function toInitials(name: string, email: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => /^./u.exec(word ?? "")?.[0]);
  return (letters.join("") || email.slice(0, 1)).toUpperCase();
}
