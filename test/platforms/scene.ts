import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pino } from "pino";
import { toPlatformSealContext } from "../../db/platforms/platform-connections.ts";
import { parseStoredTokens } from "../../core/platforms/platforms.ts";
import { freePort } from "../support/killable-process.ts";
import { WITH_WORKER, world } from "../support/world.ts";
import { signedInBrowser } from "../support/assistant.ts";
import { openCommitted } from "../support/committed.ts";

export const CLIENT_SECRET = "secret-of-the-client-at-the-platform";

/** Starts a platform in a separate process. */
export async function startPlatform(redirectUri: string) {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "test/platforms/provider.ts", "visibility", CLIENT_SECRET, redirectUri],
    { cwd: join(import.meta.dirname, "../.."), stdio: ["ignore", "pipe", "ignore"] },
  );
  const ended = once(child, "exit");
  const address = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`The platform ended with ${code}.`)));
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      const found = /Address (\S+)/.exec(part)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const control = async (change: Record<string, unknown> = {}) => {
    const response = await fetch(`${address}/control`, { method: "POST", body: JSON.stringify(change) });
    return (await response.json()) as Record<"refreshes" | "codes" | "revocations" | "listings" | "held", number>;
  };
  return {
    address,
    /** Requests received so far. */
    seen: () => control(),
    change: control,
    settings: {
      name: "Adverta",
      client_id: "visibility",
      client_secret: CLIENT_SECRET,
      issuer: address,
      accounts_endpoint: `${address}/accounts`,
      scopes: ["openid", "accounts.read"],
      timeout_seconds: 2,
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Starts the service with a worker and both platforms, each in a separate process. */
export async function platformScene(env: Record<string, string> = {}) {
  const lines: string[] = [];
  const port = String(await freePort());
  const callback = `http://localhost:${port}/platform-accounts/callback`;
  const [advertising, video] = await Promise.all([
    startPlatform(`${callback}/advertising`),
    startPlatform(`${callback}/social_video`),
  ]);
  const settings: Record<string, string> = {
    PORT: port,
    ADVERTISING_PLATFORM: JSON.stringify(advertising.settings),
    SOCIAL_VIDEO_PLATFORM: JSON.stringify({ ...video.settings, name: "Clipland" }),
    ...WITH_WORKER,
    ...env,
  };
  const log = pino({ level: settings["LOG_LEVEL"] ?? "info" }, { write: (line: string) => void lines.push(line) });
  const w = await world({ env: settings, log });
  const scene = await w.acme();
  const { organization, workspace, owner } = scene;
  const page = `/platform-accounts/${organization.id}/${workspace.id}`;
  return {
    w,
    ...scene,
    settings,
    advertising,
    video,
    page,
    /** The service's log so far. */
    log: () => lines.join(""),
    /** Tokens of every connection, as the platform gave them. */
    async storedTokens() {
      const { q, t } = openCommitted(w.store);
      const rows = await q.select().from(t.platformConnections);
      return rows.flatMap(({ id, sealedTokens }) => {
        const { accessToken, refreshToken } = parseStoredTokens(
          w.deps.secrets.unseal(sealedTokens, toPlatformSealContext(id)),
        );
        return refreshToken === null ? [accessToken] : [accessToken, refreshToken];
      });
    },
    rest: `${workspace.path}/platform-integrations`,
    accountsPath: `${workspace.path}/platform-accounts`,
    /** Connects a platform by the pages, to the page at which the person arrives. */
    async connect(platform = "advertising", say: "yes" | "no" = "yes") {
      const browser = await signedInBrowser(w, owner.email);
      const opened = await browser.get(w.config.baseUrl + page);
      const asked = await browser.submit(opened, { action: /\/connect$/, fill: { platform } });
      return { browser, arrived: await browser.submit(asked, { action: /^\/ask\//, press: ["say", say] }) };
    },
    async [Symbol.asyncDispose]() {
      await w[Symbol.asyncDispose]();
      await Promise.all([advertising[Symbol.asyncDispose](), video[Symbol.asyncDispose]()]);
    },
  };
}
