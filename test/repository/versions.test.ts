import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generateSQLiteDrizzleJson, generateSQLiteMigration, type DrizzleSQLiteSnapshotJSON } from "drizzle-kit/api";
import { expect, test } from "vitest";
import { CHECKS_DIGEST, CHECKS_VERSION, PAGE_CHECKS, SITE_CHECKS } from "../../core/audits/checks.ts";
import { tables } from "../../db/schema.ts";

// Changes that need a migration or a higher version. A failure names the step to take.

const SNAPSHOTS = join(import.meta.dirname, "../../db/migrations/meta");

test("has migrations for the whole schema", async () => {
  const newest = readdirSync(SNAPSHOTS)
    .filter((file) => file.endsWith("_snapshot.json"))
    .toSorted()
    .at(-1);
  const snapshot = JSON.parse(readFileSync(join(SNAPSHOTS, newest ?? ""), "utf8")) as DrizzleSQLiteSnapshotJSON;
  const missing = await generateSQLiteMigration(snapshot, await generateSQLiteDrizzleJson(tables));
  expect(missing, "The schema changed: run `npm run migration -- --name what_changes`.").toEqual([]);
});

test("the version of the audit checks belongs to these checks", () => {
  const ids = [...PAGE_CHECKS, ...SITE_CHECKS].map(({ id }) => id).toSorted((a, b) => (a < b ? -1 : 1));
  const digest = createHash("sha256").update(ids.join()).digest("hex").slice(0, 12);
  const remedy = `Audit checks were added, removed or renamed: in core/audits/checks.ts raise CHECKS_VERSION to ${CHECKS_VERSION + 1} and set CHECKS_DIGEST to "${digest}".`;
  expect(CHECKS_DIGEST === digest ? [] : [remedy]).toEqual([]);
});
