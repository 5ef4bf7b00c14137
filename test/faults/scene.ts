import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../support/killable-process.ts";
import { partnerScene } from "../partner/scene.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world, type Person } from "../support/world.ts";

const PROTOCOL = "2025-11-25";

/** A data folder with an organization, and a port, for consecutive processes. */
export async function faultFolder() {
  return folderWith(async (options) => {
    const w = await world(options);
    const { owner, organization, workspace } = await w.acme();
    return { w, owner, organization, workspace, [Symbol.asyncDispose]: () => w[Symbol.asyncDispose]() };
  });
}

/**
 * Like faultFolder, with a workspace connected to the partner at `address`, and a sendable brief.
 */
export async function partnerFolder(address: string) {
  return folderWith(async (options) => {
    const scene = await partnerScene(address, options);
    return { ...scene, brief: await scene.newBrief() };
  });
}

type Folder = Awaited<ReturnType<typeof faultFolder>>;

interface Scene extends AsyncDisposable {
  w: Awaited<ReturnType<typeof world>>;
  owner: Person;
}

async function folderWith<T extends Scene>(open: (options: { dataDir: string; env: { PORT: string } }) => Promise<T>) {
  const dataDir = await mkdtemp(join(tmpdir(), "visibility-fault-"));
  const port = String(await freePort());
  await using scene = await open({ dataDir, env: { PORT: port } });
  const { owner } = scene;
  return {
    ...scene,
    env: { DATA_DIR: dataDir, PORT: port, DEMO: "0" },
    /** The owner's calls, to whichever process answers at this port. */
    async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const response = await fetch(`http://localhost:${port}${path}`, {
        method,
        headers: { authorization: `Bearer ${owner.accessToken}`, "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    /** Tool token of the owner's assistant. */
    toolToken: (await mintToolToken(scene.w, owner)).token,
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  };
}

/**
 * Creates an analysis of this many questions; `status` is its collect's. `headers` override the
 * owner's sign-in.
 */
export async function startCollect(folder: Folder, questions: number, headers: Record<string, string> = {}) {
  const { path } = folder.workspace;
  const brand = await folder.call("POST", `${path}/brands`, { name: "Acme", relationship: "mine" }, headers);
  const keywords = Array.from({ length: questions }, (_, nth) => ({ text: `phone ${nth}` }));
  const setup = {
    name: "Phones",
    website: "https://acme.test",
    brand_id: brand.body["id"],
    sources: ["ASSISTANT_A"],
    thematics: [{ name: "Phones", topics: [{ name: "All", keywords }] }],
    runs_per_prompt: 1,
  };
  const priced = await folder.call("POST", `${path}/search-analyses/price`, setup, headers);
  const confirmed = { quote_id: priced.body["quote_id"], confirmed: true };
  const created = await folder.call("POST", `${path}/search-analyses`, confirmed, headers);
  return {
    /** The only collect, or the rejection. */
    async collect(as: Record<string, string> = headers) {
      const address = `${path}/analyses/${String(created.body["id"])}/collects`;
      const { status, body } = await folder.call("GET", address, undefined, as);
      const [collect] = (body["data"] ?? []) as { status: string; succeeded: number; failed: number }[];
      return { answer: `${status} ${String(body["code"])}`, ...collect };
    },
  };
}

/** Sends requests continuously during a fault. `answers` stops it and returns the statuses. */
export function startLightCaller(ask: () => Promise<{ status: number }>) {
  const statuses = new Set<number>();
  const over = new AbortController();
  const asking = (async () => {
    while (!over.signal.aborted) {
      statuses.add((await ask()).status);
      await sleep(20);
    }
  })();
  return {
    async answers(): Promise<number[]> {
      over.abort();
      await asking;
      return [...statuses];
    },
  };
}

/**
 * A tool call waiting for its person on an open stream. `ended` resolves when the service ends it.
 */
export async function openWaitingCall(folder: Folder) {
  const { toolToken, organization, workspace, env } = folder;
  const brand = await folder.call("POST", `${workspace.path}/brands`, { name: "Waiting", relationship: "mine" });
  const priced = await folder.call("POST", `${workspace.path}/search-analyses/price`, {
    name: "Phones",
    website: "https://acme.test",
    brand_id: brand.body["id"],
    sources: ["ASSISTANT_B"],
    thematics: [{ name: "Phones", topics: [{ name: "Price", keywords: [{ text: "best phone" }] }] }],
  });
  const post = (message: object, headers: Record<string, string> = {}) =>
    fetch(`http://localhost:${env.PORT}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${toolToken}`,
        "mcp-protocol-version": PROTOCOL,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
  const clientInfo = { name: "raw", version: "1" };
  const initialize = { protocolVersion: PROTOCOL, capabilities: { elicitation: {} }, clientInfo };
  const begun = await post({ id: 0, method: "initialize", params: initialize });
  await begun.body?.cancel();
  const { quote_id } = priced.body;
  const given = { organization_id: organization.id, workspace_id: workspace.id, quote_id };
  const response = await post(
    { id: 7, method: "tools/call", params: { name: "create_search_analysis", arguments: given } },
    { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" },
  );
  if (response.headers.get("content-type") !== "text/event-stream") throw new Error(await response.text());
  return { ended: response.text() };
}
