import { expect, test } from "vitest";
import { signedInBrowser } from "../support/assistant.ts";
import { alertText } from "../support/alert-text.ts";
import { shownText } from "../audits/console-scene.ts";
import { world } from "../support/world.ts";
import { readBodyRows, findSection } from "./demo-console.ts";

test("the catalog equals REST; only editors add, merge and dismiss suggestions", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const brands = `${workspace.path}/brands`;
  await owner.post(brands, {
    name: "Acme",
    relationship: "mine",
    domains: ["acme.example"],
    aliases: [{ text: "ACM" }],
  });
  // Attack: a brand name with markup.
  await owner.post(brands, { name: "<script>alert(1)</script>", excluded_phrases: ["<b>"] });
  const place = { organizationId: organization.id, workspaceId: workspace.id };
  const ids = ["Zeta", "Acmee", "Best <i>"].map((text) => ({ text, id: w.deps.newId() }));
  await w.store.write(async (db) => {
    const now = w.deps.now();
    const seen = { listed: true, firstSeenAt: now, lastSeenAt: now, createdAt: now, updatedAt: now };
    await db.q.insert(db.t.brandSuggestions).values(
      ids.map(({ id, text }, index) => {
        const counted = {
          occurrences: 9 - index,
          confidence: 0.7 + index / 10,
          signals: ["list_item" as const],
          examples: [],
        };
        return { ...place, id, text, folded: text.toLowerCase(), status: "open" as const, ...counted, ...seen };
      }),
    );
  });
  const page = `${w.config.baseUrl}/brands/${organization.id}/${workspace.id}`;
  const browser = await signedInBrowser(w, owner.email);
  const press = async (name: RegExp, fill: Record<string, string>) =>
    browser.submit(await browser.get(page), { action: name, fill });
  const first = await browser.get(page);
  expect(first.text).not.toMatch(/<script|<i>|<b>/);
  // Sorted by answers or confidence, each with a link, and the file in equal order.
  const inBoth: Record<string, string[]> = {};
  for (const sort of ["occurrences", "confidence"]) {
    const { text } = await browser.get(`${page}?suggested_sort=${sort}`);
    const section = findSection(text, "suggested");
    const file = (await browser.get(`${page}/suggestions.csv?suggested_sort=${sort}`)).text.trim().split("\r\n");
    inBoth[sort] = file.slice(1).map((line) => line.split('","')[0]?.slice(1) ?? "");
    expect(readBodyRows(section).map((row) => shownText(/<th[\s\S]*?<\/th>/.exec(row)?.[0] ?? ""))).toEqual(
      inBoth[sort],
    );
    const links = [...section.matchAll(/\?suggested_sort=([a-z]+)&#38;suggested_direction=desc#suggested/g)];
    const others = ["occurrences", "confidence"].filter((one) => one !== sort);
    expect(links.map(([, other]) => other)).toEqual(others);
  }
  expect(inBoth).toEqual({ occurrences: ["Zeta", "Acmee", "Best <i>"], confidence: ["Best <i>", "Acmee", "Zeta"] });
  const [accept, merge, dismiss] = [/\/accept$/, /\/merge$/, /\/dismiss$/];
  expect((await press(accept, { relationship: "competitor" })).text).toContain("Added to the catalog.");
  expect((await press(merge, { brand: "acme" })).text).toContain("Added as an alias.");
  const last = await press(dismiss, {});
  expect(last.text).toContain("Dismissed.");

  interface Listed {
    name: string;
    relationship: string;
    domains: string[];
    aliases: { text: string }[];
    excluded_phrases: string[];
    created_at: string;
  }
  const listed: Listed[] = (await owner.get(`${brands}?sort=name`)).body.data;
  const catalog = (await browser.get(page)).text;
  expect(readBodyRows(findSection(catalog, "catalog")).map(shownText)).toEqual(
    listed.map(({ name, relationship, domains, aliases, excluded_phrases: excluded, created_at: added }) =>
      [name, relationship, ...domains, aliases.map(({ text }) => text).join(", "), ...excluded, added.slice(0, 10)]
        .filter(Boolean)
        .join(" "),
    ),
  );
  expect(listed.map(({ name, relationship }) => [name, relationship])).toContainEqual(["Zeta", "competitor"]);
  expect(listed.find(({ name }) => name === "Acme")?.aliases.map(({ text }) => text)).toEqual(["ACM", "Acmee"]);
  // Undoes the dismissal.
  expect(readBodyRows(findSection(last.text, "suggested")).map(shownText)).toEqual([
    expect.stringMatching(/^Best <i> .*Undo/),
  ]);
  expect((await browser.submit(last, { action: /\/undo$/, fill: {} })).text).toContain("Undone.");
  expect(readBodyRows(findSection((await browser.get(page)).text, "suggested"))).toHaveLength(1);

  const viewer = await w.signIn("viewer@acme.test", { organizationId: organization.id, role: "viewer" });
  const seen = await (await signedInBrowser(w, viewer.email)).get(page);
  expect([seen.status, /action="[^"]*\/(?:accept|merge|dismiss)"/.test(seen.text)]).toEqual([200, false]);
});

test("a brand is added, changed whole, warned of and archived on its pages, and the file has the catalog", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const brands = `${workspace.path}/brands`;
  const at = `${w.config.baseUrl}/brands/${organization.id}/${workspace.id}`;
  const browser = await signedInBrowser(w, owner.email);
  const one = async (name: string) => {
    const { data } = (await owner.get(`${brands}?text=${name}`)).body;
    return (await owner.get(`${brands}/${data[0].id}`)).body;
  };
  const added = await browser.submit(await browser.get(at), {
    action: /\/create$/,
    fill: {
      name: "Zoom",
      relationship: "mine",
      kind: "brand",
      domains: "zoom.example\nzoom.test",
      spellings: "ZVC",
      exact_spellings: "zOOm",
    },
  });
  const zoom = await one("Zoom");
  expect(zoom).toMatchObject({
    relationship: "mine",
    domains: ["zoom.example", "zoom.test"],
    aliases: [
      { text: "ZVC", case_sensitive: false },
      { text: "zOOm", case_sensitive: true },
    ],
  });
  expect(added.text).toContain("Past answers are being re-processed");
  expect(shownText(findSection(added.text, "hints"))).toContain("“Zoom” is also an ordinary word.");
  const proposed = zoom.hints[0].excluded_phrases;
  expect(proposed).toContain("optical zoom");
  const excluded = await browser.submit(added, { action: /\/exclude$/, fill: {} });
  expect((await one("Zoom")).excluded_phrases).toEqual(proposed);
  expect(excluded.text).not.toContain("Proposed:");

  // An error keeps all fields.
  const wrong = await browser.submit(excluded, {
    action: /\/update$/,
    fill: { relationship: "mine", kind: "product", parent: "Nowhere", name: "Zoom X" },
  });
  expect([wrong.status, wrong.text.includes("Nowhere"), wrong.text.includes("Zoom X")]).toEqual([400, true, true]);
  const nameless = await browser.submit(wrong, {
    action: /\/update$/,
    fill: { relationship: "mine", kind: "product", name: "", parent: "", domains: "zoom.example\nnot a domain" },
  });
  const said = "Name must not be empty. Domains: entry 2 must be a domain such as example.com.";
  expect([nameless.status, alertText(nameless.text)]).toEqual([400, said]);
  await owner.post(brands, { name: "Acme", relationship: "mine" });
  await browser.submit(wrong, {
    action: /\/update$/,
    fill: { relationship: "mine", kind: "product", parent: "acme", excluded_phrases: proposed.join("\n") },
  });
  expect(await one("Zoom")).toMatchObject({ name: "Zoom X", kind: "product", excluded_phrases: proposed });

  const csv = (await browser.get(`${at}/catalog.csv?is=mine`)).text.trim().split("\r\n");
  expect(csv.slice(1).map((line) => line.split('","')[1])).toEqual(["Acme", "Zoom X"]);
  const found = await browser.get(`${at}?text=zoom&sort=name&direction=desc`);
  expect(readBodyRows(findSection(found.text, "catalog")).map(shownText)).toEqual([
    expect.stringMatching(/^Zoom X of Acme mine product /),
  ]);
  const gone = await browser.submit(await browser.get(`${at}/${zoom.id}`), { action: /\/archive$/, fill: {} });
  expect(gone.text).toContain("Archived.");
  expect((await owner.get(`${brands}/${zoom.id}`)).status).toBe(404);
  const archived = await browser.get(`${at}?show=archived`);
  expect(readBodyRows(findSection(archived.text, "catalog")).map(shownText)).toEqual([
    expect.stringMatching(/^Zoom X of Acme mine product .* Restore Zoom X$/),
  ]);
  expect((await browser.get(`${at}/catalog.csv?show=archived`)).text).toContain('"Zoom X"');
  expect((await browser.submit(archived, { action: /\/restore$/, fill: {} })).text).toContain("Restored.");
  expect(await one("Zoom")).toMatchObject({ name: "Zoom X", kind: "product", excluded_phrases: proposed });
  const viewer = await w.signIn("reader@acme.test", { organizationId: organization.id, role: "viewer" });
  const acme = await one("Acme");
  const seen = await (await signedInBrowser(w, viewer.email)).get(`${at}/${acme.id}`);
  expect([seen.status, /<form method="post" action="[^"]*\/brands\//.test(seen.text)]).toEqual([200, false]);
});

test("lists a catalog of 2,000 brands by name in pages, in both directions, each brand once", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const brands = `${workspace.path}/brands`;
  const names = Array.from({ length: 2000 }, (_, index) => `Brand ${String((index * 7919) % 2000).padStart(4, "0")}`);
  for (const part of [names.slice(0, 1000), names.slice(1000)])
    await owner.post(`${brands}/bulk`, { brands: part.map((name) => ({ name })) });
  for (const direction of ["asc", "desc"]) {
    const listed: string[] = [];
    for (let next = ""; ;) {
      const { body } = await owner.get(`${brands}?sort=name&sort_direction=${direction}&limit=100${next}`);
      listed.push(...body.data.map(({ name }: { name: string }) => name));
      expect(body.total_count).toBe(2000);
      if (body.next_cursor === null) break;
      next = `&cursor=${body.next_cursor}`;
    }
    const sorted = names.toSorted();
    expect(listed).toEqual(direction === "asc" ? sorted : sorted.toReversed());
  }
});

test("input about a brand archived meanwhile is not lost", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const { body: brand } = await owner.post(`${workspace.path}/brands`, { name: "Kestrova" });
  const browser = await signedInBrowser(w, owner.email);
  const page = await browser.get(`${w.config.baseUrl}/brands/${organization.id}/${workspace.id}/${brand.id}`);
  await owner.delete(`${workspace.path}/brands/${brand.id}`);
  const sent = await browser.submit(page, { action: /\/update$/, fill: { name: "Kestrova Home & Garden" } });
  expect(sent.status).toBe(404);
  expect(shownText(sent.text)).toContain(
    "The form that you sent is no longer on this page. You entered: name Kestrova Home & Garden",
  );
});
