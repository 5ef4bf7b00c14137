import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { startAddressServer, PUBLIC_ADDRESS } from "../test/audits/crawler-scene.ts";
import { PAGE_KINDS, seededPage } from "../test/audits/seeded-pages.ts";
import { readAnswer, lightCalls, printLightCalls } from "./light-calls.ts";
import { startProduct, WIDE_LIMITS, type Product } from "./product.ts";

// Latency of another organization's reads: idle, and while an audit of 100 kB pages runs in the
// same run. A name server on loopback gives the site a public address, so the service treats it as
// an internet site; only the final connection leads to a server of this process.

const PAGES = Number(process.env["PAGES"] ?? 1000);
const IDLE_MS = 10_000;
const MAX_AUDIT_MS = 600_000;
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
const names = await startAddressServer({ "acme.test": [[PUBLIC_ADDRESS]] });

/** Preloaded into the service: redirects the guard's checked connections to the site. */
const connectToSite = `
  import net from "node:net";
  import { syncBuiltinESMExports } from "node:module";
  const { connect } = net;
  const site = { host: "127.0.0.1", port: ${(site.address() as AddressInfo).port} };
  net.connect = (to, ...rest) => (to?.host === "checked.invalid" ? connect(site) : connect(to, ...rest));
  syncBuiltinESMExports();`;

const product = await startProduct({
  ...WIDE_LIMITS,
  DNS_SERVERS: names.address,
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(connectToSite)}`,
});
try {
  const before = await lightCalls(product, sleep(IDLE_MS));
  const began = performance.now();
  const beside = await lightCalls(product, runAudit(product));
  const seconds = (performance.now() - began) / 1000;
  // The machine's other load varies, so idle is measured before and after.
  const after = await lightCalls(product, sleep(IDLE_MS));
  const idle = before.map((times, at) => [...times, ...(after[at] ?? [])]);
  if (served < PAGES) throw new Error(`of ${PAGES} pages ${served} were fetched`);
  console.info(`${PAGES} pages of 100 kB in ${seconds.toFixed(0)} s, ${(PAGES / seconds).toFixed(0)} a second`);
  console.info("Another organization's calls, p99 in ms: idle, beside the crawl; goal twice idle");
  process.exitCode = printLightCalls(idle, beside) === 0 ? 0 : 1;
} finally {
  await product.stop();
  site.close();
  await names[Symbol.asyncDispose]();
}

/** Runs an audit from its price to its end. */
async function runAudit({ port, accessToken, workspacePath }: Product): Promise<void> {
  const headers = { authorization: `Bearer ${accessToken}`, "content-type": "application/json" };
  const ask = async (path: string, body?: object) => {
    const sent = body ? { method: "POST", body: JSON.stringify(body) } : {};
    const text = await readAnswer(fetch(`http://localhost:${port}${workspacePath}${path}`, { headers, ...sent }));
    return JSON.parse(text) as Answered;
  };
  const urls = Array.from({ length: PAGES }, (_, at) => `${SITE}/page/${at}`);
  const { quote_id: quoteId } = await ask("/geo-audits/price", { name: "Large", website: SITE, urls });
  const { id } = await ask("/geo-audits", { quote_id: quoteId, confirmed: true });
  for (const deadline = performance.now() + MAX_AUDIT_MS; performance.now() < deadline; await sleep(1000)) {
    const { data } = await ask(`/analyses/${id}/collects`);
    if (data?.[0]?.status === "completed") return;
  }
  throw new Error("the audit did not end");
}

/** The response fields that are read. */
interface Answered {
  quote_id?: string;
  id?: string;
  data?: { status: string }[];
}
