import { expect, test } from "vitest";
import { signedInBrowser } from "../support/assistant.ts";
import { world } from "../support/world.ts";
import { scene } from "./client.ts";

test("shows the page only to owners of the organization", async () => {
  await using w = await world();
  const s = await scene(w);
  await w.signIn("editor@acme.test", { organizationId: s.organization.id, role: "editor" });
  await w.signIn("rival@rival.test");
  const address = `${w.config.baseUrl}/organizations/${s.organization.id}/scim`;
  const statusFor = async (email: string) => (await (await signedInBrowser(w, email)).get(address)).status;
  expect([await statusFor("editor@acme.test"), await statusFor("rival@rival.test")]).toEqual([403, 404]);
});
