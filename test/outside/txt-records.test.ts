import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, test } from "vitest";
import { openTxtRecords } from "../../src/outside/txt-records.ts";

test("waits for silent name servers within one time limit, and not after shutdown", async () => {
  // Fault: each of several silent servers was given its own time, twice, and a stop waited for all
  // of it.
  const silent = createSocket("udp4").bind(0, "127.0.0.1");
  await once(silent, "listening");
  const servers = [`127.0.0.1:${silent.address().port}`];
  const closing = new AbortController();
  const limited = openTxtRecords(servers, closing.signal, 100);
  await expect(limited.lookUp("acme.test")).rejects.toThrow("the time limit is over");
  const patient = openTxtRecords(servers, closing.signal);
  const asked = patient.lookUp("acme.test");
  closing.abort(new Error("stopping"));
  await expect(asked).rejects.toThrow("stopping");
  silent.close();
});
