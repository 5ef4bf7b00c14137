import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { Ajv } from "ajv";
import { renderToolsPage } from "../../src/http/mcp/tools/tools-page.ts";
import { readConfig, addAddresses } from "../../src/config/config.ts";
import { auditsPage } from "../../scripts/audit-checks.ts";
import { exportsPage } from "../../scripts/exports-page.ts";
import { everyEndpoint } from "../../scripts/every-endpoint.ts";
import { proofsPage } from "../../scripts/proofs-page.ts";
import { configurationPage, openApiText, serverPage, sourcesPage } from "../../scripts/reference.ts";
import { PACKAGE } from "../../src/process/package.ts";
import { world } from "../support/world.ts";

test.each<[string, () => string | Promise<string>]>([
  ["tools/every-endpoint.ts", everyEndpoint],
  ["openapi.json", openApiText],
  ["docs/configuration.md", configurationPage],
  ["docs/exports.md", exportsPage],
  ["docs/proofs.md", proofsPage],
  ["docs/sources.md", sourcesPage],
  ["docs/tools.md", renderToolsPage],
  ["docs/audits.md", () => auditsPage(text("docs/audits.md"))],
  ["server.json", serverPage],
])("%s is what the code describes", async (file, describe) => {
  expect(text(file) === (await describe()), `${file} is not what the code describes: run npm run generate.`).toBe(true);
});

function text(file: string): string {
  return readFileSync(join(import.meta.dirname, "../..", file), "utf8");
}

function read(file: string) {
  return JSON.parse(text(file));
}

/** Excerpt of the MCP registry's schema of 2025-12-11 for servers with a remote address. */
const REGISTRY = {
  type: "object",
  required: ["$schema", "name", "description", "version", "remotes"],
  properties: {
    $schema: { const: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json" },
    name: { type: "string", minLength: 3, maxLength: 200, pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$" },
    title: { type: "string", minLength: 1, maxLength: 100 },
    description: { type: "string", minLength: 1, maxLength: 100 },
    repository: {
      type: "object",
      required: ["url", "source"],
      properties: { url: { type: "string", pattern: "^https?://[^\\s]+$" }, source: { type: "string", minLength: 1 } },
      additionalProperties: false,
    },
    version: { type: "string", maxLength: 255, pattern: "^\\d+\\.\\d+\\.\\d+" },
    remotes: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["type", "url"],
        properties: {
          type: { enum: ["streamable-http", "sse"] },
          url: { type: "string", pattern: "^https?://[^\\s]+$" },
          variables: { type: "object", additionalProperties: { type: "object", required: ["description"] } },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};

test("follows the registry's schema in server.json, and describes every variable of its address", () => {
  const server = JSON.parse(serverPage());
  const repositories = {
    "https://github.com/acme/visibility": "github",
    "https://gitlab.com/acme/visibility.git": "gitlab",
    "https://git.acme.test/visibility": "git.acme.test",
  };
  const validate = new Ajv().compile(REGISTRY);
  for (const [url, source] of Object.entries(repositories)) {
    const published = JSON.parse(serverPage({ ...PACKAGE, repository: { url } }));
    expect([validate(published), validate.errors]).toEqual([true, null]);
    expect(published).toEqual({ ...server, repository: { url, source } });
  }
  validate(server);
  expect(validate.errors).toBe(null);
  for (const { url, variables } of server.remotes) {
    expect(Object.keys(variables)).toEqual([...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  }
});

test("names the same version in every file that names one", async () => {
  await using w = await world();
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(w.config.mcpUrl)));
  const serverInfo = client.getServerVersion();
  await client.close();
  const newest = /^## (?!Unreleased)(\S+)/m.exec(text("CHANGELOG.md"))?.[1];
  const { version } = read("package.json");
  expect([
    read("package-lock.json").packages[""].version,
    read("server.json").version,
    newest,
    serverInfo?.version,
  ]).toEqual([version, version, version, version]);
});

test("mcp.config.json has the address of a service with default settings", () => {
  const { mcpServers } = read("mcp.config.json");
  const { PORT, mcpUrl } = addAddresses(readConfig({}), 3000);
  expect(PORT).toBe(3000);
  expect(mcpServers).toEqual({ "brand-visibility": { type: "streamable-http", url: mcpUrl } });
});
