import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { addressServer, PUBLIC } from "../test/audits/crawler-scene.ts";
import { PAGE_KINDS, seededPage } from "../test/audits/seeded-pages.ts";
import { answered, lightCalls, printLight } from "./light-calls.ts";
import { startProduct, WIDE_LIMITS, type Product } from "./product.ts";

// What another organization notices of a crawl: its reads are timed while nothing else happens, and in the same run beside an audit of
// pages of 100 kB. The site is one of the internet to the service: a name server on loopback gives it a public address, and
// only the last step, the connection to that address, leads to a server of this process.

const PAGES = Number(process.env["PAGES"] ?? 1000);
const IDLE_MS = 10_000;
const MOST_MS = 600_000;
const LENGTH = 100_000;
const SITE = "http://acme.test";

const bodies = PAGE_KINDS.map((kind, at) => Buffer.from(seededPage(kind, at, LENGTH)));
let served = 0;
const site = createServer(({ url = "" }, response) => {
  const page = /^\/page\/(\d+)$/.exec(url)?.[1];
  if (page !== undefined) served += 1;
  const html = page === undefined ? "" : bodies[Number(page) % bodies.length];
  response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html" }).end(html);
});
await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
const names = await addressServer({ "acme.test": [[PUBLIC]] });

/** Run before the service: what the guard connects to after its checks is the site. */
const leadingToSite = `
  import net from "node:net";
  import { syncBuiltinESMExports } from "node:module";
  const { connect } = net;
  const site = { host: "127.0.0.1", port: ${(site.address() as AddressInfo).port} };
  net.connect = (to, ...rest) => (to?.host === "checked.invalid" ? connect(site) : connect(to, ...rest));
  syncBuiltinESMExports();`;

const product = await startProduct({
  ...WIDE_LIMITS,
  DNS_SERVERS: names.address,
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(leadingToSite)}`,
});
try {
  const before = await lightCalls(product, sleep(IDLE_MS));
  const began = performance.now();
  const beside = await lightCalls(product, audited(product));
  const seconds = (performance.now() - began) / 1000;
  // What else the machine does meanwhile changes: idle is both before and after.
  const after = await lightCalls(product, sleep(IDLE_MS));
  const idle = before.map((times, at) => [...times, ...(after[at] ?? [])]);
  if (served < PAGES) throw new Error(`of ${PAGES} pages ${served} were fetched`);
  console.info(`${PAGES} pages of 100 kB in ${seconds.toFixed(0)} s, ${(PAGES / seconds).toFixed(0)} a second`);
  console.info("Another organization's calls, p99 in ms: idle, beside the crawl; goal twice idle");
  process.exitCode = printLight(idle, beside) === 0 ? 0 : 1;
} finally {
  await product.stop();
  site.close();
  await names[Symbol.asyncDispose]();
}

/** Has an audit done from its price to its end. */
async function audited({ port, accessToken, workspacePath }: Product): Promise<void> {
  const headers = { authorization: `Bearer ${accessToken}`, "content-type": "application/json" };
  const ask = async (path: string, body?: object) => {
    const sent = body ? { method: "POST", body: JSON.stringify(body) } : {};
    const text = await answered(fetch(`http://localhost:${port}${workspacePath}${path}`, { headers, ...sent }));
    return JSON.parse(text) as Answered;
  };
  const urls = Array.from({ length: PAGES }, (_, at) => `${SITE}/page/${at}`);
  const { quote_id: quoteId } = await ask("/geo-audits/price", { name: "Large", website: SITE, urls });
  const { id } = await ask("/geo-audits", { quote_id: quoteId, confirmed: true });
  for (const deadline = performance.now() + MOST_MS; performance.now() < deadline; await sleep(1000)) {
    const { data } = await ask(`/analyses/${id}/collects`);
    if (data?.[0]?.status === "completed") return;
  }
  throw new Error("the audit did not end");
}

/** What of the answers is looked at, as they are declared. */
interface Answered {
  quote_id?: string;
  id?: string;
  data?: { status: string }[];
}
