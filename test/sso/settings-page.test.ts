import { expect, test } from "vitest";
import { signedInBrowser } from "../support/assistant.ts";
import { alertText } from "../support/alert-text.ts";
import { world } from "../support/world.ts";

test("shows the page only to owners, and keeps the values of a rejected form", async () => {
  await using w = await world();
  const { organization, owner } = await w.acme();
  await w.signIn("editor@acme.test", { organizationId: organization.id, role: "editor" });
  await w.signIn("stranger@rival.test");
  const address = `${w.config.baseUrl}/organizations/${organization.id}/sso`;
  const statusFor = async (email: string) => (await (await signedInBrowser(w, email)).get(address)).status;
  expect([await statusFor("editor@acme.test"), await statusFor("stranger@rival.test")]).toEqual([403, 404]);
  const browser = await signedInBrowser(w, owner.email);
  const page = await browser.get(address);
  const fill = { issuer: "http://idp.acme.test", client_id: "visibility", default_role: "guest" };
  const refused = await browser.submit(page, { action: /\/save$/, fill });
  expect([refused.status, alertText(refused.text)]).toEqual([
    400,
    "Issuer must be an https address without query or fragment.",
  ]);
  expect(refused.text).toContain('value="visibility"');
});
