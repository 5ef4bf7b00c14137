import type { AddressInfo } from "node:net";
import express from "express";

// Bare Express with one route per address of the received bodies, serialised as JSON per request.

process.once("message", (bodies) => {
  const app = express();
  app.use(express.json());
  for (const [path, body] of Object.entries(bodies as Record<string, unknown>)) {
    app.get(path, (_request, response) => void response.json(body));
  }
  const server = app.listen(0, "localhost", () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
process.once("disconnect", () => process.exit(0));
