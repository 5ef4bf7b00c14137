import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { ResponseSettings } from "./provider-program.ts";

/** Fields posted by a provider's form. */
export interface PostedResponse {
  action: string;
  SAMLResponse: string;
  RelayState: string;
}

/** Starts a SAML identity provider in a separate process, with keys generated for this run. */
export async function startSamlProvider() {
  const child = spawn(process.execPath, ["--import", "tsx", "test/saml/provider-program.ts"], {
    cwd: join(import.meta.dirname, "../.."),
    stdio: ["ignore", "pipe", "ignore"],
  });
  const address = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.once("exit", (code) => reject(new Error(`The provider ended with ${code}: ${text}`)));
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      const found = /Address (\S+)/.exec(text)?.[1];
      if (found !== undefined && text.includes("Ready")) resolve(found);
    });
  });
  const metadata = await (await fetch(`${address}/metadata`)).text();
  const [, base64 = ""] = /<(?:\w+:)?X509Certificate>([^<]+)</.exec(metadata) ?? [];
  return {
    address,
    metadata,
    issuer: `${address}/metadata`,
    signInUrl: `${address}/sign-in`,
    certificate: `-----BEGIN CERTIFICATE-----\n${base64
      .replaceAll(/\s/g, "")
      .match(/.{1,64}/g)
      ?.join("\n")}\n-----END CERTIFICATE-----\n`,
    async tell(told: ResponseSettings): Promise<void> {
      const headers = { "content-type": "application/json" };
      await fetch(`${address}/told`, { method: "PUT", headers, body: JSON.stringify(told) });
    },
    /** The fields that the provider's page at this address would post. */
    async formAt(url: string): Promise<PostedResponse> {
      const page = await (await fetch(url)).text();
      const field = (pattern: RegExp) =>
        (pattern.exec(page)?.[1] ?? "").replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
      return {
        action: field(/action="([^"]*)"/),
        SAMLResponse: field(/name="SAMLResponse" value="([^"]*)"/),
        RelayState: field(/name="RelayState" value="([^"]*)"/),
      };
    },
    /** Its start page's tile for a service. */
    launchUrl(service: { entityId: string; acsUrl: string }, relay = ""): string {
      const query = new URLSearchParams({ audience: service.entityId, acs: service.acsUrl, relay });
      return `${address}/launch?${query.toString()}`;
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, "exit");
    },
  };
}
