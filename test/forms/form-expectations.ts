import { buildSampleLines } from "../../src/console/analyses/import-page.ts";
import { PASSWORD } from "../support/assistant.ts";
import type { FormExpectation } from "./send-forms.ts";
import { createMetadata, createCertificate } from "../saml/certificate.ts";

const { certificate } = await createCertificate();
const METADATA = createMetadata({
  entityId: "https://idp.acme.test",
  signInUrl: "https://idp.acme.test/in",
  certificate,
});

/** All forms in sending order, destructive ones last. */
export const FORM_EXPECTATIONS: Record<string, FormExpectation> = {
  "/organizations/:id/sso/metadata": {
    fill: { metadata: METADATA },
    makes: "",
    again: "200 Metadata read. Nothing is saved yet: review the settings below, then save.",
  },
  "/organizations/:id/sso/save oidc": {
    fill: { default_role: "viewer", scopes: "openid email" },
    makes: "sso_configurations",
    again: "200 Saved.",
  },
  "/organizations/:id/sso/save saml": {
    fill: { sign_in_url: "https://idp.acme.test/in", certificates: certificate, default_role: "viewer" },
    makes: "sso_configurations",
    again: "200 Saved.",
  },
  "/organizations/:id/workspaces/:id/members/give": {
    fill: { role: "viewer" },
    makes: "workspace_members",
    again: "200 Saved. It takes effect on their next request.",
  },
  "/account/second-factor/app": { makes: "totp_factors +1", again: "200 Second factor" },
  "/account/second-factor/passkeys/new": { makes: "factor_challenges +1", again: "200 New passkey" },
  "/favourites/unmark": { makes: "favourites -1", again: "404 No such favourite, or it is not visible to you." },
  "/favourites/mark": { makes: "favourites +1", again: "200 Settings" },
  "/account/rename": { fill: { name: "Renamed" }, makes: "users", again: "200 Saved." },
  "/api-keys/create": {
    fill: { name: "Sent" },
    makes: "api_keys +1",
    again: "200 Created. The key was already shown once.",
  },
  "/api-keys/rotate": {
    fill: { grace_seconds: "3600" },
    makes: "api_keys +1",
    again: "200 Rotated. The new key was already shown once.",
  },
  "/actions/:id/:id/:id/confirm": {
    makes: "recommended_actions",
    again: "422 The action is confirmed. Allowed now: set it back to new with PATCH, or dismiss it.",
  },
  "/actions/:id/:id/:id/dismiss": {
    makes: "recommended_actions",
    again:
      "422 The form that you sent is no longer on this page. You entered: reason not_relevant The action is dismissed. Allowed now: reconsider it.",
  },
  "/actions/dismiss": { makes: "", again: "200 Dismissed. New runs will not bring them back." },
  "/organizations/:id/save": { fill: { name: "Renamed" }, makes: "organizations", again: "200 Saved." },
  "/organizations/:id/members/role": {
    fill: { role: "owner" },
    makes: "organization_members",
    again: "200 Saved. It takes effect on their next request.",
  },
  "/organizations/:id/members/invite": {
    fill: { email: "sent@acme.test" },
    makes: "invitations +1",
    again: "200 Invited. Send the link now.",
  },
  "/organizations/:id/api-keys/create": {
    fill: { name: "Sent" },
    makes: "api_keys +1",
    again: "200 Created. The key was already shown once.",
  },
  "/organizations/:id/domains/add": {
    fill: { domain: "sent.example" },
    makes: "organization_domains +1",
    again: "200 Added. Publish its DNS record, then verify it.",
  },
  "/organizations/:id/domains/verify": {
    makes: "",
    again: "503 No name server answered for this domain. Try again in a moment.",
  },
  "/organizations/:id/scim/create": {
    fill: { name: "Sent" },
    makes: "scim_tokens +1",
    again: "200 Created. The token was already shown once.",
  },
  "/organizations/:id/scim/group": {
    fill: { gives: "viewer" },
    makes: "scim_groups",
    again: "200 Saved. It takes effect on each member's next request.",
  },
  "/writers/:id/:id/connect": {
    fill: { api_token: "a-token-of-it", partner_workspace_id: "w1" },
    makes: "partner_connections +1",
    again: "200 Saved. You can now send briefs from this workspace.",
  },
  "/exports/:id/:id/create": {
    fill: { what: "answers", format: "csv" },
    makes: "exports +1",
    again: "200 Export started. The file is in the list when it is ready.",
  },
  "/new/:id/:id/brand/what": {
    fill: { brand_name: "Acme", category: "phones", website: "acme.example", competitor_names: "Rival", agree: "1" },
    makes: "brand_claims +1,brands +1,catalog_events +1,held_forms +1",
    again: "200 Prompts, new brand analysis",
  },
  "/new/:id/:id/audit/what": {
    fill: { website: "acme.example" },
    makes: "held_forms +1",
    again: "200 How often, new GEO audit",
  },
  "/new/:id/:id/search/what": {
    fill: { brand_name: "Acme", website: "acme.example" },
    makes: "held_forms +1",
    again: "200 Prompts, new search analysis",
  },
  "/actions/:id/:id/:id/:id/preview": { fill: { title: "Shown" }, makes: "", again: "200 A page" },
  "/actions/:id/:id/:id/:id/edit": { fill: { title: "Edited" }, makes: "briefs", again: "200 Saved." },
  "/audits/:id/:id/:id/:id/type": {
    fill: { page_type: "article" },
    makes: "questions",
    again: "200 Saved. The next run checks the page as this type.",
  },
  "/analyses/:id/:id/:id/rename": { fill: { name: "Renamed" }, makes: "analyses", again: "200 Renamed." },
  "/brands/:id/:id/create": {
    fill: { name: "Sent" },
    makes: "brand_claims +1,brands +1,catalog_events +1",
    again: "200 Saved. Past answers are being re-processed.",
  },
  "/brands/:id/:id/:id/update": {
    fill: { name: "Renamed" },
    makes: "brand_claims,brands,catalog_events +1",
    again: "200 Saved. Past answers are being re-processed.",
  },
  "/analyses/:id/:id/:id/import": {
    fill: { lines: buildSampleLines() },
    makes: "collects +1,imports +1",
    again: "200 Import answers",
  },
  "/analyses/:id/:id/:id/import/pasted": {
    fill: { pasted: buildSampleLines() },
    makes: "collects +1,imports +1",
    again: "200 Import answers",
  },
  "/analyses/:id/:id/:id/pause": {
    makes: "analyses",
    again: "409 The analysis is paused. It collects again once it is resumed.",
  },
  "/analyses/:id/:id/:id/archive": {
    makes: "analyses",
    again: "409 The analysis is archived. That is final: duplicate it to collect again.",
  },
  "/brands/:id/:id/archive": {
    makes: "brands,catalog_events +1",
    again: "404 No such brand, or it is not visible to you.",
  },
  "/assistants/disconnect": {
    makes: "oauth_records -3",
    again: "404 No such connected assistant, or it is not visible to you.",
  },
  "/api-keys/revoke": { makes: "api_keys", again: "404 No such API key, or it is not visible to you." },
  "/organizations/:id/sso/remove": {
    makes: "sso_configurations -1",
    again: "404 No such single sign-on configuration, or it is not visible to you.",
  },
  "/organizations/:id/domains/remove": {
    makes: "organization_domains -1",
    again: "404 No such domain, or it is not visible to you.",
  },
  "/organizations/:id/scim/revoke": {
    makes: "scim_tokens",
    again: "404 No such SCIM token, or it is not visible to you.",
  },
  "/organizations/:id/workspaces/:id/members/take": {
    makes: "workspace_members -1",
    again: "404 This member has no role of their own in this workspace.",
  },
  "/organizations/:id/members/suspend": {
    makes: "organization_members",
    again: "200 Suspended. They have no access until you resume them.",
  },
  "/organizations/:id/members/remove": {
    makes: "organization_members -1",
    again: "404 No such member, or it is not visible to you.",
  },
  "/organizations/:id/members/revoke": {
    makes: "invitations",
    again: "404 No such pending invitation, or it is not visible to you.",
  },
  "/organizations/leave": {
    makes: "",
    again: "409 The organization must keep an owner. Make another member an owner first, then change this one.",
  },
  "/account/end": { makes: "web_sessions -1", again: "404 No such session, or it is not visible to you." },
  "/account/sign-out": { makes: "oauth_records -1,token_families -6", again: "200 Sign in", twice: "held_forms +2" },
  "/account/password": {
    fill: { present: PASSWORD, password: "another long password of mine" },
    makes: "users",
    again: "200 Sign in",
    twice: "held_forms +2",
  },
};
