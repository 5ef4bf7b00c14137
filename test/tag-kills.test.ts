import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { openStore } from "../db/engine/open-store.ts";
import { updateOrganization } from "../db/identity/organizations.ts";
import { assistant, responseBody } from "./collecting/provider.ts";
import { collecting } from "./collecting/scene.ts";
import { committed } from "./committed.ts";
import { startServiceProcess } from "./killable-process.ts";
import { extent } from "./proof.ts";
import { WITHOUT_LIMITS } from "./world.ts";

const KILLS = extent(60, 1);
const CALLERS = 64;
/** Tags that are acknowledged in each life at least. */
const BEFORE_A_KILL = extent(200, 100);

test(
  `killed ${KILLS} times while ${CALLERS} callers add tags and a collect runs, no acknowledged tag is lost and none is there twice`,
  async () => {
    await using provider = await assistant((prompt) => ({ delayMs: 50, body: responseBody(`Acme for ${prompt}`) }));
    const dataDir = await mkdtemp(join(tmpdir(), "tags-killed-"));
    const { owner, tags } = await makeScene(dataDir);
    const store = await openStore(dataDir);
    const { q, t } = committed(store);
    const stored = () => q.select({ name: t.tags.name }).from(t.tags).orderBy(asc(t.tags.position));
    const acknowledged: string[] = [];
    const sent = new Set<string>();
    try {
      for (let life = 0; life < KILLS; life++) {
        const env = { DATA_DIR: dataDir, PORT: "0", DEMO: "0", LOG_LEVEL: "silent", COLLECT_LEASE_SECONDS: "1" };
        const limits = { COLLECT_CONCURRENCY: "4", ...WITHOUT_LIMITS };
        await using service = await startServiceProcess({ ...env, ...limits, ...provider.env });
        const before = acknowledged.length;
        const answered = await q.$count(t.answers);
        while ((await q.$count(t.answers)) === answered) await sleep(5);
        const add = await adder(service.address, { ...owner, tags });
        const callers = Array.from({ length: CALLERS }, async (_, caller) => {
          for (let n = 0; ; n++) {
            const name = `${life} ${caller} ${n}`;
            sent.add(name);
            if (!(await add(name))) return;
            acknowledged.push(name);
          }
        });
        while (acknowledged.length < before + BEFORE_A_KILL) await sleep(2);
        // Some moment: within a transaction, while it is committed, or between a commit and its answers.
        await sleep(Math.random() * 60);
        await service.kill();
        await Promise.all(callers);
        const names = (await stored()).map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
        const there = new Set(names);
        expect(acknowledged.filter((name) => !there.has(name))).toEqual([]);
        expect(names.filter((name) => !sent.has(name))).toEqual([]);
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

/** A workspace with room for any number of tags, and a collect that lasts longer than all lives. */
async function makeScene(dataDir: string) {
  await using s = await collecting({ dataDir, env: { SERVE: "core" } });
  await s.create(Array.from({ length: extent(5000, 400) }, (_, index) => `phone ${index}`));
  await s.store.write((db) => updateOrganization({ db, organizationId: s.organization.id }, { quotas: { tags: 1e6 } }));
  return { owner: { apiKey: s.owner.apiKey }, tags: `${s.workspace.path}/tags` };
}

/** Adds a tag; false where the service was gone before it said that it is stored. */
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
