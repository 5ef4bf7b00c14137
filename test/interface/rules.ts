import { FIELD_TABLES, type FieldRow } from "./field-tables.ts";
import { PARAMETER_TABLES } from "./parameter-tables.ts";

// All rules of interface.md: `section · row` with its statement. A test compares this table with
// the file.
// Codes of section 7 with their statuses.

/** Codes of section 7 with their statuses. */
export const SUBMISSION_CODES: readonly [status: number, code: string][] = [
  [400, "DUE_DATE_IN_PAST"],
  [409, "ALREADY_SENT"],
  [409, "BRIEF_NOT_READY"],
  [409, "PARTNER_NOT_CONNECTED"],
  [409, "PARTNER_RECIPIENTS_NOT_CONFIGURED"],
  [409, "PARTNER_RECIPIENTS_INVALID"],
  [422, "BRIEF_CONTENT_TOO_LONG"],
  [422, "PARTNER_VALIDATION_ERROR"],
  [502, "PARTNER_ERROR"],
  [503, "PARTNER_UNAVAILABLE"],
  [503, "WORKSPACE_UNAVAILABLE"],
];

/** Enumerations of section 2.7, in order. */
export const ENUMERATIONS: Record<string, readonly string[]> = {
  Sources: [
    "SEARCH_A",
    "SEARCH_A_AIO",
    "ASSISTANT_A",
    "ASSISTANT_B",
    "SEARCH_B",
    "SEARCH_B_AIO",
    "SEARCH_B_AI_MODE",
    "ASSISTANT_C",
    "ASSISTANT_D",
    "MARKETPLACE_ASSISTANT",
  ],
  "Competitor types": [
    "BRANDED_WEBSITE",
    "COMMUNITY_HELP_CENTER",
    "COMPARISON_SITE",
    "GOVERNMENT_ACADEMIC",
    "INFLUENCER_CREATOR_BLOG",
    "NEWS_MEDIA",
    "PRODUCT_REVIEW_SITE",
    "QA_FORUM",
    "RETAIL_ECOMMERCE",
    "SPECIALIST_BLOG",
    "WIKI_ENCYCLOPEDIA",
    "UNKNOWN",
  ],
  "Keyword types": ["Generic", "Brand"],
  "Funnel stages": ["ToFu", "MoFu", "BoFu"],
};

/** Functional areas of section 1. */
export const AREAS = [
  "Auth",
  "Organizations",
  "Workspaces",
  "Analyses",
  "Asset Evaluations",
  "Brand Catalog",
  "Content Briefs",
  "Metrics",
  "Tags",
  "SSO",
  "Recommended Action Brief",
  "Platform Integrations",
];

const PROSE: Record<string, string> = {
  "1 · HTTPS and JSON": "the interface answers JSON over HTTP, at the addresses that are configured",
  "1 · organizations contain workspaces": "a workspace belongs to one organization",
  "1 · Brand Awareness": "the opinion that models hold about brands in relation to categories",
  "1 · Brand Perception": "the sentiment of models towards a brand, from pros and cons",
  "1 · actions, tasks and briefs": "a recommended action has tasks, a task has a brief with title and body",
  "1 · search-metrics address": "the search-metrics interface can have an address of its own",
  "1 · tools: transport": "Model Context Protocol over Streamable HTTP",
  "1 · tools: sign-in": "through a browser on the first tool call, with the account of the web application",
  "1 · tools: reads": "every GET endpoint of the core and of search metrics, except account administration",
  "1 · tools: not account administration":
    "API keys, platform integrations and accounts, user roles, favourites, single sign-on, SCIM",
  "1 · tools: search analyses": "creating and pricing them is a tool",
  "1 · tools: brand analyses": "creating and pricing them is a tool",
  "1 · tools: GEO audits": "creating and pricing them is a tool",
  "1 · tools: personas": "creating them is a tool",
  "1 · tools: asset evaluations": "managing them is a tool",
  "1 · tools: no other write": "every other write is no tool",
  "1 · tools: role": "write tools act with the role of the signed-in user",
  "1 · creating: organization owner": "may create",
  "1 · creating: organization editor": "may create",
  "1 · creating: workspace editor": "may create in the target workspace, and in no other",
  "1 · creating: others": "viewers and guests may not create",
  "1 · cost and confirmation": "before creating an analysis the whole setup and its cost are shown and a yes awaited",
  "2 · identifiers": "are UUID strings",
  "2 · timestamps": "are ISO 8601 date-times",
  "3 · status values": "not_started, in_progress, implemented",
  "3 · not sent, everything in order": "the brief is sent: 200 with the partner fields filled",
  "3 · not sent, recipients missing or invalid": "the draft is stored with its reference, and can be sent again",
  "3 · sent": "sending again changes nothing and is 409 ALREADY_SENT",
  "4 · path identifiers": "are UUID strings",
  "4 · application/json": "is accepted by core write endpoints",
  "4 · application/x-www-form-urlencoded": "is accepted by core write endpoints",
  "4 · multipart/form-data": "is accepted by core write endpoints",
  "4 · any other content type": "is accepted by core write endpoints with the same shape",
  "4.1 · address":
    "POST …/recommended-actions/{result_id}/tasks/{task_id}/brief/partner, send_recommended_action_brief_to_partner",
  "4.1 · authentication": "bearer",
  "4.1 · path parameters": "organization_id, workspace_id, result_id, task_id: required, uuid",
  "4.1 · due_date": "string, date-time, required",
  "4.1 · 200": "Brief created and submitted at the partner",
  "4.1 · 400": "invalid or past due date, with the brief",
  "4.1 · 401": "credentials missing or invalid, without a brief",
  "4.1 · 404": "task or brief not found, without a brief",
  "4.1 · 409": "sent, not ready, not connected, recipients; with the brief, which holds a draft's reference",
  "4.1 · 422": "content too long, or rejected by the partner, with the brief",
  "4.1 · 502": "unexpected partner error, with the brief",
  "4.1 · 503": "partner or workspace lookup unavailable, with the brief; retryable",
  "4.2 · address": "POST …/workspaces/{workspace_id}/tags, group Tags, bearer",
  "4.2 · path parameters": "organization_id, workspace_id: required, uuid",
  "4.2 · name": "string, at most 255",
  "4.2 · parent": "a tag of the same workspace; makes a child",
  "4.2 · color": "string, at most 7, #RRGGBB",
  "4.2 · rule 1": "the hierarchy is limited to two levels",
  "4.2 · rule 2": "a new tag is appended at the end of its parent's order",
  "4.2 · rule 3": "a value passed for order is ignored",
  "4.2 · rule 4": "workspace-scoped; POST /v1/organizations/{organization_id}/tags makes an organization's",
  "4.2 · response": "the tag (2.3) that was created",
  "4.3 · address": "POST /v1/auth/token, without an authentication header",
  "4.3 · api_key": "string in a JSON body, a long-lived key",
  "4.3 · access_token": "is in the answer, and is short-lived",
  "4.4 · address": "POST /v1/auth/sso/exchange, without an authentication header",
  "4.4 · code": "string in a JSON body, works once",
  "4.4 · response": "the exchange result (2.4)",
  "4.5 · address": "GET /v1/workspaces with a bearer token",
  "4.5 · response": "the workspaces that the token can access",
  "4.6 · address": "GET {search_base_url}/api/v1/keywords-metrics with a bearer token",
  "4.6 · response": "data, required, rows of 2.5",
  "4.7 · address": "GET {search_base_url}/api/v1/top-brands with a bearer token",
  "4.7 · response": "total_count integer and data, rows of 2.6, both required",
  "4.8 · refresh": "there is a refresh endpoint for tokens",
  "5 · bearer": "default of every core and search-metrics endpoint, in the Authorization header",
  "5 · expired": "an expired token is 401",
  "5 · new token": "through the key exchange or the refresh endpoint",
  "5 · user key": "acts for its user across the user's organizations",
  "5 · organization key": "is limited to one organization",
  "5 · workspace key": "is limited to one workspace",
  "5 · key value": "is shown once at creation",
  "5 · raw key": "is not accepted where a bearer token is needed",
  "5 · OAuth 2.0": "connects platform accounts, through the console",
  "5 · single sign-on": "a one-time code is exchanged for a JWT",
  "5 · declared scheme": "the Authorization header carries the bearer value",
  "5 · agent tools": "sign-in by browser; tools act with that person's role",
  "7 · body": "brief, code, message",
  "7 · set": "exactly the eleven codes",
  "7 · invalid due_date": "is 400",
  "7 · 401": "credentials missing, invalid or expired",
  "7 · 404": "task or brief not found",
  "8 · Tag name": "at most 255 characters",
  "8 · Tag color": "at most 7 characters, form #RRGGBB",
  "8 · Tag hierarchy": "two levels",
  "8 · Tags: order": "set by the service; appended at the end of the parent",
  "9 · v1": "is the version",
  "9 · paths": "core paths start with /v1/, search-metrics paths with /api/v1/",
  "9 · deployments": "the description names the address of the deployment that serves it",
  "9 · no other marker": "no other version is declared",
};

function fieldSays({ type, nullable, required }: FieldRow): string {
  const never = nullable === undefined ? "" : nullable ? "; can be null" : "; never null";
  return `${type}${never}${required === undefined ? "" : required ? "; required" : "; optional"}`;
}

/** Every rule by its id. */
export const RULES: ReadonlyMap<string, string> = new Map([
  ...AREAS.map((area): [string, string] => [`1 · group ${area}`, "is a group of the interface"]),
  ...Object.entries(FIELD_TABLES).flatMap(([section, rows]) =>
    rows.map((row): [string, string] => [`${section} · ${row.name}`, fieldSays(row)]),
  ),
  ...Object.entries(ENUMERATIONS).map(([name, members]): [string, string] => [`2.7 · ${name}`, members.join(", ")]),
  ...Object.entries(PARAMETER_TABLES).flatMap(([section, rows]) =>
    rows.map(({ name, type, required }): [string, string] => [
      `${section} · ${name}`,
      `${type}; ${required ? "required" : "optional"}`,
    ]),
  ),
  ...SUBMISSION_CODES.map(([status, code]): [string, string] => [`7 · ${status} ${code}`, "the pairing"]),
  ...Object.entries(PROSE),
]);
