import type { AddressInfo } from "node:net";
import express from "express";

// Bare Express: a route for each address that it is sent a body of, which it writes as JSON at each request.

process.once("message", (bodies) => {
  const app = express();
  app.use(express.json());
  for (const [path, body] of Object.entries(bodies as Record<string, unknown>)) {
    app.get(path, (_request, response) => void response.json(body));
  }
  const server = app.listen(0, "localhost", () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
process.once("disconnect", () => process.exit(0));
