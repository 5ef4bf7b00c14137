import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { sweepExpired } from "../../auth/sweep.ts";
import { EXPORT_FORMATS, EXPORT_LIFETIME_MS } from "../../core/exports/exports.ts";
import { addMs } from "../../core/shared/time.ts";
import { listOldFileHolds } from "../../db/assets/file-holds.ts";
import { type Exporter } from "../../src/jobs/exports/export-thread.ts";
import { world } from "../support/world.ts";
import { waitForExport } from "./read-export.ts";
import { uninterruptedChecksums } from "./uninterrupted.ts";
import { realExporter, createExportWorker, createWaitingExport, listFiles } from "./make-export-cases.ts";

test.each(EXPORT_FORMATS)("a %s file whose worker died is created again, with equal content, once", async (format) => {
  await using w = await world();
  const s = await createWaitingExport(w, format);
  const ids = { organizationId: s.organization.id, workspaceId: s.workspace.id };
  const stuck: Exporter = {
    async *streamFile(_, signal) {
      yield Buffer.from("half a file");
      await sleep(60_000, undefined, { signal });
    },
    close: () => Promise.resolve(),
  };
  const ended = createExportWorker(w, stuck);
  while (listFiles(w).incoming === 0) await sleep(10);
  expect(await s.state()).toMatchObject({ status: "running", url: null, sha256: null });
  await ended.close();
  expect(listFiles(w).kept).toEqual([]);
  const again = createExportWorker(w);
  const { sha256, rows } = await waitForExport(s.owner, s.workspace.path, s.id);
  await again.close();
  const files = [{ what: "catalog", format } as const];
  const whole = await uninterruptedChecksums({ databaseFile: w.store.file, ...ids }, { exporter: realExporter, files });
  expect([rows, sha256]).toEqual([2, whole.get(`catalog.${format}`)]);
  expect(listFiles(w)).toEqual({ kept: [sha256], incoming: 0 });
});

test("deleting an export in progress leaves no file", async () => {
  await using w = await world();
  const s = await createWaitingExport(w);
  const deleting: Exporter = {
    async *streamFile(order, signal, watch) {
      yield* realExporter.streamFile(order, signal, watch);
      await s.owner.delete(s.at);
    },
    close: () => Promise.resolve(),
  };
  const runner = createExportWorker(w, deleting);
  while ((await s.owner.get(s.at)).status !== 404) await sleep(10);
  await runner.close();
  expect(listFiles(w)).toEqual({ kept: [], incoming: 0 });
});

test("a file shows one snapshot", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  await owner.post(`${workspace.path}/brands`, { name: "Acme", relationship: "mine" });
  const ids = { organizationId: organization.id, workspaceId: workspace.id };
  const order = { databaseFile: w.store.file, ...ids, what: "catalog", format: "jsonl", filters: {} } as const;
  let added: Promise<unknown> | undefined;
  const watch = {
    onSnapshot: () =>
      void (added = owner.post(`${workspace.path}/brands`, { name: "Late", relationship: "competitor" })),
    onComplete: () => undefined,
  };
  const lines: string[] = [];
  for await (const bytes of realExporter.streamFile(order, new AbortController().signal, watch)) {
    await added;
    lines.push(...Buffer.from(bytes).toString().trim().split("\n"));
  }
  expect(lines.map((line) => JSON.parse(line).name)).toEqual(["Acme", null]);
});

test("an export expires with its link, and its file goes with the next sweep of files", async () => {
  await using w = await world();
  const s = await createWaitingExport(w);
  const runner = createExportWorker(w);
  const { sha256, url, finished_at: at, expires_at: end } = await waitForExport(s.owner, s.workspace.path, s.id);
  await runner.close();
  expect([end, (await fetch(url)).status]).toEqual([addMs(at, EXPORT_LIFETIME_MS), 200]);
  await sweepExpired(w.store, addMs(end, 3_600_000));
  expect([(await s.owner.get(s.at)).status, (await fetch(url)).status]).toEqual([404, 404]);
  const holds = await w.store.read((db) => listOldFileHolds(db, at));
  expect([holds, listFiles(w).kept]).toEqual([[s.id], [sha256]]);
});
