import { expect, test } from "vitest";
import { signedInBrowser } from "../support/assistant.ts";
import { insertActionScene } from "../support/action-scene.ts";
import { shownText } from "../audits/console-scene.ts";
import { world } from "../support/world.ts";

/** Workspaces in the navigation, in order, and the open one. */
function switcherOf(text: string): { open: string; listed: string[]; leadsTo: string[] } {
  const [, menu = ""] = /<details class="switch"[^>]*>([\s\S]*?)<\/details>/.exec(text) ?? [];
  const [, open = ""] = /class="switch-name"><bdi>([^<]*)/.exec(menu) ?? [];
  const links = [...menu.matchAll(/<a\s+href="([^"]*)"[^>]*>([\s\S]*?)<\/a\s*>/g)];
  const leadsTo = links.map(([, href = ""]) => href);
  return { open, listed: links.map(([, , inside = ""]) => shownText(inside)), leadsTo };
}

test("each page lists workspaces, favourites first; it opens on the last one, a favourite, or one with metrics", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const make = async (name: string): Promise<string> =>
    (await owner.post(`${organization.path}/workspaces`, { name })).body.id;
  const [measured, marked] = [await make("Measured"), await make("Marked <b>")];
  const ids = { organizationId: organization.id, workspaceId: measured, userId: owner.id };
  await insertActionScene(w, ids);
  const at = (path: string) => `${w.config.baseUrl}${path}`;
  const browser = await signedInBrowser(w, owner.email);
  const open = async (path: string) => switcherOf((await browser.get(at(path))).text);
  expect((await open("/settings")).open).toBe("Measured");

  await owner.request("PUT", `/v1/me/favourites/${marked}`);
  const { name } = organization;
  expect(await open("/account")).toEqual({
    open: "Marked &#60;b&#62;",
    listed: [`Marked <b> ★ ${name}`, `${workspace.name} ${name}`, `Measured ${name}`],
    leadsTo: [marked, workspace.id, measured].map((id) => `/visibility/${organization.id}/${id}`),
  });
  expect((await open(`/audits/${organization.id}/${workspace.id}`)).open).toBe(workspace.name);
  expect(await open("/organizations")).toMatchObject({
    open: workspace.name,
    leadsTo: [marked, workspace.id, measured].map((id) => `/settings?workspace=${id}`),
  });

  // Attack: the cookie of whoever used this browser before names their workspace.
  const mallory = await w.signIn("mallory@rival.test");
  const theirs = await signedInBrowser(w, mallory.email);
  theirs.cookies.push(...browser.cookies.filter((cookie) => cookie.name === "bva_workspace"));
  expect(switcherOf((await theirs.get(at("/settings"))).text)).toEqual({ open: "", listed: [], leadsTo: [] });
});
