import type { Html } from "../../http/pages/html.ts";
import { sendPage } from "../../http/pages/page.ts";
import { consolePage } from "./console-page.ts";
import { renderOrganizationPage, type OrganizationPart } from "../organizations/organization-page.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";

interface PageContent {
  title: string;
  content: Html;
  status?: number | undefined;
}

export function showPage(
  { visitor, response }: Visit,
  { section, content, isWide, ...page }: PageContent & { section: string | null; isWide?: true },
): void {
  sendPage(response, { ...page, body: consolePage(section, visitor, content, { wide: isWide === true }) });
}

export function showOrganizationPage(
  { visitor, response }: Visit,
  { part, organization, content, ...page }: PageContent & OrganizationPart,
): void {
  sendPage(response, { ...page, body: renderOrganizationPage({ part, organization }, visitor, content) });
}
