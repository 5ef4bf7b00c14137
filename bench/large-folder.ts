import { fork } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { v7 as uuidv7 } from "uuid";
import { insertWorkspace } from "../db/catalog/workspaces.ts";
import { openStore } from "../db/engine/sqlite/open-store.ts";
import type { Db } from "../db/engine/store.ts";
import { insertOwner, insertScene } from "../test/support/search-scene.ts";
import { world } from "../test/support/world.ts";

// A data folder as left by a service that ran for long: long answers with readings and rollups,
// their jobs, and the audit log. Run as a program with a folder and megabytes, it fills the
// write-ahead log to that size and is killed.

const [COLLECTS, KEYWORDS, SOURCES] = [4, 1000, ["ASSISTANT_A", "ASSISTANT_B"]] as const;
const [BRANDS, NAMED] = [50, 5];
const TEXT = "Most people who ask for this are served well by the first of these. ".repeat(150);
const AUDIT_ROWS = 20_000;
const AT = "2026-11-21T08:00:00.000Z";

interface Owner {
  organizationId: string;
  workspaceId: string;
  userId: string;
}

/** Creates a data folder and fills it to `bytes`; returns the number of answers. */
export async function fillFolder(dataDir: string, bytes: number): Promise<number> {
  const service = await world({ dataDir });
  await service[Symbol.asyncDispose]();
  const store = await openStore(dataDir);
  const owner = { organizationId: uuidv7(), workspaceId: uuidv7(), userId: uuidv7() };
  await store.write((db) => insertOwner(db, owner));
  let answers = 0;
  while (statSync(store.file).size < bytes) {
    const ids = { ...owner, workspaceId: uuidv7() };
    await store.write((db) => insertWorkspaceOf(db, ids), { isRepeatable: true });
    await store.write((db) => insertAuditRows(db, ids), { isRepeatable: true });
    answers += COLLECTS * KEYWORDS * SOURCES.length;
  }
  await store.close();
  return answers;
}

async function insertWorkspaceOf(db: Db, ids: Owner): Promise<void> {
  const { organizationId, workspaceId: id } = ids;
  await insertWorkspace({ db, organizationId }, { id, name: id, createdAt: AT, updatedAt: AT });
  const [brands, keywords, collects] = [idsOf(BRANDS), idsOf(KEYWORDS), idsOf(COLLECTS)];
  const [thematicId, topicId] = [uuidv7(), uuidv7()];
  const answers = keywords.flatMap((keyword, at) =>
    SOURCES.map((source) => {
      const places = Array.from({ length: NAMED }, (_, rank) => ({
        brand_id: brands[(at * 7 + rank * 11) % BRANDS] ?? "",
        rank: rank + 1,
      }));
      return { keyword, source, text: TEXT, places };
    }),
  );
  await insertScene(db, ids, {
    projectId: uuidv7(),
    ownBrandId: brands[0] ?? "",
    brands: brands.map((brand, at) => ({ id: brand, name: `Brand ${at}` })),
    facets: [
      { id: thematicId, kind: "thematic", name: "All" },
      { id: topicId, kind: "topic", name: "All", parentId: thematicId },
    ],
    keywords: keywords.map((keyword, at) => ({ id: keyword, text: `keyword ${at}`, thematicId, topicId })),
    collects: collects.map((collect, at) => ({ id: collect, number: at + 1, answers })),
  });
  const asked = { run: 1, status: "succeeded" as const, attempts: 1, notBefore: AT, finishedAt: AT };
  for (const collectId of collects) {
    const jobs = answers.map(({ keyword, source }) => ({ id: uuidv7(), collectId, questionId: keyword, source }));
    await db.bulkInsert(
      db.t.jobs,
      jobs.map((job) => ({ ...asked, ...job })),
    );
  }
}

function idsOf(count: number): string[] {
  return Array.from({ length: count }, () => uuidv7());
}

async function insertAuditRows(db: Db, ids: Owner): Promise<void> {
  const call = { ...ids, clientId: null, door: "rest" as const, endpoint: "listBrands", argumentsHash: "", scopes: "" };
  const row = { ...call, confirmation: "none" as const, outcome: "ok", requestId: "request", at: AT };
  await db.bulkInsert(
    db.t.auditLog,
    Array.from({ length: AUDIT_ROWS }, () => ({ ...row, id: uuidv7() })),
  );
}

/** Has a process write `bytes` to the write-ahead log and die before the checkpoint. */
export async function leaveUncheckpointed(dataDir: string, bytes: number): Promise<void> {
  const child = fork(import.meta.filename, [dataDir, String(bytes)], { execArgv: ["--import", "tsx"] });
  const [, signal] = await once(child, "exit");
  if (signal !== "SIGKILL") throw new Error("Nothing was left written ahead.");
  // Syncs the file, so that the first commit after the start does not wait for it.
  const file = await open(join(dataDir, "visibility.db-wal"), "r+");
  await file.sync();
  await file.close();
}

async function writeUncheckpointed(dataDir: string, bytes: number): Promise<never> {
  const store = await openStore(dataDir);
  const [ids] = await store.read(({ q, t }) =>
    q
      .select({
        organizationId: t.analyses.organizationId,
        workspaceId: t.analyses.workspaceId,
        userId: t.analyses.createdBy,
      })
      .from(t.analyses)
      .limit(1),
  );
  if (!ids) throw new Error("This folder has no analysis.");
  // An open snapshot keeps the write-ahead log from being overwritten.
  return store.read(async ({ q, t }) => {
    await q.select({ id: t.users.id }).from(t.users).limit(1);
    while (statSync(`${store.file}-wal`).size < bytes) {
      await store.write((db) => insertAuditRows(db, ids), { isRepeatable: true });
    }
    process.kill(process.pid, "SIGKILL");
    throw new Error("It goes on.");
  });
}

const [, program, folder, most] = process.argv;
if (program === import.meta.filename && folder !== undefined) await writeUncheckpointed(folder, Number(most));
