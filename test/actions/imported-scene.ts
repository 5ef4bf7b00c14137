import { collectScene } from "../collecting/scene.ts";
import { WITH_WORKER } from "../support/world.ts";
import { waitForBackgroundWork } from "./wait-for-background-work.ts";

const TOPIC = [
  "best phone",
  "cheap phone",
  "small phone",
  "phone with long battery",
  "phone for photos",
  "phone for games",
  "light phone",
  "phone for children",
];

/** Content of one import for each keyword and run of ASSISTANT_A and ASSISTANT_B. */
export interface ImportedAnswer {
  text: string | ((keyword: string) => string);
  cites?: string[];
  model?: string;
  /** True if its first runs are older than all of the collect before. */
  overlaps?: boolean;
}

export const BOTH = "1. **Acme** – good\n2. **Rival** – cheap";
export const RIVAL_ALONE = "1. **Rival** – cheap\n2. **Stranger** – new";

/**
 * An analysis of eight keywords with search volume (a change needs six), imported answers, and a
 * worker that recommends actions.
 */
export async function importedScene(env: Record<string, string> = {}) {
  let at = Date.parse("2026-11-21T08:00:00.000Z");
  // The clock stands still within a call and advances a second per collect.
  const s = await collectScene({ env: { ...WITH_WORKER, ...env }, now: () => new Date(at).toISOString() });
  const keywords = TOPIC.map((text, index) => ({ text, search_volume: 100 * (index + 1), funnel_stage: "BoFu" }));
  const analysis = await s.create([], {
    sources: [],
    thematics: [{ name: "Phones", topics: [{ name: "All", keywords }] }],
  });
  const actions = `${s.workspace.path}/recommended-actions`;

  return {
    ...s,
    analysis,
    actions,
    analysisId: analysis.split("/").at(-1) ?? "",
    settled: () => waitForBackgroundWork(s.store),
    /**
     * Imports two runs of each keyword from two assistants as one collect, and waits for follow-up
     * jobs.
     */
    async collect({ text, cites = [], model, overlaps = false }: ImportedAnswer): Promise<string> {
      at += 1000;
      const first = overlaps ? at - 3000 : at;
      const lines = TOPIC.flatMap((keyword) =>
        ["ASSISTANT_A", "ASSISTANT_B"].flatMap((source) =>
          [1, 2].map((run) => {
            const said = typeof text === "string" ? text : text(keyword);
            const citations = cites.map((url) => ({ url }));
            const collected_at = new Date(run === 1 ? first : at).toISOString();
            return JSON.stringify({
              keyword,
              source,
              run,
              text: said,
              citations,
              collected_at,
              ...(model ? { model } : {}),
            });
          }),
        ),
      );
      const imported = await s.owner.request("POST", `${analysis}/answers/import`, {
        body: lines.join("\n"),
        headers: { "content-type": "application/x-ndjson" },
      });
      if (imported.status !== 201) throw new Error(JSON.stringify(imported.body));
      await waitForBackgroundWork(s.store);
      at += 1000;
      return imported.body.collect_id;
    },
    listed: async (query = "") => (await s.owner.get(`${actions}?limit=100${query}`)).body.data,
    whole: async (id: string) => (await s.owner.get(`${actions}/${id}`)).body,
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}
export type ImportedScene = Awaited<ReturnType<typeof importedScene>>;
