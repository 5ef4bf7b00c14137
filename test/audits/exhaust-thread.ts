import { openCheckThread } from "../../src/jobs/audits/check-thread.ts";
import { orderOf } from "./page-order.ts";

// Has a thread read a page that it has too little memory for, and then one that it has enough for.

const thread = openCheckThread({ pageMs: 60_000, heapMegabytes: 64, idleMs: 30_000 });
const { signal } = new AbortController();
const exhausted = await thread.checkPage(orderOf("<p>word ".repeat(2_000_000)), signal);
const next = await thread.checkPage(orderOf("<title>Acme</title>"), signal);
process.stdout.write(`${exhausted?.title} ${next?.title}\n`);
await thread.close();
