import { Agent, request as httpRequest } from "node:http";

/** One request, byte for byte. */
export interface RawRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

export interface Received {
  /** 0 if the connection ended without a response. */
  status: number;
  bytes: number;
  ms: number;
  /** The start of the response. */
  text: string;
}

const MAX_ANSWER_MS = 30_000;
const HEAD_BYTES = 400;

/** Sends requests over keep-alive connections. */
export function openSender(baseUrl: string) {
  const { hostname, port } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const send = ({ method, path, headers, body }: RawRequest): Promise<Received> =>
    new Promise((resolve) => {
      const began = performance.now();
      const bytes = body === undefined ? undefined : Buffer.from(body);
      const length = bytes === undefined ? {} : { "content-length": String(bytes.length) };
      const received: Received = { status: 0, bytes: 0, ms: 0, text: "" };
      const done = () => resolve({ ...received, ms: performance.now() - began });
      const options = { host: hostname, port, method, path, agent, headers: { ...headers, ...length } };
      const sent = httpRequest({ ...options, timeout: MAX_ANSWER_MS }, (response) => {
        received.status = response.statusCode ?? 0;
        response.on("data", (chunk: Buffer) => {
          received.bytes += chunk.length;
          if (received.text.length < HEAD_BYTES) received.text += chunk.toString("utf8", 0, HEAD_BYTES);
        });
        response.on("end", done).on("error", done);
      });
      sent.on("timeout", () => sent.destroy()).on("error", done);
      sent.end(bytes);
    });
  return { send, [Symbol.dispose]: () => agent.destroy() };
}
