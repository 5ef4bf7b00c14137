import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

// An identity provider in a separate process: `node --import tsx test/sso/provider.ts
// '{"ann":{"email":…}}'`. A name from its list signs in; clients register themselves. It prints its
// address.

const people = JSON.parse(process.argv[2] ?? "{}") as Record<string, Record<string, unknown>>;

const server = createServer();
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const provider = new Provider(issuer, {
  cookies: { keys: ["a key for tests alone"] },
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
  features: {
    devInteractions: { enabled: false },
    registration: { enabled: true, initialAccessToken: false },
  },
  interactions: { url: (_ctx, { uid }) => `/step/${uid}` },
  pkce: { required: () => true },
  findAccount: (_ctx, name) => ({ accountId: name, claims: () => ({ sub: name, ...people[name] }) }),
  async loadExistingGrant({ oidc }) {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client?.clientId ?? "",
      accountId: oidc.session?.accountId ?? "",
    });
    grant.addOIDCScope("openid email profile");
    await grant.save();
    return grant;
  },
});

const actualNow = Date.now.bind(Date);

provider.use(async (ctx, next) => {
  if (ctx.path.startsWith("/step/")) await answerStep(ctx);
  else if (ctx.path === "/clock") {
    const ahead = Number(new URLSearchParams(ctx.search).get("ahead"));
    Date.now = () => actualNow() + ahead;
    ctx.status = 204;
  } else await next();
});

async function answerStep(ctx: Parameters<Parameters<typeof provider.use>[0]>[0]): Promise<void> {
  const { params, prompt } = await provider.interactionDetails(ctx.req, ctx.res);
  const typed = new URLSearchParams(ctx.search).get("name");
  if (typed === null) {
    const hint = typeof params["login_hint"] === "string" ? params["login_hint"].split("@")[0] : "";
    ctx.type = "html";
    ctx.body = `<!doctype html><html lang="en"><title>Provider</title><form action="${ctx.path}">
      <label>Name <input name="name" value="${hint?.replaceAll(/\W/g, "")}"></label><button>Be that</button></form>`;
    return;
  }
  const isKnown = Object.hasOwn(people, typed) && prompt.name === "login";
  const refusal = { error: "access_denied", error_description: "not one of ours" };
  await provider.interactionFinished(ctx.req, ctx.res, isKnown ? { login: { accountId: typed } } : refusal);
  ctx.respond = false;
}

server.on("request", provider.callback());
process.stdout.write(`Issuer ${issuer}\n`);
process.once("SIGTERM", () => process.exit(0));
