import type { AnyEndpoint } from "../../tools/endpoint.ts";
import { freePort, startServiceProcess } from "../../test/support/killable-process.ts";
import { signedInBrowser } from "../../test/support/assistant.ts";
import { provisionedClient, type ScimClient } from "../../test/scim/client.ts";
import { mintToolToken } from "../../test/support/tool-token.ts";
import { findAccessRule } from "../../test/access/access-table.ts";
import { parametersOf, withQueryIds, type Fields } from "../../test/whole/call.ts";
import { exampleOf, listResourceIds, openScene, targetOf, type Scene } from "../../test/whole/scene.ts";
import type { ResourceIds } from "../../test/whole/seeds.ts";
import { once } from "./rows.ts";
import { recordStops, type StopRecorder } from "./stops.ts";

/** Two filled organizations, served by the compiled service as in `npm start`. */
export interface HostileScene extends AsyncDisposable {
  scene: Scene;
  baseUrl: string;
  /** Id of the main process. */
  pid: number;
  stops: StopRecorder;
  toolToken(): string;
  scim: ScimClient;
  /** The Authorization header for an endpoint. */
  authorization(endpoint: AnyEndpoint): Promise<string>;
  /**
   * Ids of an endpoint's address and query; created on first use if the endpoint ends its target.
   */
  idsOf(endpoint: AnyEndpoint): Promise<ResourceIds>;
  /** Fields with which an endpoint succeeds, at least on the first call. */
  exampleOf(endpoint: AnyEndpoint): Promise<Fields>;
  /** Signs the owner in again if a request ended their sign-in. */
  renew(): Promise<void>;
  /** The Cookie header of the owner's browser, signed in again if a request ended its session. */
  cookie(): Promise<string>;
}

export async function openHostileScene(): Promise<HostileScene> {
  const stops = recordStops();
  const port = String(await freePort());
  const baseUrl = `http://localhost:${port}`;
  const started: { service?: Awaited<ReturnType<typeof startServiceProcess>> } = {};
  const scene = await openScene({
    readsImports: false,
    env: { BASE_URL: baseUrl },
    async serve(env) {
      const options = { PORT: port, DEMO: "0", LOG_LEVEL: "silent", NODE_OPTIONS: stops.nodeOptions };
      started.service = await startServiceProcess({ ...env, ...options });
    },
  });
  const { w, owner, home } = scene;
  let toolToken = await toolTokenOf(scene);
  const { service } = started;
  if (!service) throw new Error("The service was not started.");
  const chains = await listResourceIds(owner, home);
  const organizationId = home["organization_id"] ?? "";
  const organization = { id: organizationId, path: `/v1/organizations/${organizationId}` };
  const ids = memoised(async (endpoint: AnyEndpoint) => {
    const first = withQueryIds(chains.get(endpoint.path)?.[0] ?? home, home, chains);
    return targetOf(endpoint, { person: scene.owner, home, ids: first });
  });
  const examples = memoised(async (endpoint: AnyEndpoint): Promise<Fields> => {
    if (findAccessRule(endpoint.name)?.body === undefined) return {};
    const at = { person: scene.owner, home, ids: { ...(await ids(endpoint)), ...home } };
    const body = await exampleOf(endpoint, at);
    return typeof body === "object" && body !== null ? { ...body } : {};
  });
  let browser = await signedInBrowser(w, owner.email);
  return {
    scene,
    baseUrl,
    pid: service.pid,
    stops,
    toolToken: () => toolToken,
    scim: await provisionedClient(w, { owner, organization }),
    async authorization({ recentSignIn }) {
      const person = scene.owner;
      return `Bearer ${recentSignIn === undefined ? person.accessToken : await person.signedInToken()}`;
    },
    async renew() {
      scene.owner = await w.signIn(owner.email);
      toolToken = await toolTokenOf(scene);
    },
    idsOf: ids,
    exampleOf: examples,
    async cookie() {
      const account = await browser.get(`${baseUrl}/account`);
      if (account.url.pathname !== "/account") browser = await signedInBrowser(w, owner.email);
      return browser.cookieHeader(new URL(baseUrl));
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await scene[Symbol.asyncDispose]();
      stops[Symbol.dispose]();
    },
  };
}

async function toolTokenOf({ w, owner }: Scene): Promise<string> {
  return (await mintToolToken(w, owner, { expiresInSeconds: 3600 })).token;
}

/** Path parameters and other fields that identify the target of a call. */
export function selectNames(endpoint: AnyEndpoint, ids: ResourceIds): ResourceIds {
  const shape: Fields = endpoint.input.shape;
  const inPath = new Set(parametersOf(endpoint));
  return Object.fromEntries(Object.entries(ids).filter(([key]) => inPath.has(key) || key in shape));
}

function memoised<T>(make: (endpoint: AnyEndpoint) => Promise<T>): (endpoint: AnyEndpoint) => Promise<T> {
  const made = new Map<string, () => Promise<T>>();
  return (endpoint) => {
    const known = made.get(endpoint.name) ?? once(() => make(endpoint));
    made.set(endpoint.name, known);
    return known().catch((error: unknown) => {
      made.delete(endpoint.name);
      throw error;
    });
  };
}
