import { createSocket } from "node:dgram";
import { once } from "node:events";
import { AUTHORITATIVE_ANSWER, decode, encode } from "dns-packet";

/**
 * A DNS server over UDP on loopback with these TXT records, possibly in parts. With `failing` it
 * returns SERVFAIL.
 */
export async function startNameServer(records: Record<string, string[][]>) {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  const failing = new Set<string>();
  socket.on("message", (message, { port, address }) => {
    const { id, questions = [] } = decode(message);
    const [question] = questions;
    const name = question?.name ?? "";
    asked.push(name);
    const answers = (records[name] ?? []).map((data) => ({ type: "TXT" as const, name, ttl: 1, data }));
    // RFC 1035 section 4.1.1: 2 is SERVFAIL, and 3 is NXDOMAIN, there is no such name.
    const code = failing.has(name) ? 2 : records[name] ? 0 : 3;
    const flags = AUTHORITATIVE_ANSWER | code;
    socket.send(encode({ type: "response", id: id ?? 0, flags, questions, answers }), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    asked,
    failing,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, "close");
    },
  };
}
