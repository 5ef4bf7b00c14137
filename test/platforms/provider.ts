import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

// An OAuth platform in a separate process: a certified authorization server that rotates refresh
// tokens and revokes the permission when an old one is reused, plus the account list of
// docs/integrations.md.

const [clientId = "", clientSecret = "", redirectUri = ""] = process.argv.slice(2);

interface Control {
  /** Life of an access token. */
  seconds: number;
  /** Accounts that every token reaches. */
  accounts: { id: string; name: string }[];
  /** Completes refreshes but never sends the response. */
  holdsRefreshes: boolean;
  /** The address that answers 503. */
  down: string | null;
}
const control: Control = {
  seconds: 3600,
  accounts: [
    { id: "a-1", name: "Kestrova Search" },
    { id: "a-2", name: "Kestrova Video" },
  ],
  holdsRefreshes: false,
  down: null,
};
const seen = { refreshes: 0, codes: 0, revocations: 0, listings: 0, held: 0 };

const server = createServer();
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      token_endpoint_auth_method: "client_secret_post",
      grant_types: ["authorization_code", "refresh_token"],
      redirect_uris: [redirectUri],
    },
  ],
  scopes: ["openid", "offline_access", "accounts.read"],
  pkce: { required: () => true },
  rotateRefreshToken: true,
  issueRefreshToken: () => Promise.resolve(true),
  ttl: { AccessToken: () => control.seconds, RefreshToken: 86_400, Session: 86_400, Grant: 86_400, Interaction: 600 },
  features: { revocation: { enabled: true }, devInteractions: { enabled: false } },
  findAccount: (_, id) => Promise.resolve({ accountId: id, claims: () => ({ sub: id }) }),
  interactions: { url: (_, interaction) => `/ask/${interaction.uid}` },
  cookies: { keys: ["platform"] },
});
const answer = provider.callback();

server.on("request", (request: IncomingMessage, response: ServerResponse) => {
  handle(request, response).catch((error: unknown) => {
    response.statusCode = 500;
    response.end(String(error));
  });
});
process.stdout.write(`Address ${issuer}\n`);

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", issuer);
  if (pathname === "/control") return changeControl(request, response);
  if (control.down === pathname) {
    response.statusCode = 503;
    return void response.end();
  }
  if (pathname.startsWith("/ask/")) return ask(request, response);
  if (pathname === "/accounts") return listAccounts(request, response);
  if (pathname === "/token") return exchange(request, response);
  if (pathname === "/token/revocation") seen.revocations++;
  await answer(request, response);
}

async function changeControl(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request);
  if (body !== "") Object.assign(control, JSON.parse(body));
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(seen));
}

/** The consent page. */
async function ask(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { uid, params } = await provider.interactionDetails(request, response);
  if (request.method !== "POST") {
    response.setHeader("content-type", "text/html");
    const form = `<form method="post" action="/ask/${uid}"><button name="say" value="yes">Allow</button><button name="say" value="no">Deny</button></form>`;
    return void response.end(`<!doctype html><title>Platform</title><h1>Allow access?</h1>${form}`);
  }
  if (!(await readBody(request)).includes("say=yes")) {
    return provider.interactionFinished(request, response, { error: "access_denied", error_description: "No." });
  }
  const accountId = "person-1";
  const grant = new provider.Grant({ accountId, clientId: String(params["client_id"]) });
  grant.addOIDCScope(String(params["scope"]));
  const grantId = await grant.save();
  await provider.interactionFinished(request, response, { login: { accountId }, consent: { grantId } });
}

async function listAccounts(request: IncomingMessage, response: ServerResponse): Promise<void> {
  seen.listings++;
  const token = await provider.AccessToken.find((request.headers.authorization ?? "").replace(/^Bearer /, ""));
  response.statusCode = token ? 200 : 401;
  response.setHeader("content-type", "application/json");
  if (!token) return void response.end("{}");
  // One account per page.
  const at = Number(new URL(request.url ?? "/", issuer).searchParams.get("cursor") ?? 0);
  const more = at + 1 < control.accounts.length;
  const accounts = control.accounts.slice(at, at + 1);
  response.end(JSON.stringify({ accounts, next_cursor: more ? String(at + 1) : null }));
}

async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request);
  const isRefresh = body.includes("grant_type=refresh_token");
  seen[isRefresh ? "refreshes" : "codes"]++;
  Object.assign(request, { body: Object.fromEntries(new URLSearchParams(body)) });
  if (isRefresh && control.holdsRefreshes) {
    // The response is never sent, so the client waits until it is killed.
    Object.assign(response, { end: () => void seen.held++ });
  }
  await answer(request, response);
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  return text;
}
