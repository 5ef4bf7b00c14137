import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { inArray } from "drizzle-orm";
import { signedInBrowser } from "../support/assistant.ts";
import { openCommitted } from "../support/committed.ts";
import { createFolderCopier } from "../support/copied-folder.ts";
import { MAIN_JOB_ENV } from "../main-job/main-job.ts";
import { WITHOUT_LIMITS, world, type Answer } from "../support/world.ts";

const ENV = { ...MAIN_JOB_ENV, ...WITHOUT_LIMITS };

/** A demo in which nothing is left to do. */
const demoFolder = createFolderCopier("demo", async (dataDir) => {
  await using w = await world({ env: ENV, dataDir });
  await waitForBackgroundWork(w);
});

/** The demo in the console with a signed-in browser, and over REST, without pending jobs. */
export async function demoConsole() {
  const dataDir = await demoFolder();
  const w = await world({ env: ENV, dataDir });
  const { q, t } = openCommitted(w.store);
  const analysis = (await q.select().from(t.analyses)).find(({ type }) => type === "search_analysis");
  if (!analysis) throw new Error("The demo has no search analysis.");
  const { organizationId, workspaceId } = analysis;
  const reader = await w.signIn("reader@demo.test", { organizationId, role: "owner" });
  const browser = await signedInBrowser(w, reader.email);
  const at = `/v1/organizations/${organizationId}/workspaces/${workspaceId}/analyses/${analysis.id}`;
  return {
    w,
    reader,
    analysis,
    place: `${organizationId}/${workspaceId}`,
    page: async (path: string) => browser.get(`${w.config.baseUrl}${path}`),
    /** REST response at an address of the analysis. */
    rest: async (path: string, query: Record<string, string | readonly string[]> = {}): Promise<Answer["body"]> => {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) search.append(name, one);
      const { status, body } = await reader.get(`${at}${path}?${search.toString()}`);
      if (status !== 200) throw new Error(`${path}?${search.toString()}: ${status} ${JSON.stringify(body)}`);
      return body;
    },
    async [Symbol.asyncDispose]() {
      await w[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Waits for all follow-up jobs of the collects, such as re-extraction. */
async function waitForBackgroundWork({ store }: Awaited<ReturnType<typeof world>>): Promise<void> {
  const { q, t } = openCommitted(store);
  for (;;) {
    const open = inArray(t.backgroundJobs.status, ["queued", "leased"]);
    const running = inArray(t.collects.status, ["queued", "running"]);
    if ((await q.$count(t.backgroundJobs, open)) + (await q.$count(t.collects, running)) === 0) return;
    await sleep(50);
  }
}

/** The part of a page that has this heading. */
export function findSection(page: string, id: string): string {
  const [section = ""] = new RegExp(`<section[^>]*aria-labelledby="${id}"[\\s\\S]*?</section>`).exec(page) ?? [];
  return section;
}

/** The whole values of the figures in markup, in their order. */
export function readMetricValues(markup: string): number[] {
  return [...markup.matchAll(/<data\s+value="([^"]*)"/g)].map(([, value]) => Number(value));
}

/** The body rows of the first table in markup. */
export function readBodyRows(markup: string): string[] {
  const [, body = ""] = /<tbody>([\s\S]*?)<\/tbody>/.exec(markup) ?? [];
  return body.match(/<tr[\s\S]*?<\/tr>/g) ?? [];
}
