import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { openDevtools, type Devtools } from "./devtools.ts";

export interface Chromium {
  devtools: Devtools;
  /** Ends it with all its processes, and deletes its profile. */
  close(): Promise<void>;
}

/** The longest message: HTML of which each byte is escaped. */
const MOST_MESSAGE_BYTES = 48 * 1024 * 1024;

/**
 * Starts a Chromium with an empty profile of its own that knows no way out but the proxy at this port: loopback is not excepted from
 * it, names are resolved by the proxy alone, and what goes around proxies (QUIC, WebRTC over UDP) is turned off.
 */
export async function startChromium(
  path: string,
  { proxyPort, userAgent }: { proxyPort: number; userAgent: string },
): Promise<Chromium> {
  const profile = await mkdtemp(join(tmpdir(), "visibility-chromium-"));
  const child = spawn(path, [...FLAGS, ...flagsFor(profile, proxyPort, userAgent), "about:blank"], {
    // Of a group of its own, so that all its processes can be ended.
    detached: true,
    cwd: profile,
    // Neither secrets of this process nor variables that name a proxy.
    env: { HOME: profile, TMPDIR: profile, PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8" },
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close").catch(() => undefined);
  const [, , , commands, answers] = child.stdio;
  // Safe: the two further pipes were asked for above, the first to write to and the second to read from.
  const devtools = openDevtools(
    { commands: commands as Writable, answers: answers as unknown as Readable },
    MOST_MESSAGE_BYTES,
  );
  return {
    devtools,
    async close() {
      if (child.pid !== undefined) endGroup(child.pid);
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

const FLAGS = [
  "--headless",
  "--remote-debugging-pipe",
  "--proxy-bypass-list=<-loopback>",
  // The proxy resolves names; the browser itself finds none but the proxy's address.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
  "--disable-quic",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--dns-prefetch-disable",
  "--no-pings",
  "--disable-background-networking",
  "--disable-client-side-phishing-detection",
  "--disable-component-extensions-with-background-pages",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-domain-reliability",
  "--disable-extensions",
  "--disable-sync",
  "--disable-breakpad",
  "--disable-features=AsyncDns,DnsOverHttps,MediaRouter,OptimizationHints,Translate,WebTransport,DialMediaRouteProvider",
  "--disable-blink-features=WebTransport",
  "--disable-dev-shm-usage",
  "--disable-gpu",
  "--js-flags=--max-old-space-size=512",
  "--metrics-recording-only",
  "--mute-audio",
  "--no-default-browser-check",
  "--no-first-run",
  "--no-service-autorun",
  "--password-store=basic",
];

function flagsFor(profile: string, proxyPort: number, userAgent: string): string[] {
  const own = [
    `--user-data-dir=${profile}`,
    `--proxy-server=http://127.0.0.1:${proxyPort}`,
    `--user-agent=${userAgent}`,
  ];
  // Chromium does not start with its sandbox as root.
  return process.getuid?.() === 0 ? [...own, "--no-sandbox"] : own;
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
