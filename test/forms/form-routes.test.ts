import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { SAML_RESPONSE_PATH_PATTERN } from "../../src/http/sign-in/saml-routes.ts";
import { WEB_ROUTES } from "../../src/http/web/route-table.ts";
import { FORM_EXPECTATIONS } from "./form-expectations.ts";
import { STATE_EXPECTATIONS } from "./form-state-expectations.ts";
import { SIGN_IN_EXPECTATIONS } from "./sign-in-form-expectations.ts";

test("every form of the route table is sent three times by a test", () => {
  // Fault: a new form lacks a test for duplicate submissions.
  const lines = { ...FORM_EXPECTATIONS, ...STATE_EXPECTATIONS, ...SIGN_IN_EXPECTATIONS };
  const sent = Object.keys(lines).map((name) => name.replace(/ .*/, ""));
  const untested = WEB_ROUTES.flatMap(({ method, path }) => (method === "post" ? [path] : []))
    // Identity providers post to this path from their own pages.
    .filter((path) => !SAML_RESPONSE_PATH_PATTERN.test(path.replace(":organization_id", randomUUID())))
    .filter((path) => {
      const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`);
      return !sent.some((name) => pattern.test(name));
    });
  expect(
    untested,
    "Add a line for each of these forms in test/forms: to form-expectations.ts if links lead to its page, to form-state-expectations.ts if the page needs earlier steps, to sign-in-form-expectations.ts if it needs no session.",
  ).toEqual([]);
});
