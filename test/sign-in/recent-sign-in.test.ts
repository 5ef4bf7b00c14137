import { expect, test } from "vitest";
import { addMs } from "../../core/shared/time.ts";
import { exchange, apiKeyScene, T0 } from "../api-keys/api-key-scene.ts";
import { world } from "../support/world.ts";

const MINUTE = 60_000;

test("requires a sign-in within ten minutes for lasting access, and says where to sign in", async () => {
  // Attack: a token that was taken from a person is used for access that lasts longer than the
  // token.
  let now = T0;
  await using w = await world({ now: () => now });
  const { owner, organization } = await w.acme();
  const headers = { authorization: `Bearer ${await owner.signedInToken()}` };
  const make = () => w.request("POST", "/v1/api-keys", { headers, body: { name: "Nightly" } });
  now = addMs(T0, 10 * MINUTE);
  expect((await make()).status).toBe(201);
  now = addMs(T0, 10 * MINUTE + 1);
  const signInUrl = `${w.config.baseUrl}/sign-in`;
  expect(await make()).toMatchObject({
    status: 403,
    body: {
      code: "FORBIDDEN",
      message: `This needs a sign-in of the last 10 minutes. Sign in again in the console at ${signInUrl}, or with a token of single sign-on.`,
      sign_in_url: signInUrl,
    },
  });
  const reads = ["/v1/api-keys", `${organization.path}/sso`, `${organization.path}/domains`];
  const read = await Promise.all(reads.map((path) => w.request("GET", path, { headers })));
  expect(read.map(({ status }) => status)).toEqual([200, 404, 200]);
});

test("rejects creating keys, changing sign-in and promoting owners with a key's token", async () => {
  // Attack: use a stolen key to create access that outlives the key.
  await using w = await world();
  const { owner, organization } = await w.acme();
  const guest = await w.signIn("guest@acme.test", { organizationId: organization.id, role: "guest" });
  const program = await exchange(w, owner.apiKey);
  const asked = [
    program.post("/v1/api-keys", { name: "Mine" }),
    program.post(`${organization.path}/domains`, { domain: "rival.test" }),
    program.post(`${organization.path}/scim-tokens`, { name: "Mine" }),
    program.post(`${organization.path}/invitations`, { email: "thief@rival.test", role: "owner" }),
    program.put(`${organization.path}/sso`, { protocol: "oidc", issuer: "https://idp.rival.test", client_id: "x" }),
    program.put(`${organization.path}/members/${guest.id}`, { role: "owner" }),
  ];
  expect((await Promise.all(asked)).map(({ status, body }) => [status, typeof body.sign_in_url])).toEqual(
    asked.map(() => [403, "string"]),
  );
  const allowed = [
    program.post(`${organization.path}/invitations`, { email: "new@acme.test", role: "editor" }),
    program.put(`${organization.path}/members/${guest.id}`, { role: "viewer" }),
  ];
  expect((await Promise.all(allowed)).map(({ status }) => status)).toEqual([201, 200]);
});

test("a key of any reach rotates and revokes itself, keeping its end, and no other key", async () => {
  // Attack: a stolen key lengthens its own life, or takes over another key of its person.
  await using s = await apiKeyScene();
  const other = await s.make(s.owner, { name: "Other" });
  const end = addMs(T0, 86_400_000);
  for (const reach of [{}, { ...s.ofOrganization, role: "viewer" }, { ...s.ofWorkspace, role: "viewer" }]) {
    const key = await s.make(s.owner, { name: "Nightly", expires_at: end, ...reach });
    const program = await exchange(s.w, key.api_key);
    for (const way of ["rotate", ""]) {
      const path = `/v1/api-keys/${other.id}${way && `/${way}`}`;
      expect((await program.request(way ? "POST" : "DELETE", path)).status).toBe(403);
    }
    s.clock.at = addMs(s.clock.at, 1000);
    const rotated = await program.post(`/v1/api-keys/${key.id}/rotate`, { grace_seconds: 60 });
    expect([rotated.status, rotated.body]).toEqual([
      201,
      expect.objectContaining({ kind: key.kind, role: key.role, expires_at: end, created_by: key.created_by }),
    ]);
    const next = await exchange(s.w, rotated.body.api_key);
    expect((await program.post(`/v1/api-keys/${rotated.body.id}/rotate`)).status).toBe(403);
    const again = await next.post(`/v1/api-keys/${rotated.body.id}/rotate`, { grace_seconds: 0 });
    expect(again.status).toBe(201);
    const last = await exchange(s.w, again.body.api_key);
    expect((await last.request("DELETE", `/v1/api-keys/${again.body.id}`)).status).toBe(200);
    expect((await exchange(s.w, again.body.api_key)).status).toBe(401);
  }
});
