import { expect, test } from "vitest";
import { signedInBrowser } from "../support/assistant.ts";
import { sourceScene } from "./source-scene.ts";

test("shows the page of sources only to owners", async () => {
  await using s = await sourceScene();
  const address = `${s.config.baseUrl}/organizations/${s.organization.id}/sources`;
  const shown = await (await signedInBrowser(s, s.owner.email)).get(address);
  expect([shown.status, shown.text.includes("secret")]).toEqual([200, false]);
  await s.signIn("editor@acme.test", { organizationId: s.organization.id, role: "editor" });
  const editor = await signedInBrowser(s, "editor@acme.test");
  expect((await editor.get(address)).status).toBe(403);
  const general = await editor.get(`${s.config.baseUrl}/organizations/${s.organization.id}`);
  expect([general.status, general.text.includes(address.slice(s.config.baseUrl.length))]).toEqual([200, false]);
});
