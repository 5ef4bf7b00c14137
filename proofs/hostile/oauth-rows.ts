import { awkwardText, manyNames } from "./largest-value.ts";
import { ADDRESS_BYTES, BODY_BYTES, manyPairs, repeated, times, type Bodies, type Row } from "./rows.ts";
import type { HostileScene } from "./scene.ts";
import type { RawRequest } from "./send.ts";

// Rows of the authorization server and of sign-in without an account.

const REGISTRATION = { redirect_uris: ["https://a.test/cb"] };

const REGISTRATIONS: Bodies = {
  "most unknown names": () => ({ ...REGISTRATION, ...manyNames(BODY_BYTES - 1000) }),
  "longest name": () => ({ ...REGISTRATION, client_name: awkwardText(250_000, 3) }),
  "most addresses": () => ({ redirect_uris: times(20_000, (at) => `https://a.test/cb/${at}`) }),
  "longest address": () => ({ redirect_uris: [`https://a.test/${"a/".repeat(400_000)}`] }),
  "most scopes": () => ({ ...REGISTRATION, scope: "read ".repeat(150_000) }),
  "most grant types": () => ({ ...REGISTRATION, grant_types: times(60_000, (at) => `g${at}`) }),
  "longest logo": () => ({ ...REGISTRATION, logo_uri: `https://a.test/${"%".repeat(900_000)}` }),
};
const FORMS: Readonly<Record<string, () => string>> = {
  "most unknown fields": () => `grant_type=authorization_code&${manyPairs(BODY_BYTES - 100)}`,
  "a field repeated": () => repeated(BODY_BYTES, "resource", "https://a.test"),
  "longest code": () => `grant_type=authorization_code&client_id=a&code=${"a".repeat(900_000)}`,
  "longest refresh token": () => `grant_type=refresh_token&client_id=a&refresh_token=${"a.".repeat(450_000)}`,
  "longest scope": () => `grant_type=refresh_token&client_id=a&scope=${"read+".repeat(180_000)}`,
  "characters that are all escaped": () => `grant_type=${"%25".repeat(300_000)}`,
};
const FORM_PATHS = ["/oauth/token", "/oauth/revoke", "/v1/auth/token", "/sign-in"];
const QUERIES: Readonly<Record<string, string>> = {
  "most unknown parameters": manyPairs(ADDRESS_BYTES),
  "a parameter repeated": repeated(ADDRESS_BYTES, "resource", "https://a.test"),
  "longest state": `response_type=code&client_id=a&state=${"a".repeat(ADDRESS_BYTES - 100)}`,
  "longest scope": `response_type=code&client_id=a&scope=${"read+".repeat(2600)}`,
};

export function oauthRows({ baseUrl }: HostileScene): Row[] {
  const post = (path: string, type: string, body: string): RawRequest => ({
    method: "POST",
    path,
    headers: { "content-type": type, accept: "application/json", origin: baseUrl },
    body,
  });
  const registrations = Object.entries(REGISTRATIONS).map(([what, body]) =>
    row(`register: ${what}`, () => post("/oauth/register", "application/json", JSON.stringify(body()))),
  );
  const forms = FORM_PATHS.flatMap((path) =>
    Object.entries(FORMS).map(([what, body]) =>
      row(`${path}: ${what}`, () => post(path, "application/x-www-form-urlencoded", body())),
    ),
  );
  const queries = Object.entries(QUERIES).map(([what, query]) =>
    row(`authorize: ${what}`, () => ({ method: "GET", path: `/oauth/authorize?${query}`, headers: {} })),
  );
  return [...registrations, ...forms, ...queries];
}

function row(name: string, wire: Row["wire"]): Row {
  return { name: `OAuth ${name}`, kind: "OAuth", wire };
}
