import { expect, test } from "vitest";
import type { CheckDeclaration } from "../../core/audits/check.ts";
import { CHECKS_VERSION, PAGE_CHECKS, SITE_CHECKS } from "../../core/audits/checks.ts";
import { world } from "../support/world.ts";

const rowsOf = (of: string, checks: readonly CheckDeclaration[]) =>
  checks.map(({ id, area, title, weight, failureCap = null, howToFix, source, strength }) => ({
    check: id,
    of,
    area,
    title,
    weight,
    failure_cap: failureCap,
    how_to_fix: howToFix,
    source,
    strength,
  }));

test("each check has its rule, weight, fix and source", async () => {
  await using w = await world();
  const { owner } = await w.acme();
  const { body } = await owner.get("/v1/audit-checks");
  const all = [...rowsOf("page", PAGE_CHECKS), ...rowsOf("site", SITE_CHECKS)];
  expect(body).toEqual({ data: all, checks_version: CHECKS_VERSION });
  const { body: semantic } = await owner.get("/v1/audit-checks?area=semantic");
  expect(semantic.data).toEqual(all.filter(({ area }) => area === "semantic"));
});

test("checks have different ids, a weight up to five, and sources at an address", () => {
  const all = [...PAGE_CHECKS, ...SITE_CHECKS];
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  const wrong = all.filter(
    ({ id, weight, source, howToFix }) =>
      !/^[a-z][a-z0-9_]+$/.test(id) || weight < 0 || weight > 5 || !URL.canParse(source.url) || howToFix === "",
  );
  expect(wrong.map(({ id }) => id)).toEqual([]);
});
