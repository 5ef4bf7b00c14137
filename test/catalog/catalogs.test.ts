import { expect, test } from "vitest";
import { isCurrentCatalog, openCatalogCache } from "../../db/catalog/catalogs.ts";
import { listConflictingClaims } from "../../db/catalog/brands.ts";
import { compileCatalog, type CompiledCatalog } from "../../core/reading/catalog.ts";
import { listBrandClaims } from "../../core/brands/brand-conflicts.ts";
import { readCapture } from "../../core/reading/reading.ts";
import { openCommitted } from "../support/committed.ts";
import { alias, brand } from "../measurement/brands.ts";
import { world } from "../support/world.ts";

/** A list that supports index access but no iteration. */
function unwalkable<T extends object>(list: readonly T[]): readonly T[] {
  return new Proxy(list, {
    get(target, key) {
      if (typeof key === "string" && /^\d+$/.test(key)) return Reflect.get(target, key) as unknown;
      throw new Error(`the catalog was walked: ${String(key)}`);
    },
  });
}

test("extraction never iterates over all brands, and gives equal results with 20 and with 20,000", () => {
  // Fault: with 20,000 brands each answer took six times as long as with 20.
  const few = ["Acme", "Bolt", "Corex"].map((name) => brand(name, { domains: [`${name.toLowerCase()}.com`] }));
  const many = [
    ...few,
    ...Array.from({ length: 20_000 }, (_, at) => brand(`Brand${at}x`, { domains: [`b${at}.com`] })),
  ];
  const capture = {
    text: "1. Acme is best\n2. Corex\n3. Bolt\n\nSee https://acme.com/a and https://bolt.com",
    citations: [{ url: "https://www.corex.com/x", title: "Corex", position: 1 }],
    results: [],
  };
  const page = {
    ...capture,
    text: "",
    results: [{ rank: 1, url: "https://bolt.com", title: "Bolt", snippet: "Acme" }],
  };
  const compiled = compileCatalog(many);
  const guarded: CompiledCatalog = { ...compiled, brands: unwalkable(compiled.brands) };
  for (const read of [capture, page]) {
    const expected = readCapture(read, compileCatalog(few), { prompt: "best" });
    expect(expected.brandRanks.length).toBeGreaterThan(0);
    expect(readCapture(read, guarded, { prompt: "best" })).toEqual(expected);
  }
});

test("compiles a catalog once per change, and versions earlier extractions", async () => {
  await using w = await world();
  const { owner, workspace, organization } = await w.acme();
  const catalogs = openCatalogCache();
  const tenant = { db: openCommitted(w.store), organizationId: organization.id, workspaceId: workspace.id };
  const brands = `${workspace.path}/brands`;
  const names = async () => (await catalogs.load(tenant)).compiled.brands.map(({ name }) => name);
  expect(await names()).toEqual([]);
  const { body } = await owner.post(brands, { name: "Acme" });
  const first = await catalogs.load(tenant);
  expect([await names(), await catalogs.load(tenant)]).toEqual([["Acme"], first]);
  expect(await catalogs.load(tenant)).toBe(first);
  for (const change of [
    () => owner.patch(`${brands}/${body.id}`, { name: "Acme Two" }),
    () => owner.post(brands, { name: "Bolt" }),
    () => owner.delete(`${brands}/${body.id}`),
  ]) {
    const before = await catalogs.load(tenant);
    expect((await change()).status).toBeLessThan(300);
    expect(await isCurrentCatalog(tenant, before)).toBe(false);
  }
  // Archived brands stay in the catalog, so that others keep their indexes.
  expect(await names()).toEqual(["Acme Two", "Bolt"]);
  // Other changes keep the compiled catalog.
  const last = await catalogs.load(tenant);
  await owner.post(`${workspace.path}/tags`, { name: "x" });
  expect(await catalogs.load(tenant)).toBe(last);
});

test("name conflicts are found by an index that follows each brand, archived or not", async () => {
  // Fault: creating a brand among 20,000 blocked writes for 0.7 seconds.
  await using w = await world();
  const { owner, workspace, organization } = await w.acme();
  const tenant = { db: openCommitted(w.store), organizationId: organization.id, workspaceId: workspace.id };
  const brands = `${workspace.path}/brands`;
  const given = { name: "Café Noir", aliases: [{ text: "SG", case_sensitive: true }], domains: ["www.acme.com"] };
  const { body } = await owner.post(brands, given);
  const asked = { name: "cafe-noir", aliases: [alias("SG", true)], domains: ["acme.com"] };
  const taken = async () =>
    (await listConflictingClaims(tenant, listBrandClaims(asked), ["another"])).map(({ key }) => key).toSorted();
  expect(await taken()).toEqual(["acme.com", "cafe noir", "sg"]);
  expect(await listConflictingClaims(tenant, listBrandClaims(asked), [body.id])).toEqual([]);
  await owner.patch(`${brands}/${body.id}`, { aliases: [], domains: [] });
  expect(await taken()).toEqual(["cafe noir"]);
  await owner.delete(`${brands}/${body.id}`);
  expect(await taken()).toEqual(["cafe noir"]);
  expect(listBrandClaims({ name: "A", aliases: [alias("A", true)], domains: ["a.com", "www.a.com"] })).toEqual([
    { kind: "name", key: "a", cased: "A", caseSensitive: true },
    { kind: "host", key: "a.com", cased: "", caseSensitive: false },
  ]);
});
