import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { citedAddresses, siteTypeTables } from "./figures.ts";

const addresses = citedAddresses();

test.skipIf(!addresses)(
  "states in docs/reference/site-types.md how often cited sites get the type that people give them",
  () => {
    const { halves, types } = siteTypeTables(addresses ?? []);
    console.info(`${halves}\n${types}`);
    const docs = readFileSync(new URL("../../docs/reference/site-types.md", import.meta.url), "utf8");
    expect(docs).toContain(halves);
    expect(docs).toContain(types);
  },
);
