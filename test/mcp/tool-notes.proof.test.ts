import { afterAll, beforeAll, expect, test } from "vitest";
import { marketerDemo, type Demo } from "../marketer/demo.ts";
import { WITHOUT_LIMITS } from "../support/world.ts";
import { findFalseReasons, homeOf, sortByFirstNote, TIMEOUT_MS, type Place } from "./all-reads.ts";

// Notes of all tools that read, over the demo: simulated answers are named first, and no list is
// empty without its true reason.

/** Tools whose results are declared by people, or describe the product. */
const MEASURED_BY_NOBODY = [
  "explain_metrics",
  "get_asset",
  "get_asset_evaluation",
  "get_brand",
  "get_calibration",
  "get_catalog_reading",
  "get_credits",
  "get_me",
  "get_organization",
  "get_persona",
  "get_tag",
  "get_workspace",
  "list_asset_evaluation_scores",
  "list_asset_evaluations",
  "list_assets",
  "list_audit_checks",
  "list_brand_facts",
  "list_brands",
  "list_credit_ledger",
  "list_organization_tags",
  "list_organization_workspaces",
  "list_organizations",
  "list_personas",
  "list_sources",
  "list_tags",
  "list_workspace_usage",
  "list_workspaces",
];

let demo: Demo;
let place: Place;

beforeAll(async () => {
  demo = await marketerDemo(WITHOUT_LIMITS);
  place = { client: demo.client, person: demo.person, home: homeOf(demo.path) };
}, TIMEOUT_MS);
afterAll(() => demo[Symbol.asyncDispose]());

test("names simulated answers first in every result that rests on them", { timeout: TIMEOUT_MS }, async () => {
  const sorted = await sortByFirstNote(place);
  expect(sorted.site).toEqual(["get_audit geo_audit", "get_audit_page geo_audit", "list_audit_pages geo_audit"]);
  const others = new Set(sorted.none.filter((name) => !name.endsWith("geo_audit")));
  expect([...others]).toEqual(MEASURED_BY_NOBODY);
  expect(sorted.answers.filter((name) => others.has(name) || name.endsWith("geo_audit"))).toEqual([]);
});

test("gives the true reason for every empty list of the demo", { timeout: TIMEOUT_MS }, async () => {
  const { wrong, tools } = await findFalseReasons(place);
  expect(wrong).toEqual([]);
  expect(tools).toBeGreaterThan(20);
});
