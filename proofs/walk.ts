import { Session } from "node:inspector/promises";
import { basename, dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { eq } from "drizzle-orm";
import { Database } from "../db/engine/sqlite/sqlite.ts";
import { collectScene } from "../test/collecting/scene.ts";
import { mintToolToken } from "../test/support/tool-token.ts";
import { rawToolCall } from "../test/support/raw-tool-call.ts";

// Lists the files whose functions run in each of several tool calls and collects, by folder: `npm
// run proof -- walk`. Module top-level code does not count, and timers that fire in some rounds
// drop out. docs/architecture.md describes the path through the files.

const ROOT = join(import.meta.dirname, "..");
const ROUNDS = 60;

await using scene = await collectScene();
const { token } = await mintToolToken(scene, scene.owner);
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

holdFollowUps();
await callTool();
print("One tools/call (list_brands)", await filesRunInEach(async () => callTool));
await waitForCollect(await scene.create(["best phone"]));
const collect = async (round: number) => {
  const analysis = await scene.create([`best small phone ${round}`]);
  return () => waitForCollect(analysis);
};
print("One collect of one question, until its sums are stored", await filesRunInEach(collect));
session.disconnect();

async function callTool(): Promise<void> {
  const { organization, workspace } = scene;
  const given = { organization_id: organization.id, workspace_id: workspace.id };
  const response = await rawToolCall(scene.config.mcpUrl, token, { name: "list_brands", arguments: given });
  const text = await response.text();
  if (!response.ok || !text.includes("Rival")) throw new Error(`the tool call failed: ${text}`);
}

/** Delays the jobs that follow a collect, so that none runs in its round. */
function holdFollowUps(): void {
  const database = new Database(scene.store.file);
  database.exec(`
    CREATE TRIGGER hold AFTER INSERT ON background_jobs WHEN new.kind <> 'end_collect' BEGIN
      UPDATE background_jobs SET not_before = 1000 * unixepoch() + 600000 WHERE id = new.id;
    END`);
  database.close();
}

/** Waits until a collect ends without a request, which would add REST's files. */
async function waitForCollect(path: string): Promise<void> {
  const analysisId = path.split("/").at(-1) ?? "";
  for (;;) {
    const rows = await scene.store.read(({ q, t }) =>
      q.select({ finishedAt: t.collects.finishedAt }).from(t.collects).where(eq(t.collects.analysisId, analysisId)),
    );
    if (rows[0]?.finishedAt != null) return;
    await sleep(1);
  }
}

/**
 * Product files in which a function ran in each round. `prepare` sets up a round's work unobserved.
 */
async function filesRunInEach(prepare: (round: number) => Promise<() => Promise<unknown>>): Promise<string[]> {
  let common: string[] | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const files = await filesRunBy(await prepare(round));
    common = common?.filter((file) => files.includes(file)) ?? files;
  }
  return common ?? [];
}

/** Product files in which a function ran during `work`, in alphabetical order. */
async function filesRunBy(work: () => Promise<unknown>): Promise<string[]> {
  await session.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  return result
    .filter(({ functions }) => functions.some(({ functionName, ranges }) => functionName !== "" && ranges[0]?.count))
    .filter(({ url }) => url.startsWith("file:"))
    .map(({ url }) => relative(ROOT, fileURLToPath(url)))
    .filter((file) => /^(src|tools|auth|db|core)\//.test(file))
    .toSorted();
}

function print(title: string, files: readonly string[]): void {
  console.info(`${title}: ${files.length} files`);
  for (const folder of new Set(files.map((file) => dirname(file)))) {
    const inside = files.filter((file) => dirname(file) === folder);
    console.info(`  ${folder} (${inside.length}): ${inside.map((file) => basename(file)).join(", ")}`);
  }
}
