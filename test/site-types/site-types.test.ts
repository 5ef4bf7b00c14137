import { expect, test } from "vitest";
import { KNOWN_DOMAIN_ROWS, KNOWN_DOMAINS } from "../../core/brands/known-domains.ts";
import { parseHost } from "../../core/identity/domains.ts";
import { COMPETITOR_TYPES } from "../../core/sources/sources.ts";
import { RECORDED_ANSWERS } from "../measurement/truth.ts";
import { citedAddresses, readLabels } from "./figures.ts";

const addresses = citedAddresses();

if (!addresses) console.warn(`skipped: the recorded answers are not at ${RECORDED_ANSWERS}`);

test("has one row per known site, with its normalised host and a place to check its type", () => {
  const wrong = KNOWN_DOMAIN_ROWS.filter(
    ({ host, source }) => host !== parseHost(`https://${host}/`) || !/^(?:wikipedia|site): \S.+$/.test(source),
  );
  expect(wrong).toEqual([]);
  expect(KNOWN_DOMAINS.size).toBe(KNOWN_DOMAIN_ROWS.length);
  expect(KNOWN_DOMAIN_ROWS.length).toBeGreaterThan(2000);
});

test("gives no site another type than its label", () => {
  const labels = readLabels("open");
  const labelled = KNOWN_DOMAIN_ROWS.filter(({ host }) => labels.has(host));
  expect(labelled.map(({ host, type }) => [host, type])).toEqual(labelled.map(({ host }) => [host, labels.get(host)]));
  expect(labelled.length).toBe(labels.size);
});

test("labels no site in both halves, and only with existing types", () => {
  const open = readLabels("open");
  const heldOut = readLabels("held-out");
  expect([...heldOut.keys()].filter((host) => open.has(host))).toEqual([]);
  const types: readonly string[] = COMPETITOR_TYPES;
  expect([...open.values(), ...heldOut.values()].filter((type) => !types.includes(type))).toEqual([]);
});
