import { connect } from "node:net";
import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { createOAuthClient, sceneWithPassword, signedInBrowser } from "../support/assistant.ts";
import { insertGrant, signingKeysOf } from "../support/tool-token.ts";
import { WITHOUT_LIMITS, world } from "../support/world.ts";
import { forgedTokens, sign, withNegatedS, type GoodToken } from "./forged-tokens.ts";

type World = Awaited<ReturnType<typeof world>>;
type Lines = readonly (readonly [name: string, value: string])[];

/** An interface that accepts bearer tokens. */
interface Door {
  name: string;
  method: string;
  path: string;
  body?: unknown;
  /** RFC 6750 section 3.1: no error code where no credentials were sent. */
  challenge: { noToken: string; badToken: string };
}

function listInterfaces(w: World, organizationId: string): Record<"rest" | "tools", Door[]> {
  const rest = { noToken: "Bearer", badToken: 'Bearer error="invalid_token"' };
  const json = { method: "POST", body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_me" } } };
  const tools = (path: string) => {
    const about = `resource_metadata="${w.config.baseUrl}/.well-known/oauth-protected-resource${path}", scope="read analyses:create personas:create evaluations:manage"`;
    const refusal =
      'error="invalid_token", error_description="The access token is expired, revoked, or not for this server"';
    return { noToken: `Bearer ${about}`, badToken: `Bearer ${refusal}, ${about}` };
  };
  return {
    rest: [
      { name: "core", method: "GET", path: "/v1/auth/me", challenge: rest },
      { name: "search", method: "GET", path: `/api/v1/projects?client_id=${organizationId}`, challenge: rest },
      {
        name: "a write",
        method: "POST",
        path: `/v1/organizations/${organizationId}/workspaces`,
        body: { name: "x" },
        challenge: rest,
      },
    ],
    tools: [
      { name: "tools", ...json, path: "/mcp", challenge: tools("/mcp") },
      {
        name: "the open list",
        ...json,
        body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
        path: "/mcp",
        challenge: tools("/mcp"),
      },
      { name: "tools, eager", ...json, path: "/mcp/connect", challenge: tools("/mcp/connect") },
    ],
  };
}

const PROVISIONING: Door = {
  name: "provisioning",
  method: "GET",
  path: "/scim/v2/Users",
  challenge: { noToken: "Bearer", badToken: 'Bearer error="invalid_token"' },
};

/** Sends a request on a raw socket, because clients reject most of these. */
async function ask(w: World, door: Door, lines: Lines, path = door.path): Promise<[status: number, challenge: string]> {
  const { hostname, port, host } = new URL(w.config.baseUrl);
  const body = door.body === undefined ? "" : JSON.stringify(door.body);
  const usual = [
    ["host", host],
    ["connection", "close"],
    ["accept", "application/json, text/event-stream"],
    ...(body === ""
      ? []
      : [
          ["content-type", "application/json"],
          ["content-length", String(Buffer.byteLength(body))],
        ]),
  ];
  const head = [...usual, ...lines].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(`${door.method} ${path} HTTP/1.1\r\n${head}\r\n${body}`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
  const answer = Buffer.concat(chunks).toString("utf8");
  return [Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]), /^www-authenticate: (.*)\r$/im.exec(answer)?.[1] ?? "none"];
}

/** Responses to these requests that differ from the expected rejection. */
async function findAccepted(
  w: World,
  door: Door,
  cases: Record<string, Lines>,
  kind: "noToken" | "badToken",
  path?: string,
) {
  const answers = await Promise.all(
    Object.entries(cases).map(async ([name, lines]) => [name, await ask(w, door, lines, path)] as const),
  );
  const refusal = JSON.stringify([401, door.challenge[kind]]);
  return Object.fromEntries(answers.filter(([, answer]) => JSON.stringify(answer) !== refusal));
}

const bearer = (token: string): Lines => [["authorization", `Bearer ${token}`]];

test("returns 401 with a challenge for anything passed off as a token, at each interface", async () => {
  // Attack: all known ways to forge, alter, confuse or misplace a bearer token.
  await using w = await world({ env: WITHOUT_LIMITS });
  const { owner, organization } = await sceneWithPassword(w);
  const mallory = await w.signIn("mallory@rival.test");
  const keys = await signingKeysOf(w);
  const header = { alg: "ES256", typ: "at+jwt", kid: keys.kid };
  const probe = await createOAuthClient(w, { token_endpoint_auth_method: "client_secret_post" });
  const secret = String(probe.registered.body.client_secret);
  const browser = await signedInBrowser(w, owner.email);
  const connected = await connectedAssistant(w);
  const pair = (await w.request("POST", "/v1/auth/token", { body: { api_key: owner.apiKey } })).body;
  const rivals = decodeJwt<{ client_id: string; gid: string }>(mallory.accessToken);
  const restClaims = decodeJwt<GoodToken["claims"]>(pair.access_token);
  const grantOf = { userId: mallory.id, clientId: "rival" };
  const good: Record<"rest" | "tools", GoodToken> = {
    rest: {
      keys,
      header,
      claims: restClaims,
      other: { sub: mallory.id, client_id: rivals.client_id, gid: rivals.gid },
    },
    tools: {
      keys,
      header,
      claims: decodeJwt<GoodToken["claims"]>(connected.access_token),
      other: { sub: mallory.id, client_id: "rival", gid: await insertGrant(w, grantOf) },
    },
  };
  const misplaced = {
    "an API key": owner.apiKey,
    "a refresh token of REST": pair.refresh_token,
    "a refresh token of an assistant": connected.refresh_token,
    "an identity token": connected.id_token,
    "an authorization code": connected.code,
    "a client's secret": secret,
    "a client's id": probe.clientId,
    "a browser's session": browser.cookies[0]?.value ?? "",
    "the key id": keys.kid,
  };
  const doors = listInterfaces(w, organization.id);
  let cases = 0;
  for (const interfaceOf of ["rest", "tools"] as const) {
    const genuine = await sign(good[interfaceOf]);
    const foreign = interfaceOf === "rest" ? "tools" : "rest";
    const corpus = {
      ...(await forgedTokens(good[interfaceOf])),
      ...misplaced,
      [`a token of ${foreign}`]: await sign(good[foreign]),
      [`a token of ${foreign} with our audience in a list`]: await sign(good[foreign], {
        aud: [restClaims.aud, w.config.mcpUrl, "x"],
        gid: "x",
      }),
    };
    const tokens = Object.fromEntries(Object.entries(corpus).map(([name, token]) => [name, bearer(token)]));
    // Provisioning has separate tokens, so that genuine ones are misplaced here.
    const elsewhereGenuine = { ...tokens, "a genuine token of another door": bearer(genuine) };
    expect([interfaceOf, await findAccepted(w, PROVISIONING, elsewhereGenuine, "badToken")]).toEqual([interfaceOf, {}]);
    cases += Object.keys(elsewhereGenuine).length;
    for (const door of doors[interfaceOf]) {
      const [status] = await ask(w, door, bearer(genuine));
      expect([door.name, status]).toEqual([door.name, door.name === "a write" ? 201 : 200]);
      expect([door.name, await findAccepted(w, door, tokens, "badToken")]).toEqual([door.name, {}]);
      expect([door.name, await findAccepted(w, door, badHeaders(genuine), "badToken")]).toEqual([door.name, {}]);
      cases += Object.keys(tokens).length + Object.keys(badHeaders(genuine)).length;
      if (door.name === "the open list") continue;
      expect([door.name, await findAccepted(w, door, misplacedTokens(genuine), "noToken")]).toEqual([door.name, {}]);
      const inQuery = `${door.path}${door.path.includes("?") ? "&" : "?"}access_token=${genuine}`;
      expect([door.name, await findAccepted(w, door, { "in the query": [] }, "noToken", inQuery)]).toEqual([
        door.name,
        {},
      ]);
      cases += Object.keys(misplacedTokens(genuine)).length + 1;
    }
  }
  expect(cases).toBeGreaterThan(1500);
  process.stdout.write(`Token corpus: ${cases} cases, all refused with 401\n`);
}, 60_000);

test("the other signature that mathematics allows is the same token, and ends with it", async () => {
  // Attack: outliving a revocation by a second form of a signature (ECDSA: s and n - s are both
  // true).
  await using w = await world();
  const { owner } = await w.acme();
  const twin = withNegatedS(owner.accessToken);
  const me = async () =>
    (await w.request("GET", "/v1/auth/me", { headers: { authorization: `Bearer ${twin}` } })).status;
  expect([twin === owner.accessToken, await me()]).toEqual([false, 200]);
  const [key] = (await owner.get("/v1/api-keys")).body.data;
  await owner.delete(`/v1/api-keys/${key.id}`);
  expect(await me()).toBe(401);
});

const one = (value: string): Lines => [["authorization", value]];

/** A valid token in an invalid Authorization header. */
function badHeaders(genuine: string): Record<string, Lines> {
  return {
    "without a scheme": one(genuine),
    "with two schemes": one(`Bearer Bearer ${genuine}`),
    "with the scheme alone": one("Bearer"),
    "with a comma": one(`Bearer ${genuine}, Bearer ${genuine}`),
    "with more after it": one(`Bearer ${genuine} x`),
    "with a tab": one(`Bearer\t${genuine}`),
    "with a colon": one(`Bearer: ${genuine}`),
    "in quotes": one(`Bearer "${genuine}"`),
    "as a parameter": one(`Bearer token="${genuine}"`),
    "as Basic": one(`Basic ${Buffer.from(`x:${genuine}`).toString("base64")}`),
    "as DPoP": one(`DPoP ${genuine}`),
    "as Token": one(`Token ${genuine}`),
    "as Digest": one(`Digest username="${genuine}"`),
    empty: one(""),
    "in two headers": [...bearer(genuine), ...bearer(genuine)],
    "before a bad one": [...bearer(genuine), ...bearer("x")],
    "after a bad one": [...bearer("x"), ["Authorization", `Bearer ${genuine}`]],
  };
}

/** A valid token in places that are not read. */
function misplacedTokens(genuine: string): Record<string, Lines> {
  return {
    "no token": [],
    "in a cookie": [["cookie", `access_token=${genuine}; bva_session=${genuine}; Authorization=Bearer ${genuine}`]],
    "in a header of its own": [["x-access-token", genuine]],
    "in the proxy's header": [["proxy-authorization", `Bearer ${genuine}`]],
    "in the name of a key": [["x-api-key", genuine]],
    "in a header that looks alike": [["x-authorization", `Bearer ${genuine}`]],
    "in the forwarded header": [["x-forwarded-authorization", `Bearer ${genuine}`]],
  };
}

/** Tokens of an assistant with all scopes. */
async function connectedAssistant(w: World) {
  const probe = await createOAuthClient(w);
  const { body, code } = await probe.connect({ over: { scope: "openid read analyses:create" } });
  return { ...(body as { access_token: string; refresh_token: string; id_token: string }), code };
}
