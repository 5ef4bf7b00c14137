import { cloroProvider } from "../../src/outside/sources/providers/cloro.ts";
import { type Scene } from "./ask-provider.ts";
import { testRecordedBodies } from "./recorded-bodies.ts";

const CLORO: Scene = {
  declared: cloroProvider,
  prefix: "CLORO",
  env: { CLORO_API_KEY: "sk_test", CLORO_USD_PER_CREDIT: "0.001" },
};

/** A file of the folder, at the price of five credits. */
const read = (source: "ASSISTANT_B" | "SEARCH_B_AI_MODE" | "SEARCH_B_AIO", answer: object) => ({
  how: "reduced" as const,
  at: "2026-10-07",
  question: { source },
  answer: { costUsd: 0.005, ...answer },
});

const refused = (kind: string) => ({ how: "reduced" as const, at: "2026-10-07", failure: { kind } });

testRecordedBodies(CLORO, "cloro", {
  bodies: {
    "task-1-submitted.http.json": {
      how: "reduced",
      at: "2026-10-07",
      followers: ["task-2-processing.http.json", "task-3-completed-chatgpt.http.json"],
      answer: {
        text: "The Sonos Era 300 is a well-reviewed speaker released recently.",
        model: "gpt-5-3-mini",
        queries: ["recent speaker reviews"],
        citations: [
          { position: 1, url: "https://www.whathifi.com/reviews/sonos-era-300", title: "Sonos Era 300 review" },
          { position: 2, url: "https://www.techradar.com/best-speakers", title: "Best speakers 2026" },
        ],
        costUsd: 0.005,
      },
    },
    "completed-perplexity.http.json": read("ASSISTANT_B", {
      queries: ["Compare the Sonos Era 100 and the Bose SoundLink Flex"],
      citations: [{ position: 1, url: "https://www.soundguys.com/era-100-review", title: "Era 100 review" }],
    }),
    "completed-ai-mode.http.json": read("SEARCH_B_AI_MODE", {
      citations: [{ url: "https://www.cnet.com/best-bluetooth-speaker" }],
      products: [{ position: 1, title: "Bose SoundLink Flex Portable Bluetooth Speaker" }],
    }),
    "completed-google-ai-overview.http.json": read("SEARCH_B_AIO", {
      text: "The best running shoes for beginners include the **Brooks Ghost** and Nike Pegasus.",
      citations: [
        { position: 1, url: "https://www.runnersworld.com/best-beginner-shoes", title: "Best beginner shoes" },
      ],
    }),
    "task-failed.http.json": refused("unavailable"),
    "error-401.http.json": refused("unauthorized"),
    "error-403-credits.http.json": refused("out_of_quota"),
    "error-409-idempotency.http.json": refused("unavailable"),
    "error-429-queue.http.json": refused("rate_limited"),
    "error-429-rate-limit.http.json": refused("rate_limited"),
  },
});
