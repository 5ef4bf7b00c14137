import { world, type Person } from "../support/world.ts";

type World = Awaited<ReturnType<typeof world>>;

export const T0 = "2026-11-21T09:00:00.000Z";

/**
 * An organization with two workspaces and people of each kind, and a rival's. The clock is set
 * manually.
 */
export async function apiKeyScene() {
  const clock = { at: T0 };
  const w = await world({ now: () => clock.at });
  const { owner, organization, workspace } = await w.acme();
  const second = await owner.post(`${organization.path}/workspaces`, { name: "Second" });
  const ids = { organizationId: organization.id };
  const editor = await w.signIn("editor@acme.test", { ...ids, role: "editor" });
  const local = await w.signIn("local@acme.test", { ...ids, workspaceId: workspace.id, workspaceRole: "editor" });
  const rival = await w.insertTenant("Rival");
  const mallory = await w.signIn("mallory@rival.test", { organizationId: rival.organization.id, role: "owner" });
  const ofOrganization = { kind: "organization", organization_id: organization.id };
  const ofWorkspace = { kind: "workspace", organization_id: organization.id, workspace_id: workspace.id };
  const ofSecond = { ...ofWorkspace, workspace_id: second.body.id as string };
  return {
    w,
    clock,
    owner,
    editor,
    local,
    mallory,
    organization,
    workspace,
    rival,
    make: newKey,
    ofOrganization,
    ofWorkspace,
    ofSecond,
    async [Symbol.asyncDispose]() {
      await w[Symbol.asyncDispose]();
    },
  };
}

async function newKey(person: Person, key: object) {
  return (await person.post("/v1/api-keys", key)).body;
}

/** A program with a key: its token exchange, and calls with the token. */
export async function exchange(w: World, apiKey: string) {
  const { status, body } = await w.request("POST", "/v1/auth/token", { body: { api_key: apiKey } });
  const headers = { authorization: `Bearer ${body.access_token}` };
  return {
    status,
    message: body.message as string | undefined,
    refreshToken: body.refresh_token as string,
    get: (path: string) => w.request("GET", path, { headers }),
    post: (path: string, json?: unknown) => w.request("POST", path, { headers, body: json }),
    put: (path: string, json?: unknown) => w.request("PUT", path, { headers, body: json }),
    request: (method: string, path: string) => w.request(method, path, { headers }),
  };
}

export const namesOf = (answer: { body: { data: { name: string }[] } }) => answer.body.data.map(({ name }) => name);
