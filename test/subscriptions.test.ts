import { setTimeout as sleep } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { collecting } from "./collecting/scene.ts";
import { CLIENTS } from "./tool-client.ts";
import { mintToolToken } from "./tool-token.ts";

type Scene = Awaited<ReturnType<typeof scene>>;

/** A stream is looked at every two seconds; this much more is for a busy machine. */
const SOON_MS = 8000;

/** An analysis with one collect that has ended, its viewer with an assistant, and an owner of another organization. */
async function scene() {
  const s = await collecting();
  const analysis = await s.create(["best phone"], { sources: ["ASSISTANT_B"] });
  await s.ended(analysis, 1);
  const viewer = await s.signIn("viewer@acme.test", { organizationId: s.organization.id, role: "viewer" });
  const rival = await s.insertTenant("Rival");
  const mallory = await s.signIn("mallory@rival.test", { organizationId: rival.organization.id, role: "owner" });
  return { ...s, analysis, viewer, mallory, rival, uri: `visibility:/${analysis.slice("/v1".length)}` };
}

async function collectAgain({ owner, analysis, ended }: Scene, number: number) {
  const { body } = await owner.post(`${analysis}/collects/price`);
  await owner.post(`${analysis}/collects`, { quote_id: body.quote_id, confirmed: true });
  await ended(analysis, number);
}

/** A real client of the newest revision, and what it is told. */
async function listener(s: Scene, person: { id: string }) {
  const { token } = await mintToolToken(s, person);
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(s.config.mcpUrl), { requestInit }));
  const told: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void told.push(params.uri));
  return {
    client,
    told,
    listen: (...uris: string[]) => client.listen({ resourceSubscriptions: uris }),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

test("who listens to an analysis is told when a collect of it ends, once on each stream, and reads it then", async () => {
  // Fault: an assistant learnt that a collect had ended only by asking again and again.
  await using s = await scene();
  await using one = await listener(s, s.viewer);
  await using two = await listener(s, s.owner);
  const subscription = await one.listen(s.uri, "visibility://glossary");
  expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [s.uri, "visibility://glossary"] });
  await two.listen(s.uri);
  const other = await s.create(["worst phone"], { sources: ["ASSISTANT_B"] });
  await s.ended(other, 1);
  await collectAgain(s, 2);
  await expect.poll(() => [one.told, two.told], { timeout: SOON_MS }).toEqual([[s.uri], [s.uri]]);
  expect(JSON.stringify(await one.client.readResource({ uri: s.uri }))).toContain("| 2 | completed |");
  await sleep(1200);
  await collectAgain(s, 3);
  await expect
    .poll(() => [one.told, two.told], { timeout: SOON_MS })
    .toEqual([
      [s.uri, s.uri],
      [s.uri, s.uri],
    ]);
});

test("another organization's analysis is refused like an unknown one, and so is what is no analysis", async () => {
  // Attack: listening to learn which analyses another organization has, and when it collects.
  await using s = await scene();
  await using foreign = await listener(s, s.mallory);
  const unknown = s.uri.replace(/[^/]+$/, s.deps.newId());
  const refusals: unknown[] = [];
  for (const uri of [s.uri, unknown]) {
    const refusal = await foreign.listen(uri).catch((error: unknown) => error as { code: number; message: string });
    const { code, message } = refusal as { code: number; message: string };
    refusals.push([code, message.replace(uri, "…")]);
  }
  const notFound = [-32602, "Resource not found: …"];
  expect(refusals).toEqual([notFound, notFound]);
  await expect(foreign.listen("visibility://glossary", s.uri)).rejects.toThrow("Resource not found");
  for (const uri of ["visibility://organizations", "file:///etc/passwd", `${s.uri}/answers/${s.deps.newId()}`])
    await expect(foreign.listen(uri)).rejects.toThrow("Analyses alone can be listened to.");
  const many = Array.from({ length: 21 }, (_, at) => s.uri.replace(/[^/]+$/, `${at}`));
  await expect(foreign.listen(...many)).rejects.toThrow("A stream tells of at most 20 resources.");
});

test("a stream ends when its person leaves the organization, and that of another person goes on", async () => {
  // Attack: listening on after access was lost.
  await using s = await scene();
  // They stay in an organization of their own, so their account and their grant stand.
  await s.signIn(s.viewer.email, { organizationId: s.rival.organization.id, role: "viewer" });
  await using one = await listener(s, s.viewer);
  await using two = await listener(s, s.owner);
  const subscription = await one.listen(s.uri);
  await two.listen(s.uri);
  await s.owner.delete(`${s.organization.path}/members/${s.viewer.id}`);
  const ended = await Promise.race([subscription.closed, sleep(SOON_MS, "still open", { ref: false })]);
  expect(ended).toBe("remote");
  await collectAgain(s, 2);
  await expect.poll(() => two.told, { timeout: SOON_MS }).toEqual([s.uri]);
  expect(one.told).toEqual([]);
});

test("a stop of the service ends streams in the words of the protocol", async () => {
  const s = await scene();
  await using one = await listener(s, s.viewer);
  const subscription = await one.listen(s.uri);
  expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [s.uri] });
  await s[Symbol.asyncDispose]();
  expect(await subscription.closed).toBe("graceful");
});

test("subscriptions are offered to clients of the newest revision alone, because no others have a stream to be told on", async () => {
  await using s = await scene();
  const { token } = await mintToolToken(s, s.viewer);
  const offered: unknown[] = [];
  for (const connect of Object.values(CLIENTS)) {
    await using client = await connect(s.config.mcpUrl, { token });
    offered.push([client.protocol(), client.capabilities()?.resources]);
  }
  expect(offered).toEqual([
    ["2026-07-28", { subscribe: true }],
    ["2026-07-28", { subscribe: true }],
    ["2025-11-25", {}],
    ["2025-11-25", {}],
  ]);
});
