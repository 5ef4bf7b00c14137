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

// interface.md as tests: each rule of test/interface/rules.ts is checked by one test of these
// sections, or listed with a reason in test/interface/later.ts. One file runs all, so that none can
// be missing.

afterAll(async () => {
  await core.close();
  await metrics.close();
  await briefs.close();
});

holdTable();
