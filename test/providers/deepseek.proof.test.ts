import { testRecordedBodies } from "./recorded-bodies.ts";
import { DEEPSEEK } from "./deepseek-cases.ts";

testRecordedBodies(DEEPSEEK, "deepseek", {
  bodies: {
    "responses-web-search.json": {
      how: "recorded",
      at: "2026-08-15",
      answer: {
        model: "deepseek-v4-flash",
        queries: ["2026 FIFA World Cup winner", "who won the 2026 FIFA World Cup"],
        citations: [],
        retrieved: [],
        tokens: 2676,
      },
    },
  },
});
