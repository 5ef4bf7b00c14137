import { connect, type Socket } from "node:net";

/** One HTTP request, repeated over keep-alive connections. */
export interface Load {
  port: number;
  method: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  ms: number;
}

export interface Throughput {
  requestsPerSecond: number;
  bodyBytes: number;
}

/**
 * A load generator on raw sockets that only finds the end of each response, so its own cost is
 * small.
 */
export async function measure(load: Load): Promise<Throughput> {
  const head = Object.entries({ host: `localhost:${load.port}`, ...load.headers }).map(([k, v]) => `${k}: ${v}`);
  const bytes = Buffer.byteLength(load.body);
  const request = Buffer.from(
    `${load.method} ${load.path} HTTP/1.1\r\n${head.join("\r\n")}\r\ncontent-length: ${bytes}\r\n\r\n${load.body}`,
  );
  const until = performance.now() + load.ms;
  const startedAt = performance.now();
  const counts = await Promise.all(
    Array.from({ length: load.connections }, () => repeat(connect(load.port, "localhost"), request, until)),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const total = counts.reduce((sum, one) => sum + one.answers, 0);
  return { requestsPerSecond: total / seconds, bodyBytes: counts[0]?.bodyBytes ?? 0 };
}

function repeat(socket: Socket, request: Buffer, until: number): Promise<{ answers: number; bodyBytes: number }> {
  return new Promise((resolve, reject) => {
    let answers = 0;
    let bodyBytes = 0;
    let received: Buffer = Buffer.alloc(0);
    socket.setNoDelay(true);
    socket.once("connect", () => socket.write(request));
    socket.once("error", reject);
    socket.on("data", (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const end = endOfAnswer(received);
      if (end === undefined) return;
      if (!/ 20[01]$/.test(received.toString("latin1", 0, 12))) {
        socket.destroy();
        reject(new Error(`A measured request was answered: ${received.toString("utf8").slice(0, 600)}`));
        return;
      }
      answers++;
      bodyBytes = end.bodyBytes;
      received = received.subarray(end.at);
      if (performance.now() < until) socket.write(request);
      else {
        socket.destroy();
        resolve({ answers, bodyBytes });
      }
    });
  });
}

const HEAD_END = Buffer.from("\r\n\r\n");
const CHUNKS_END = Buffer.from("\r\n0\r\n\r\n");

function endOfAnswer(bytes: Buffer): { at: number; bodyBytes: number } | undefined {
  const head = bytes.indexOf(HEAD_END);
  if (head === -1) return undefined;
  const from = head + HEAD_END.length;
  const length = /content-length: (\d+)/i.exec(bytes.toString("latin1", 0, head))?.[1];
  if (length !== undefined) {
    const at = from + Number(length);
    return bytes.length >= at ? { at, bodyBytes: Number(length) } : undefined;
  }
  const last = bytes.indexOf(CHUNKS_END, from - 2);
  return last === -1 ? undefined : { at: last + CHUNKS_END.length, bodyBytes: last - from };
}
