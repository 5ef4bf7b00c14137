import { expect, test } from "vitest";
import { signedInBrowser } from "../assistant.ts";
import { shownText } from "../audit/console-scene.ts";
import { world } from "../world.ts";
import { rowsIn, sectionOf } from "./demo-console.ts";

test("the catalog is what REST lists; suggestions are added, merged and dismissed, by editors alone", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const brands = `${workspace.path}/brands`;
  await owner.post(brands, {
    name: "Acme",
    relationship: "mine",
    domains: ["acme.example"],
    aliases: [{ text: "ACM" }],
  });
  // Attack: a brand whose name is markup.
  await owner.post(brands, { name: "<script>alert(1)</script>", excluded_phrases: ["<b>"] });
  const at = { organizationId: organization.id, workspaceId: workspace.id };
  const ids = ["Zeta", "Acmee", "Best <i>"].map((text) => ({ text, id: w.deps.newId() }));
  await w.store.write(async (db) => {
    const now = w.deps.now();
    const seen = { listed: true, firstSeenAt: now, lastSeenAt: now, createdAt: now, updatedAt: now };
    await db.q.insert(db.t.brandSuggestions).values(
      ids.map(({ id, text }, index) => {
        const counted = { occurrences: 9 - index, confidence: 0.9, signals: ["list_item" as const], examples: [] };
        return { ...at, id, text, folded: text.toLowerCase(), status: "open" as const, ...counted, ...seen };
      }),
    );
  });
  const page = `${w.config.baseUrl}/brands/${organization.id}/${workspace.id}`;
  const browser = await signedInBrowser(w, owner.email);
  const press = async (name: RegExp, fill: Record<string, string>) =>
    browser.submit(await browser.get(page), { action: name, fill });
  const first = await browser.get(page);
  expect(first.text).not.toMatch(/<script|<i>|<b>/);
  const [accept, merge, dismiss] = [/\/accept$/, /\/merge$/, /\/dismiss$/];
  expect((await press(accept, { relationship: "competitor" })).text).toContain("Added to the catalog.");
  const { data } = (await owner.get(brands)).body;
  const acme = data.find(({ name }: { name: string }) => name === "Acme");
  expect((await press(merge, { brand_id: acme.id })).text).toContain("Added as an alias.");
  const last = await press(dismiss, {});
  expect(last.text).toContain("Dismissed.");

  interface Listed {
    name: string;
    relationship: string;
    domains: string[];
    aliases: { text: string }[];
    excluded_phrases: string[];
  }
  const listed: Listed[] = (await owner.get(brands)).body.data;
  expect(rowsIn(sectionOf(last.text, "catalog")).map(shownText)).toEqual(
    listed.map(({ name, relationship, domains, aliases, excluded_phrases: excluded }) =>
      [name, relationship, ...domains, aliases.map(({ text }) => text).join(", "), ...excluded]
        .filter(Boolean)
        .join(" "),
    ),
  );
  expect(listed.map(({ name, relationship }) => [name, relationship])).toContainEqual(["Zeta", "competitor"]);
  expect(listed.find(({ name }) => name === "Acme")?.aliases.map(({ text }) => text)).toEqual(["ACM", "Acmee"]);
  expect(sectionOf(last.text, "suggested")).toBe("");

  const viewer = await w.signIn("viewer@acme.test", { organizationId: organization.id, role: "viewer" });
  const seen = await (await signedInBrowser(w, viewer.email)).get(page);
  expect([seen.status, /action="[^"]*\/(?:accept|merge|dismiss)"/.test(seen.text)]).toEqual([200, false]);
});
