import { expect, test } from "vitest";
import { ROUTES } from "../../src/http/web/route-table.ts";
import { FORM_EXPECTATIONS } from "./form-expectations.ts";
import { STATE_EXPECTATIONS } from "./form-state-expectations.ts";

/** Forms without sign-in. */
const SIGN_IN = /^\/(oauth|sign-in|sign-out|sso|setup|set-password|invitations)\b/;
/**
 * Forms no crawl finds: they need a code, a partner or a second owner. Separate tests send them.
 */
const OTHERS = [
  "/account/notices",
  "/account/second-factor/app/confirm",
  "/account/second-factor/app/remove",
  "/account/second-factor/codes",
  "/account/second-factor/passkeys/add",
  "/account/second-factor/remove",
  "/account/second-factor/sign-in",
  "/actions/:organization_id/:workspace_id/:result_id/:task_id/preview",
  "/actions/:organization_id/:workspace_id/:result_id/:task_id/send",
  "/brands/:organization_id/:workspace_id/:brand_id/exclude",
  "/organizations/:organization_id/api-keys/revoke",
  "/organizations/:organization_id/api-keys/rotate",
  "/organizations/:organization_id/members/reset-factor",
  "/platform-accounts/:organization_id/:workspace_id/connect",
  "/writers/:organization_id/:workspace_id/disconnect",
];

test("every form of the route table is sent three times by a test", () => {
  // Fault: a new form lacks a test for duplicate submissions.
  const sent = [...Object.keys(FORM_EXPECTATIONS), ...Object.keys(STATE_EXPECTATIONS)].map((name) =>
    name.replace(/ .*/, ""),
  );
  const forms = ROUTES.filter(({ method, path }) => method === "post" && !SIGN_IN.test(path)).map(({ path }) => path);
  const isSent = (path: string) => {
    const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`);
    return sent.some((name) => pattern.test(name));
  };
  expect(forms.filter((path) => !isSent(path)).toSorted()).toEqual(OTHERS);
});
