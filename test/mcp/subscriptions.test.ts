import { expect, test } from "vitest";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { scene, openListener } from "./subscriptions-cases.ts";

test("rejects another organization's analysis like an unknown one, and other resources", async () => {
  // Attack: listening to learn which analyses another organization has, and when it collects.
  await using s = await scene();
  await using foreign = await openListener(s, s.mallory);
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

test("a stop of the service ends streams in the words of the protocol", async () => {
  const s = await scene();
  await using one = await openListener(s, s.viewer);
  const subscription = await one.listen(s.uri);
  expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [s.uri] });
  await s[Symbol.asyncDispose]();
  expect(await subscription.closed).toBe("graceful");
});

test("offers subscriptions only to clients of the newest revision, since others have no stream", async () => {
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
