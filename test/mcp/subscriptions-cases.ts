import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { collectScene } from "../collecting/scene.ts";
import { mintToolToken } from "../support/tool-token.ts";

export type Scene = Awaited<ReturnType<typeof scene>>;

/**
 * An analysis with one completed collect, its viewer with an assistant, and an owner of another
 * organization.
 */
export async function scene() {
  const s = await collectScene();
  const analysis = await s.create(["best phone"], { sources: ["ASSISTANT_B"] });
  await s.ended(analysis, 1);
  const viewer = await s.signIn("viewer@acme.test", { organizationId: s.organization.id, role: "viewer" });
  const rival = await s.insertTenant("Rival");
  const mallory = await s.signIn("mallory@rival.test", { organizationId: rival.organization.id, role: "owner" });
  return { ...s, analysis, viewer, mallory, rival, uri: `visibility:/${analysis.slice("/v1".length)}` };
}

/** A real client of the newest revision with its notifications. */
export async function openListener(s: Scene, person: { id: string }) {
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
