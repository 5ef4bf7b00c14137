import { simulatedScene } from "../metrics/simulated-scene.ts";
import { inlineParts } from "../support/openapi-parts.ts";
import type { Reference } from "./reference-document.ts";
import { once } from "./rule.ts";

/** Two collects over all channels, created through the interface, with known results. */
export const metricsScene = once(async () => {
  const scene = await simulatedScene();
  const reference = inlineParts((await scene.reader.get("/openapi.json")).body as Reference);
  return { ...scene, reference };
});

/** The address of a search-metrics request. */
export async function addressOf(path: "top-brands" | "keywords-metrics", query: string): Promise<string> {
  const { scope } = await metricsScene();
  return `/api/v1/${path}?${scope}&${query}`;
}

export const EVERY_KEYWORD = "thematics=Home&thematics=Work&keyword_type=Generic&keyword_type=Brand";
