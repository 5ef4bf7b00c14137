import type { Source } from "../../core/sources/sources.ts";
import { serpapiProvider } from "../../src/outside/sources/providers/serpapi.ts";
import { type Scene } from "./ask-provider.ts";

export const USD = 0.015;

export const SERPAPI: Scene = {
  declared: serpapiProvider,
  prefix: "SERPAPI",
  env: { SERPAPI_API_KEY: "key-0", SERPAPI_USD_PER_SEARCH: String(USD) },
  question: { source: "SEARCH_B" },
};

export const TEXT = "Acme wins.\n\n### Others\n\n- Acme 1: solid.\n- Rival: light, says B.\n  - cool";

export const at = (part: string, within = TEXT) => {
  const start = within.indexOf(part);
  return { start, end: start + part.length };
};

export const notShown = (source: Source, day: string) => ({
  how: "reduced" as const,
  at: day,
  question: { source },
  answer: { text: "", showedNothing: true },
});
