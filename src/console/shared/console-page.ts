import { html, type Html } from "../../http/pages/html.ts";
import type { Frame, FramedVisitor } from "../../http/pages/frame.ts";
import { wordmark, noticeLine } from "../../http/pages/page.ts";
import {
  analysesAddress,
  answersAddress,
  brandsAddress,
  perceptionAddress,
  promptsAddress,
  sitesAddress,
  visibilityAddress,
} from "./page-addresses.ts";

type Workspace = NonNullable<Frame["workspace"]>;

const SECTIONS = {
  visibility: {
    name: "Visibility",
    address: ({ organization_id, id }: Workspace) => visibilityAddress({ organization_id, workspace_id: id }),
    icon: "M2.5 12.5 6 8.2l2.6 2.3 4.9-6.5M10.3 4h3.2v3.2",
  },
  prompts: {
    name: "Prompts",
    address: ({ organization_id, id }: Workspace) => promptsAddress({ organization_id, workspace_id: id }),
    icon: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4l3.1 3.1",
  },
  answers: {
    name: "Answers",
    address: ({ organization_id, id }: Workspace) => answersAddress({ organization_id, workspace_id: id }),
    icon: "M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2zM5 6h6M5 8h4",
  },
  sources: {
    name: "Sources",
    address: ({ organization_id, id }: Workspace) => sitesAddress({ organization_id, workspace_id: id }),
    icon: "M6.5 9.5l3-3M7.5 4.8l1.3-1.3a2.6 2.6 0 0 1 3.7 3.7l-1.3 1.3M8.5 11.2l-1.3 1.3a2.6 2.6 0 0 1-3.7-3.7l1.3-1.3",
  },
  perception: {
    name: "Perception",
    address: ({ organization_id, id }: Workspace) => perceptionAddress({ organization_id, workspace_id: id }),
    icon: "M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM5.7 9.6a2.8 2.8 0 0 0 4.6 0M6 6.4h.01M10 6.4h.01",
  },
  audits: {
    name: "Audits",
    address: ({ organization_id, id }: Workspace) => `/audits/${organization_id}/${id}`,
    icon: "M3.5 3.5h9v9h-9zM5.8 8.2l1.5 1.5 2.9-3.2",
  },
  actions: {
    name: "Actions",
    address: ({ id }: Workspace) => `/actions?workspace=${id}`,
    icon: "M9 2.5 4 9h3.5L7 13.5 12 7H8.5z",
  },
  brands: {
    name: "Brands",
    address: ({ organization_id, id }: Workspace) => brandsAddress({ organization_id, workspace_id: id }),
    icon: "M2.5 2.5h5l6 6-5 5-6-6zM5.4 5.4h.01",
  },
  analyses: {
    name: "Analyses",
    address: ({ organization_id, id }: Workspace) => analysesAddress({ organization_id, workspace_id: id }),
    icon: "M2.5 13.5v-4M6.2 13.5v-7M9.8 13.5v-5M13.5 13.5v-11",
  },
  settings: {
    name: "Settings",
    address: ({ id }: Workspace) => `/settings?workspace=${id}`,
    icon: "M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M8.5 5a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0zM4.5 11a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0z",
  },
} as const;

export type Section = keyof typeof SECTIONS | null;

/** Console page with the navigation bar. `wide` is for tables and charts. */
export function consolePage(at: Section, visitor: FramedVisitor, content: Html, { wide = false } = {}): Html {
  const { frame, unreadNotices } = visitor;
  return html`<a class="skip" href="#content">Skip to content</a>
    <div class="frame">
      <header class="side">
        <a class="home" href="/">${wordmark}</a>
        ${workspaceSwitcher(at, frame)}
        <nav aria-label="Workspace">
          ${Object.entries(SECTIONS).map(([section, of]) => sectionLink(of, section === at, frame))}
        </nav>
        ${accountMenu(visitor)}
      </header>
      <main class="console${wide ? " console-wide" : ""}" id="content">${noticeLine(unreadNotices)} ${content}</main>
    </div>`;
}

function sectionLink(
  { name, address, icon }: (typeof SECTIONS)[keyof typeof SECTIONS],
  isCurrent: boolean,
  { workspace }: Frame,
): Html | false {
  const href = workspace ? address(workspace) : name === "Settings" && "/settings";
  return (
    href !== false &&
    html`<a href="${href}" ${isCurrent && html` aria-current="page"`}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false"><path d="${icon}" /></svg>
      ${name}</a
    >`
  );
}

/** Workspaces with favourites first; links stay in the current section. */
function workspaceSwitcher(at: Section, { workspaces, workspace, organizations, favourites }: Frame): Html | false {
  if (!workspace) return false;
  const organizationOf = (one: Workspace) => organizations.find(({ id }) => id === one.organization_id)?.name;
  const { address } = SECTIONS[at ?? "visibility"];
  return html`<details class="switch" name="menu">
    <summary>
      <span class="unseen">Workspace:</span> <span class="switch-name"><bdi>${workspace.name}</bdi></span>
      <small><bdi>${organizationOf(workspace)}</bdi></small>
    </summary>
    <ul class="menu">
      ${workspaces.map(
        (one) =>
          html`<li>
            <a href="${address(one)}" ${one.id === workspace.id && html` aria-current="true"`}>
              <span
                ><bdi>${one.name}</bdi
                >${favourites.has(one.id) && html` <span class="spark-text" title="Favourite">★</span>`}</span
              >
              <small><bdi>${organizationOf(one)}</bdi></small></a
            >
          </li>`,
      )}
    </ul>
  </details>`;
}

function accountMenu({ name, email }: FramedVisitor): Html {
  return html`<details class="avatar" name="menu">
    <summary aria-label="${name}, your account">
      <span class="face" data-letters="${initials(name, email)}"></span>
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

function initials(name: string, email: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => /^./u.exec(word ?? "")?.[0]);
  return (letters.join("") || email.slice(0, 1)).toUpperCase();
}
