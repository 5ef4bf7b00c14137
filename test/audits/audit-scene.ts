import type { Db } from "../../db/engine/store.ts";
import { world } from "../support/world.ts";
import {
  ADDRESS,
  FIRST_RUN_AT,
  HOME,
  MACHINE_FINDINGS,
  NAMES,
  NO_ANSWER,
  PAGES,
  PATHS,
  SECOND_RUN_AT,
  SITE,
  SITE_FINDINGS,
  createSummary,
  type Ids,
} from "./scene-pages.ts";

export interface Owner {
  organizationId: string;
  workspaceId: string;
  userId: string;
  newId: () => string;
}

/** Variants: a third run in progress, or a simulated site. */
export interface AuditVariant {
  isSimulated?: boolean;
  /** No run has completed. */
  isNew?: boolean;
  isUnderWay?: boolean;
}

/** Stores an audit with two runs; returns its ids. */
export async function insertAudit(db: Db, { userId, newId, ...tenant }: Owner, variant: AuditVariant = {}) {
  const { q, t } = db;
  const analysisId = newId();
  const setup = { website: `${SITE}/`, max_pages: 4, render: false, pages_from: "the list that was given" };
  const times = { createdAt: FIRST_RUN_AT, updatedAt: FIRST_RUN_AT };
  await q.insert(t.analyses).values({
    ...tenant,
    ...times,
    id: analysisId,
    type: "geo_audit",
    name: "Shop audit",
    status: "live",
    setup,
    schedule: { every: "once", at: "06:00", time_zone: "UTC" },
    plannedCollects: 1,
    unitCredits: 1,
    createdBy: userId,
  });
  await q.insert(t.analysisSetups).values({
    analysisId,
    version: 1,
    setup,
    positions: null,
    questionCount: 4,
    prompts: null,
    unitCredits: 1,
    createdBy: userId,
    createdAt: FIRST_RUN_AT,
  });
  const ids: Ids = { home: newId(), machine: newId(), article: newId(), silent: newId() };
  await db.bulkInsert(
    t.questions,
    NAMES.map((name, position) => ({
      id: ids[name],
      analysisId,
      position,
      text: SITE + PATHS[name],
      type: "Generic" as const,
      intent: [],
    })),
  );
  const [first, second, third] = [newId(), newId(), newId()];
  const at = { tenant, analysisId, ids, isSimulated: variant.isSimulated ?? false };
  if (!variant.isNew) {
    await insertRun(db, at, { id: first, number: 1, startedAt: FIRST_RUN_AT, before: null });
    await insertRun(db, at, { id: second, number: 2, startedAt: SECOND_RUN_AT, before: first });
  }
  if (variant.isUnderWay) await insertBegunRun(db, at, third);
  return { analysisId, pages: ids, runs: { first, second, third } };
}

interface AuditTarget {
  tenant: { organizationId: string; workspaceId: string };
  analysisId: string;
  ids: Ids;
  isSimulated: boolean;
}

interface Run {
  id: string;
  number: number;
  startedAt: string;
  before: string | null;
}

const FACTS = { origin: SITE, robots: { unread: NO_ANSWER }, sitemap: { unread: NO_ANSWER }, llmsTxt: null };
const FREE = { unitCredits: 1, reservedCredits: 0, costCredits: 0 };

async function insertRun(db: Db, { tenant, analysisId, ids, isSimulated }: AuditTarget, run: Run): Promise<void> {
  const { q, t } = db;
  const { id: collectId, number, startedAt } = run;
  await q.insert(t.collects).values({
    ...tenant,
    ...FREE,
    id: collectId,
    analysisId,
    number,
    status: "partial",
    planned: 4,
    succeeded: 3,
    failed: 1,
    createdAt: startedAt,
    startedAt,
    finishedAt: startedAt,
  });
  await q.insert(t.audits).values({
    collectId,
    analysisId,
    checksVersion: 1,
    isSimulated,
    site: FACTS,
    findings: [...SITE_FINDINGS],
    summary: createSummary(ids, run.before),
    startedAt,
  });
  const common = { collectId, checksVersion: 1, fetchedAt: startedAt };
  await q.insert(t.auditPages).values(
    NAMES.map((name) => ({
      ...common,
      ...PAGES[name],
      pageId: ids[name],
      changes: run.before === null ? [] : PAGES[name].changes,
    })),
  );
  await q.insert(t.auditFindings).values(
    NAMES.map((name) => ({
      collectId,
      pageId: ids[name],
      findings: name === "machine" ? [...MACHINE_FINDINGS] : [],
      address: name === "machine" ? ADDRESS : null,
    })),
  );
}

/** A run with one of four pages completed. */
async function insertBegunRun(
  db: Db,
  { tenant, analysisId, ids, isSimulated }: AuditTarget,
  id: string,
): Promise<void> {
  const { q, t } = db;
  const startedAt = "2026-11-28T06:00:00.000Z";
  const state = { status: "running" as const, planned: 4, succeeded: 1, failed: 0, createdAt: startedAt, startedAt };
  await q.insert(t.collects).values({ ...tenant, ...FREE, ...state, id, analysisId, number: 3 });
  await q.insert(t.audits).values({
    collectId: id,
    analysisId,
    checksVersion: 1,
    isSimulated,
    site: FACTS,
    findings: [...SITE_FINDINGS],
    startedAt,
  });
  const page = { ...HOME, collectId: id, pageId: ids.home, checksVersion: 1, fetchedAt: startedAt };
  await q.insert(t.auditPages).values(page);
}

/** The service with such an audit. */
export async function auditScene(variant: AuditVariant = {}, options: Parameters<typeof world>[0] = {}) {
  const w = await world(options);
  const { owner, organization, workspace } = await w.acme();
  const by = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id, newId: w.deps.newId };
  const audit = await w.store.write((db) => insertAudit(db, by, variant));
  return {
    w,
    owner,
    organization,
    workspace,
    ...audit,
    path: `${workspace.path}/analyses/${audit.analysisId}`,
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}
