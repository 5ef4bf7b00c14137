import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startAddressServer, PUBLIC_ADDRESS } from "../../test/audits/crawler-scene.ts";

/** The page that once blocked the worker of all tenants: 316 bytes without a Content-Type. */
const PAGE = `${"<!---->".repeat(45)}x`;

export const HOSTILE_SITE = "http://hostile.test";

/**
 * A site on loopback that answers every address with the page. A name server gives it a public
 * address, so the service treats it as an internet site; with `settings` only the final connection
 * leads here.
 */
export async function startHostileSite() {
  const server = createServer((_request, response) => response.end(PAGE));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const names = await startAddressServer({ "hostile.test": [[PUBLIC_ADDRESS]] });
  const leadingHere = `
    import net from "node:net";
    import { syncBuiltinESMExports } from "node:module";
    const { connect } = net;
    const site = { host: "127.0.0.1", port: ${(server.address() as AddressInfo).port} };
    net.connect = (to, ...rest) => (to?.host === "checked.invalid" ? connect(site) : connect(to, ...rest));
    syncBuiltinESMExports();`;
  return {
    settings: {
      DNS_SERVERS: names.address,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(leadingHere)}`,
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await names[Symbol.asyncDispose]();
    },
  };
}
