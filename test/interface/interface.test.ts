import { afterAll } from "vitest";
import { briefs } from "./brief-scene.ts";
import { core } from "./core-scene.ts";
import { metrics } from "./search-metrics-scene.ts";
import { holdTable } from "./table-of-rules.ts";
import "./section-1-service.ts";
import "./section-1-tools.ts";
import "./section-2-search-metrics.ts";
import "./section-4-brief.ts";
import "./section-4-search-metrics.ts";
import "./section-4-tags.ts";
import "./section-5-authentication.ts";

// interface.md as a test: every rule of test/interface/rules.ts is held by one test of these sections, or listed in
// test/interface/later.ts with the reason why it cannot hold yet. One file runs them all, so that none can be missed.

afterAll(async () => {
  await core.close();
  await metrics.close();
  await briefs.close();
});

holdTable();
