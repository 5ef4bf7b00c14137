import { afterAll } from "vitest";
import { briefScene } from "./brief-scene.ts";
import { coreScene } from "./core-scene.ts";
import { metricsScene } from "./search-metrics-scene.ts";
import { testRuleTable } from "./rule-table.ts";
import "./section-1-service.ts";
import "./section-1-tools.ts";
import "./section-2-search-metrics.ts";
import "./section-4-brief.ts";
import "./section-4-search-metrics.ts";
import "./section-4-tags.ts";
import "./section-5-authentication.ts";

// interface.md as tests: each rule of test/interface/rules.ts is checked by one test of these
// sections, or listed with a reason in test/interface/pending-rules.ts. One file runs all, so that none can
// be missing.

afterAll(async () => {
  await coreScene.close();
  await metricsScene.close();
  await briefScene.close();
});

testRuleTable();
