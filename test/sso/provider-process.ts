import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Browser, Visit } from "../../examples/browser.ts";

/** The test provider's people: claims by the name typed there. */
export const PEOPLE = {
  ann: { email: "ann@acme.test", email_verified: true, name: "Ann Archer", groups: ["Analysts"] },
  bob: { email: "bob@acme.test", email_verified: true, name: "Bob Baker" },
  boss: { email: "owner@acme.test", email_verified: true, name: "Olivia Owner" },
  mallory: { email: "victim@rival.test", email_verified: true, name: "Mallory" },
  unchecked: { email: "unchecked@acme.test", email_verified: false, name: "Una" },
};

/** Starts an OpenID provider in a separate process, with helpers for tests. */
export async function startProvider() {
  const program = join(import.meta.dirname, "provider.ts");
  const child = spawn(process.execPath, ["--import", "tsx", program, JSON.stringify(PEOPLE)], {
    cwd: join(import.meta.dirname, "../.."),
    stdio: ["ignore", "pipe", "ignore"],
  });
  const issuer = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.once("exit", (code) => reject(new Error(`The provider ended with ${code}.`)));
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      const found = /^Issuer (\S+)\n/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return {
    issuer,
    /**
     * Registers the service as a client, and returns the settings of an organization that uses it.
     */
    async register(redirectUri: string) {
      const response = await fetch(`${issuer}/reg`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ redirect_uris: [redirectUri], token_endpoint_auth_method: "client_secret_basic" }),
      });
      const { client_id, client_secret } = (await response.json()) as { client_id: string; client_secret: string };
      return { protocol: "oidc", issuer, client_id, client_secret };
    },
    /** Moves its clock, by milliseconds from now. */
    setClockAhead: (ahead: number) => fetch(`${issuer}/clock?ahead=${ahead}`),
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
export type ProviderProcess = Awaited<ReturnType<typeof startProvider>>;

/** Types a name at the provider and follows the redirect back to the service. */
export async function signInAtProvider(
  browser: Browser,
  page: Visit,
  name: keyof typeof PEOPLE | "nobody",
): Promise<Visit> {
  if (!page.url.pathname.startsWith("/step/")) throw new Error(`not at the provider but at ${page.url.href}`);
  return browser.get(new URL(`?name=${name}`, page.url));
}
