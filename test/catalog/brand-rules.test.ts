import { expect, test } from "vitest";
import {
  listBrandClaims,
  findBrandConflicts,
  removeRepeatedHosts,
  removeRepeatedAliases,
} from "../../core/brands/brand-conflicts.ts";
import { alias, brand } from "../measurement/brands.ts";
import { world } from "../support/world.ts";

test("folds redundant aliases away, and keeps those that match other text", () => {
  const cases: [string, ReturnType<typeof alias>[], string[]][] = [
    ["Galaxy", [alias("Galaxy"), alias("SG"), alias("SG")], ["SG"]],
    ["Nescafé", [alias("Nescafe"), alias("NESCAFE", true)], ["NESCAFE"]],
    ["Coca-Cola", [alias("Coca Cola"), alias("Coke"), alias("Coke", true)], ["Coke"]],
    ["Coke", [alias("Coke", true)], ["Coke"]],
    ["Apple", [alias("APPLE"), alias("apple", true)], ["APPLE", "apple"]],
    ["Bose", [], []],
  ];
  for (const [name, aliases, kept] of cases) {
    expect(removeRepeatedAliases(name, aliases).map(({ text }) => text)).toEqual(kept);
  }
  expect(removeRepeatedHosts(["acme.com", "www.acme.com", "shop.acme.com"])).toEqual(["acme.com", "shop.acme.com"]);
});

test("a name, alias or domain conflicts with another brand's if one text would match both", () => {
  const catalog = [
    brand("Galaxy", { aliases: [alias("SG", true), alias("Café Noir")], domains: ["galaxy.com"] }),
    brand("Nothing", { aliases: [alias("Nothing", true)] }),
  ];
  const claimed = catalog.flatMap(listBrandClaims);
  const paths = (name: string, more: Partial<Parameters<typeof findBrandConflicts>[0]> = {}) =>
    findBrandConflicts({ name, aliases: [], domains: [], ...more }, claimed).map(({ path }) => path);
  expect(paths("GALAXY")).toEqual(["name"]);
  expect(paths("Cafe-Noir")).toEqual(["name"]);
  expect(paths("SG")).toEqual(["name"]);
  expect(paths("Sgs", { aliases: [alias("sg", true), alias("x")] })).toEqual([]);
  expect(paths("nothing", { aliases: [alias("nothing", true)] })).toEqual([]);
  expect(paths("New", { aliases: [alias("y"), alias("galaxy")] })).toEqual(["aliases.1"]);
  expect(paths("New", { domains: ["new.com", "www.galaxy.com"] })).toEqual(["domains.1"]);
  expect(paths("New", { domains: ["shop.galaxy.com"] })).toEqual([]);
});

test("rejects names and domains of another brand on creation and change, and names the field without quoting them", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const path = `${workspace.path}/brands`;
  await owner.post(path, { name: "Galaxy", aliases: [{ text: "Galaxia" }], domains: ["galaxy.test"] });
  const other = await owner.post(path, {
    name: "Other",
    aliases: [{ text: "Other" }, { text: "Othr" }, { text: "Othr" }],
  });
  expect(other.body.aliases).toEqual([{ text: "Othr", case_sensitive: false }]);
  const refusals = [
    await owner.post(path, { name: "New", aliases: [{ text: "new one" }, { text: "GALAXIA" }] }),
    await owner.post(path, { name: "Galaxia" }),
    await owner.post(path, { name: "New", domains: ["www.galaxy.test"] }),
    await owner.patch(`${path}/${other.body.id}`, { aliases: [{ text: "galaxy" }] }),
  ];
  expect(refusals.map(({ status, body }) => [status, body.code, body.fields[0].path])).toEqual([
    [409, "CONFLICT", "aliases.1"],
    [409, "CONFLICT", "name"],
    [409, "CONFLICT", "domains.0"],
    [409, "CONFLICT", "aliases.0"],
  ]);
  expect(refusals.map(({ body }) => JSON.stringify(body).toLowerCase()).join()).not.toMatch(/galax/);
  expect((await owner.get(`${path}/${other.body.id}`)).body).toEqual(other.body);
});
