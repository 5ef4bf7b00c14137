import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { openDevtools, type Devtools } from "./devtools.ts";

export interface ChromiumProcess {
  devtools: Devtools;
  /** Kills the whole process group and deletes the profile. */
  close(): Promise<void>;
}

/** Fits HTML in which every byte is escaped. */
const MAX_MESSAGE_BYTES = 48 * 1024 * 1024;

/** Forces all traffic through the proxy, loopback included; disables QUIC and WebRTC over UDP. */
export async function startChromium(
  path: string,
  { proxyPort, userAgent }: { proxyPort: number; userAgent: string },
): Promise<ChromiumProcess> {
  const profile = await mkdtemp(join(tmpdir(), "visibility-chromium-"));
  const child = spawn(path, [...CHROMIUM_FLAGS, ...buildChromiumFlags(profile, proxyPort, userAgent), "about:blank"], {
    // A separate process group lets `close` kill all processes.
    detached: true,
    cwd: profile,
    // Excludes secrets of this process and proxy variables.
    env: { HOME: profile, TMPDIR: profile, PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8" },
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close").catch(() => undefined);
  const [, , , commands, answers] = child.stdio;
  // Safe: both pipes are requested above, the first for writing and the second for reading.
  const devtools = openDevtools(
    { commandStream: commands as Writable, answerStream: answers as unknown as Readable },
    MAX_MESSAGE_BYTES,
  );
  return {
    devtools,
    async close() {
      if (child.pid !== undefined) killProcessGroup(child.pid);
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

const CHROMIUM_FLAGS = [
  "--headless",
  "--remote-debugging-pipe",
  "--proxy-bypass-list=<-loopback>",
  // Only the proxy resolves names; the browser resolves only the proxy's address.
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

function buildChromiumFlags(profile: string, proxyPort: number, userAgent: string): string[] {
  const own = [
    `--user-data-dir=${profile}`,
    `--proxy-server=http://127.0.0.1:${proxyPort}`,
    `--user-agent=${userAgent}`,
  ];
  // Chromium does not start with its sandbox as root.
  return process.getuid?.() === 0 ? [...own, "--no-sandbox"] : own;
}

function killProcessGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Ignores the error: the process has already exited.
  }
}
