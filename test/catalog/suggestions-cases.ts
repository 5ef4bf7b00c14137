import { setTimeout as sleep } from "node:timers/promises";
import { catalogScene, recordedLines } from "./scene.ts";
import { openCommitted } from "../support/committed.ts";

/** Two collects that name a brand which the catalog lacks, searched for names. */
export async function suggestionScene() {
  const s = await catalogScene();
  await s.import(recordedLines(160));
  await s.import(recordedLines(160, 1));
  const path = `${s.workspace.path}/brand-suggestions`;
  const list = async (query = "") => (await s.owner.get(`${path}?${query}`)).body.data;
  await searchNames(s);
  const [found] = await list("status=open");
  return {
    ...s,
    path,
    list,
    found,
    one: `${path}/${found?.id}`,
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

export async function searchNames({ store }: Awaited<ReturnType<typeof catalogScene>>) {
  const { q, t } = openCommitted(store);
  for (let waited = 0; waited < 20_000; waited += 10) {
    const jobs = await q
      .select({ kind: t.backgroundJobs.kind, status: t.backgroundJobs.status })
      .from(t.backgroundJobs);
    const searches = jobs.filter(({ kind }) => kind === "suggest_brands" || kind === "reread_answers");
    if (searches.every(({ status }) => status === "succeeded")) return;
    await sleep(10);
  }
  throw new Error("the answers were not searched for names in 20 s");
}
