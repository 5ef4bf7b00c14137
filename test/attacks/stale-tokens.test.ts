import { expect, test } from "vitest";
import { world } from "../support/world.ts";

test("ignores a stale or foreign Authorization header on public endpoints", async () => {
  // Fault: a client that sends its expired access token with every request could not renew it.
  await using w = await world();
  const { owner } = await w.acme();
  const stale = [
    "Bearer not.a.token",
    `Bearer ${owner.accessToken.slice(0, -2)}`,
    "Basic dTpw",
    "",
    `Bearer ${owner.apiKey}`,
  ];
  for (const authorization of stale) {
    const headers = { authorization };
    const made = await w.request("POST", "/v1/auth/token", { body: { api_key: owner.apiKey }, headers });
    expect([authorization.length, made.status]).toEqual([authorization.length, 200]);
    const refresh_token = made.body.refresh_token as string;
    const renewed = await w.request("POST", "/v1/auth/refresh", { body: { refresh_token }, headers });
    expect(renewed.status).toBe(200);
    const wrong = await w.request("POST", "/v1/auth/sso/exchange", { body: { code: "wrong" }, headers });
    const wrongWithout = await w.request("POST", "/v1/auth/sso/exchange", { body: { code: "wrong" } });
    expect([wrong.status, wrong.body.message]).toEqual([wrongWithout.status, wrongWithout.body.message]);
    const token = { refresh_token: renewed.body.refresh_token };
    expect((await w.request("POST", "/v1/auth/revoke", { body: token, headers })).status).toBe(200);
  }
});
