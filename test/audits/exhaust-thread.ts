import { openCheckThread } from "../../src/jobs/audits/check-thread.ts";
import { createPageOrder } from "./page-order.ts";

// Runs a thread on a page above its memory limit, then on one below.

const thread = openCheckThread({ pageMs: 60_000, heapMegabytes: 64, idleMs: 30_000 });
const { signal } = new AbortController();
const exhausted = await thread.checkPage(createPageOrder("<p>word ".repeat(2_000_000)), signal);
const next = await thread.checkPage(createPageOrder("<title>Acme</title>"), signal);
process.stdout.write(`${exhausted?.title} ${next?.title}\n`);
await thread.close();
