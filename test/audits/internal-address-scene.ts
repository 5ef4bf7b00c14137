import { connect } from "node:net";
import { openGuard, type SocketDialler, type Guard } from "../../src/outside/guard.ts";
import { createResolver } from "../../src/outside/name-servers.ts";
import { startAddressServer, startCanary, PUBLIC_ADDRESS, startSite } from "./crawler-scene.ts";
import { INTERNAL_NAMES } from "./internal-addresses.ts";

/** Connects public addresses to the site, and loopback addresses to themselves; no others. */
function dialling(port: number): SocketDialler {
  return (addresses, wanted) => {
    const [first = ""] = addresses;
    if (first === PUBLIC_ADDRESS) return connect(port, "127.0.0.1");
    if (/^(?:127\.|0\.0\.0\.0$|::1$|::$|::ffff:(?:127\.|7f00:))/.test(first)) return connect(wanted, first);
    throw Object.assign(new Error("not of this machine"), { code: "ECONNREFUSED" });
  };
}

const bare = (url: URL) => {
  const copy = new URL(url);
  copy.username = "";
  copy.password = "";
  return copy;
};

/** The guard without its checks of address and form, as control. */
export function openWithoutGuard(options: Parameters<typeof openGuard>[0]): Guard {
  const guard = openGuard({ ...options, isAllowedAddress: () => true });
  return {
    connect: (url, signal) => guard.connect(bare(url), signal),
    request: (url, question) => guard.request(bare(url), question),
  };
}

/** A site that redirects to `?to=`, byte by byte. */
export async function internalAddressScene() {
  const inside = await startCanary();
  const names = await startAddressServer(INTERNAL_NAMES);
  const pages: Record<string, string> = {};
  const there = await startSite((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://site.example");
    const to = searchParams.get("to");
    if (to !== null) response.writeHead(302, { location: Buffer.from(to.replaceAll("\t", "")).toString("latin1") });
    else response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    // Keeps the page loading.
    if (pathname === "/slow") setTimeout(() => response.end(), 2500);
    else response.end(pages[pathname] ?? "<p>A page of the site");
  });
  const standIn = { resolver: createResolver([names.address]), dialler: dialling(there.port) };
  return {
    inside,
    names,
    pages,
    port: there.port,
    standIn,
    async [Symbol.asyncDispose]() {
      await there[Symbol.asyncDispose]();
      await names[Symbol.asyncDispose]();
      await inside[Symbol.asyncDispose]();
    },
  };
}
