import type { FramedVisitor } from "../../http/pages/frame.ts";
import type { OrganizationRole } from "../../../core/identity/roles.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { consolePage } from "../shared/console-page.ts";

/** Path, name, and whether only owners see the page. */
const ORGANIZATION_PAGES = [
  ["", "General", false],
  ["/members", "Members", true],
  ["/api-keys", "API keys", true],
  ["/sso", "Single sign-on", true],
  ["/domains", "Domains", true],
  ["/scim", "Provisioning", true],
  ["/sources", "Source providers", true],
  ["/audit-log", "Audit log", true],
] as const;

export interface OrganizationPart {
  part: (typeof ORGANIZATION_PAGES)[number][0];
  organization: { id: string; name: string; role: OrganizationRole };
}

export function renderOrganizationPage(
  { part, organization }: OrganizationPart,
  visitor: FramedVisitor,
  content: Html,
) {
  const tabs = ORGANIZATION_PAGES.filter(([, , ownersOnly]) => !ownersOnly || organization.role === "owner");
  const address = `/organizations/${organization.id}`;
  return consolePage(
    "settings",
    visitor,
    html`<div class="beside">
      <nav class="parts" aria-label="${organization.name}">
        <p class="parts-of">${organization.name}</p>
        ${tabs.map(
          ([path, name]) =>
            html`<a href="${address}${path}" ${path === part && html` aria-current="page"`}>${name}</a>`,
        )}
      </nav>
      <div class="part">${content}</div>
    </div>`,
  );
}
