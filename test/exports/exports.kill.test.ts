import { utimesSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { POISONED_REASON } from "../../core/jobs/worker-failures.ts";
import { toInstant } from "../../core/shared/time.ts";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import { openExporter } from "../../src/jobs/exports/export-thread.ts";
import { recordedLines } from "../catalog/scene.ts";
import { collectScene } from "../collecting/scene.ts";
import { openCommitted } from "../support/committed.ts";
import { chooseExtent, report } from "../support/proof.ts";
import { WITH_WORKER, WITHOUT_LIMITS, world } from "../support/world.ts";
import { runExports, type ExportProgress } from "./run-exports.ts";
import { listExportFiles } from "./list-export-files.ts";
import { startRestartableService } from "./restartable-service.ts";
import { ALL_FILES, uninterruptedChecksums } from "./uninterrupted.ts";
import { random } from "../support/random.ts";

// The service is killed while exports are created and sent: src/jobs/exports/make-export.ts,
// src/http/exported-files.ts. make-export.test.ts covers one export per format without a process.

const KILLS = chooseExtent(30, 0);
const ANSWERS = 6000;
/** Max concurrent exports of an organization. */
const CALLERS = 5;
const TWO_HOURS_MS = 2 * 60 * 60_000;

test.runIf(KILLS > 0)(
  `killed ${KILLS} times while exports are created and sent, each completes normally or reports its failure`,
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "killed-"));
    const { owner, organization, workspace } = await importedScene(dataDir);
    const store = await openStore(dataDir);
    const ids = { organizationId: organization.id, workspaceId: workspace.id };
    const exporter = openExporter();
    const expected = await uninterruptedChecksums({ databaseFile: store.file, ...ids }, { exporter });
    await exporter.close();
    const other = listExportFiles(dataDir).kept;
    const { q, t } = openCommitted(store);
    const credits = async () => [await q.select().from(t.creditBalances), await q.$count(t.ledgerEntries)];
    const before = await credits();
    const isMaking = async () => (await q.$count(t.exports, eq(t.exports.status, "running"))) > 0;
    const service = await startRestartableService({ DATA_DIR: dataDir, COLLECT_LEASE_SECONDS: "1", ...WITHOUT_LIMITS });
    const exporting: ExportProgress = {
      requestedCount: 0,
      isStopped: false,
      files: [],
      requestIds: [],
      brokenDownloads: 0,
      failures: [],
    };
    const from = { baseUrl: service.baseUrl, path: workspace.path, apiKey: owner.apiKey };
    const callers = Promise.all(Array.from({ length: CALLERS }, () => runExports(from, exporting)));
    try {
      for (let life = 0; life < KILLS; life += 1) {
        while (!(await isMaking())) await Promise.race([sleep(2), callers]);
        // A random moment: while rows are read, a file is named, or sent.
        await sleep(random() * 1500);
        await service.kill(life % 2 === 0 ? "all" : "workers");
      }
      exporting.isStopped = true;
      await callers;
      // Only complete files with the right rows arrived, of each table in each format.
      const wrong = exporting.files.filter(({ name, sum }) => sum !== expected.get(name));
      expect(wrong).toEqual([]);
      expect(new Set(exporting.files.map(({ name }) => name)).size).toBeGreaterThan(ALL_FILES.length - 3);
      const reasons = new Set(["It failed several times.", POISONED_REASON]);
      expect(exporting.failures.filter((reason) => !reasons.has(reason))).toEqual([]);
      const open = await q.select().from(t.exports).where(eq(t.exports.hasFile, false));
      expect(open.filter(({ status }) => status !== "failed")).toEqual([]);
      expect(await credits()).toEqual(before);
      const audited = await q.select({ id: t.auditLog.requestId }).from(t.auditLog);
      const known = new Set(audited.map(({ id }) => id));
      expect(exporting.requestIds.filter((id) => !known.has(id))).toEqual([]);
      await service.close();

      const kept = await q.select({ sum: t.exports.sha256 }).from(t.exports).where(eq(t.exports.hasFile, true));
      const needed = [...new Set([...other, ...kept.flatMap(({ sum }) => sum ?? [])])].toSorted();
      const left = await sweptFiles(dataDir, () => q.$count(t.fileHolds));
      expect(left.after).toEqual({ kept: needed, incoming: 0 });
      const { files, requestIds, brokenDownloads, failures } = exporting;
      report(
        `${KILLS} kills: ${files.length} whole files, ${requestIds.length} downloads by links, of which ${brokenDownloads} were cut off`,
        `${failures.length} exports failed; unfinished files left by the kills: ${left.before.incoming}, all swept`,
      );
    } finally {
      exporting.isStopped = true;
      await service.close();
      await store.close();
      await rm(dataDir, { recursive: true });
    }
  },
  180_000 + KILLS * 30_000,
);

/** A workspace with imported answers, in a folder that no process has open. */
async function importedScene(dataDir: string) {
  await using s = await collectScene({ dataDir, env: { ...WITH_WORKER } });
  const analysis = await s.create(["best phone"], { sources: [] });
  const { status } = await s.owner.request("POST", `${analysis}/answers/import`, {
    body: recordedLines(ANSWERS).join("\n"),
    headers: { "content-type": "application/x-ndjson" },
  });
  expect(status).toBe(202);
  await s.ended(analysis);
  return s;
}

/** Files before and after the sweep at a start when leftovers belong to no request. */
async function sweptFiles(dataDir: string, holds: () => Promise<number>) {
  const before = listExportFiles(dataDir);
  for (const path of before.incomingPaths) utimesSync(path, 0, 0);
  await using _later = await world({ dataDir, now: () => toInstant(Date.now() + TWO_HOURS_MS) });
  while ((await holds()) > 0 || listExportFiles(dataDir).incoming > 0) await sleep(10);
  const { kept, incoming } = listExportFiles(dataDir);
  return { before, after: { kept, incoming } };
}
