import { copyFileSync, mkdtempSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import type { Store } from "../../db/engine/store.ts";
import { updateOrganization } from "../../db/identity/organizations.ts";
import { startAssistant, responseBody } from "../collecting/provider.ts";
import { collectScene } from "../collecting/scene.ts";
import { openCommitted } from "../support/committed.ts";
import { startServiceProcess } from "../support/killable-process.ts";
import { chooseExtent } from "../support/proof.ts";
import { WITHOUT_LIMITS, world } from "../support/world.ts";
import { random } from "../support/random.ts";

const KILLS = chooseExtent(60, 0);
const CALLERS = 64;
/** Tags that are acknowledged in each life at least. */
const BEFORE_A_KILL = 200;
const LOOKS = chooseExtent(60, 3);

test(
  `at ${LOOKS} moments while ${CALLERS} callers add tags, a crash would keep each acknowledged tag once`,
  async () => {
    await using w = await world({ env: WITHOUT_LIMITS });
    const { owner, organization, workspace } = await w.acme();
    await allowTags(w.store, organization.id);
    const add = await adder(w.config.baseUrl, { apiKey: owner.apiKey, tags: `${workspace.path}/tags` });
    const tags: Tags = { acknowledged: [], sent: new Set() };
    let isOver = false;
    const callers = addTags(tags, { life: 0, add, isOver: () => isOver });
    try {
      for (let look = 0; look < LOOKS; look++) {
        const before = tags.acknowledged.length;
        while (tags.acknowledged.length < before + 20) await sleep(random() * 20);
        // In one turn of the writing process: the state a kill would leave now, and the
        // acknowledgements so far.
        const acknowledged = [...tags.acknowledged];
        const left = copyOf(w.store);
        const store = await openStore(left);
        try {
          checkTags(await namesIn(store), { acknowledged, sent: tags.sent });
        } finally {
          await store.close();
          await rm(left, { recursive: true });
        }
      }
    } finally {
      isOver = true;
      await callers;
    }
  },
  30_000 + LOOKS * 3000,
);

test.runIf(KILLS > 0)(
  `killed ${KILLS} times while ${CALLERS} callers add tags and a collect runs, no acknowledged tag is lost or duplicated`,
  async () => {
    await using provider = await startAssistant((prompt) => ({
      delayMs: 50,
      body: responseBody(`Acme for ${prompt}`),
    }));
    const dataDir = await mkdtemp(join(tmpdir(), "tags-killed-"));
    const { owner, tags } = await makeScene(dataDir);
    const store = await openStore(dataDir);
    const { q, t } = openCommitted(store);
    const given: Tags = { acknowledged: [], sent: new Set() };
    const { acknowledged } = given;
    try {
      for (let life = 0; life < KILLS; life++) {
        const env = { DATA_DIR: dataDir, PORT: "0", DEMO: "0", LOG_LEVEL: "silent", COLLECT_LEASE_SECONDS: "1" };
        const limits = { COLLECT_CONCURRENCY: "4", ...WITHOUT_LIMITS };
        await using service = await startServiceProcess({ ...env, ...limits, ...provider.env });
        const before = acknowledged.length;
        const answered = await q.$count(t.answers);
        while ((await q.$count(t.answers)) === answered) await sleep(5);
        const add = await adder(service.address, { ...owner, tags });
        const callers = addTags(given, { life, add });
        while (acknowledged.length < before + BEFORE_A_KILL) await sleep(2);
        // Some moment: within a transaction, while it is committed, or between a commit and its
        // answers.
        await sleep(random() * 60);
        await service.kill();
        await callers;
        checkTags(await namesIn(store), given);
      }
      expect(await q.$count(t.collects, eq(t.collects.status, "running"))).toBe(1);
      const places = await q.select({ at: t.tags.position }).from(t.tags).orderBy(asc(t.tags.position));
      expect(places).toEqual(places.map((_, at) => ({ at })));
      const answers = await q.$count(t.answers);
      process.stdout.write(
        `${KILLS} kills: ${acknowledged.length} tags acknowledged, ${places.length} there, beside ${answers} answers\n`,
      );
    } finally {
      await store.close();
      await rm(dataDir, { recursive: true });
    }
  },
  60_000 + KILLS * 20_000,
);

interface Tags {
  /** Acknowledged names. */
  acknowledged: string[];
  sent: Set<string>;
}

interface Adding {
  life: number;
  add: (name: string) => Promise<boolean>;
  isOver?: () => boolean;
}

/** Each caller adds tags one by one until stopped or disconnected. */
async function addTags({ acknowledged, sent }: Tags, { life, add, isOver = () => false }: Adding): Promise<void> {
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let n = 0; !isOver(); n++) {
      const name = `${life} ${caller} ${n}`;
      sent.add(name);
      if (!(await add(name))) return;
      acknowledged.push(name);
    }
  });
  await Promise.all(callers);
}

async function namesIn(store: Store): Promise<string[]> {
  const { q, t } = openCommitted(store);
  return (await q.select({ name: t.tags.name }).from(t.tags)).map(({ name }) => name);
}

/** None lost, duplicated or unsent. */
function checkTags(names: readonly string[], { acknowledged, sent }: Tags): void {
  const there = new Set(names);
  expect(there.size).toBe(names.length);
  expect(acknowledged.filter((name) => !there.has(name))).toEqual([]);
  expect(names.filter((name) => !sent.has(name))).toEqual([]);
}

/** A folder with the files of a database as they are at this moment. */
function copyOf({ file }: Store): string {
  const folder = mkdtempSync(join(tmpdir(), "tags-left-"));
  for (const one of [file, `${file}-wal`]) copyFileSync(one, join(folder, basename(one)));
  return folder;
}

function allowTags(store: Store, organizationId: string): Promise<unknown> {
  return store.write((db) => updateOrganization({ db, organizationId }, { quotas: { tags: 1e6 } }));
}

/** A workspace with room for any number of tags, and a collect that lasts longer than all lives. */
async function makeScene(dataDir: string) {
  await using s = await collectScene({ dataDir, env: { SERVE: "core" } });
  await s.create(Array.from({ length: 5000 }, (_, index) => `phone ${index}`));
  await allowTags(s.store, s.organization.id);
  return { owner: { apiKey: s.owner.apiKey }, tags: `${s.workspace.path}/tags` };
}

/** Adds a tag; false if the service died before acknowledging. */
async function adder(address: string, { apiKey, tags }: { apiKey: string; tags: string }) {
  const post = (path: string, body: object, headers = {}) =>
    fetch(new URL(path, address), {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const exchanged = await post("/v1/auth/token", { api_key: apiKey });
  // The documented response.
  const { access_token: token } = (await exchanged.json()) as { access_token: string };
  return async (name: string): Promise<boolean> => {
    const response = await post(tags, { name }, { authorization: `Bearer ${token}` }).catch(() => undefined);
    if (!response) return false;
    if (response.status !== 201) throw new Error(`A tag was answered with ${response.status}`);
    // The status came before the kill: that is the acknowledgement, whatever came of the body.
    await response.arrayBuffer().catch(() => undefined);
    return true;
  };
}
