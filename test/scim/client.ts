import { expect } from "vitest";
import { verifyDomain } from "../sso/scene.ts";
import type { Answer, Person, world } from "../support/world.ts";

export const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
export const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
export const LIST = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
export const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error";

type World = Awaited<ReturnType<typeof world>>;
type Body = Record<string, unknown>;

/** An identity provider that calls the service as RFC 7644 section 3 writes its requests. */
export interface ScimClient {
  token: string;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** The resources that a filter finds. */
  find(path: string, filter: string): Promise<Answer>;
  create(path: string, body: Body): Promise<Answer>;
  replace(path: string, body: Body): Promise<Answer>;
  patch(path: string, operations: readonly Body[]): Promise<Answer>;
  remove(path: string): Promise<Answer>;
}

/** A client with a token of an organization that has verified these domains. */
export async function provisionedClient(
  w: World,
  { owner, organization }: { owner: Person; organization: { id: string; path: string } },
  domains: readonly string[] = [],
): Promise<ScimClient> {
  for (const domain of domains) await verifyDomain(w, organization.id, domain);
  const made = await owner.post(`${organization.path}/scim-tokens`, { name: "Identity provider" });
  expect(made.status).toBe(201);
  return scimClient(w, made.body.token as string);
}

export function scimClient(w: Pick<World, "request">, token: string): ScimClient {
  const send: ScimClient["send"] = (method, path, body, headers = {}) =>
    w.request(method, `/scim/v2${path}`, {
      ...(body === undefined ? {} : { body }),
      headers: { authorization: `Bearer ${token}`, "content-type": "application/scim+json", ...headers },
    });
  return {
    token,
    send,
    get: (path) => send("GET", path),
    find: (path, filter) => send("GET", `${path}?filter=${encodeURIComponent(filter)}`),
    create: (path, body) => send("POST", path, body),
    replace: (path, body) => send("PUT", path, body),
    patch: (path, Operations) => send("PATCH", path, { schemas: [PATCH], Operations }),
    remove: (path) => send("DELETE", path),
  };
}

export function scimUser(userName: string, more: Body = {}): Body {
  return { schemas: [USER], userName, ...more };
}

/** An organization with an owner and a client. */
export async function scene(w: World) {
  const acme = await w.acme();
  const client = await provisionedClient(w, acme, ["acme.test", "example.com", "example.org"]);
  return {
    ...acme,
    client,
    /** Creates a user with an e-mail as user name and returns the resource. */
    async user(userName: string, more: Body = {}) {
      const { status, body } = await client.create("/Users", scimUser(userName, more));
      expect([status, body.detail]).toEqual([201, undefined]);
      return body;
    },
    async group(displayName: string, members: readonly string[] = []) {
      const { status, body } = await client.create("/Groups", {
        schemas: [GROUP],
        displayName,
        members: members.map((value) => ({ value })),
      });
      expect([status, body.detail]).toEqual([201, undefined]);
      return body;
    },
  };
}
