import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import express from "express";
import { z } from "zod";
import { toToolName } from "../../tools/endpoint.ts";
import { endpoints } from "../../tools/index.ts";

// An SDK 2 server as documented: one trivial tool, optionally with as many more as the product has,
// registered per request. No sign-in or audit. Schemas are built once, which favours this server
// over most real ones.

const rows = [{ id: "019ab", organization_id: "019ac", name: "Acme workspace" }];
const trivialInput = z.object({ limit: z.int().optional() });
const trivialOutput = z.object({
  data: z.array(z.object({ id: z.string(), organization_id: z.string(), name: z.string() })),
});
const others =
  process.argv[2] === "all" ? endpoints.filter((endpoint) => endpoint.notATool === undefined).slice(1) : [];

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: "trivial", version: "1.0.0" });
  server.registerTool(
    "trivial",
    { title: "Trivial", description: "Gives one row.", inputSchema: trivialInput, outputSchema: trivialOutput },
    () => ({ content: [{ type: "text", text: JSON.stringify(rows) }], structuredContent: { data: rows } }),
  );
  for (const endpoint of others) {
    const { summary: title, description, input: inputSchema, output: outputSchema } = endpoint;
    server.registerTool(toToolName(endpoint), { title, description, inputSchema, outputSchema }, () => ({
      content: [],
    }));
  }
  return server;
});
const node = toNodeHandler(handler);

const app = express();
app.use(express.json());
app.post("/mcp", (request, response) => void node(request, response, request.body));
const server = app.listen(0, "localhost", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.once("disconnect", () => process.exit(0));
