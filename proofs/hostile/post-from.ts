import { request as httpRequest } from "node:http";

/** Posts a form from a local address. The response has only a status. */
export function postFrom(localAddress: string, url: string, body: string): Promise<Response> {
  const { origin, port, pathname } = new URL(url);
  const headers = {
    origin,
    host: `localhost:${port}`,
    "content-type": "application/x-www-form-urlencoded",
    "content-length": String(Buffer.byteLength(body)),
  };
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path: pathname, method: "POST", localAddress, headers };
    const sent = httpRequest(options, (response) => {
      response.resume().on("end", () => resolve(new Response(null, { status: response.statusCode ?? 500 })));
    });
    sent.on("error", reject).end(body);
  });
}
