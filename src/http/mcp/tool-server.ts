import { InMemoryServerEventBus } from "@modelcontextprotocol/server";
import type { Logger } from "pino";
import type { Secrets } from "../../../auth/keys/secrets.ts";
import { endpoints } from "../../../tools/index.ts";
import type { Config } from "../../config/config.ts";
import type { Deps } from "../../call/deps.ts";
import { openMcpHandler, type McpHandler } from "./mcp-handler.ts";
import type { OpenFeatures, McpContext } from "./mcp-context.ts";
import { PACKAGE } from "../../process/package.ts";
import { instructions } from "./tools/instructions.ts";
import { MCP_FEATURES } from "./features/features.ts";
import { describeAllTools, buildToolTable } from "./tools/tool-table.ts";

/** Opens the MCP server over all tool endpoints, with the prompts and resources of `features`. */
export function openToolServer(options: {
  config: Config;
  deps: Deps;
  log: Logger;
  secrets: Secrets;
  openFeatures?: OpenFeatures | undefined;
}): McpHandler {
  const { config, deps, log, secrets, openFeatures = () => MCP_FEATURES } = options;
  const icon = `${config.mcpUrl}/icon.svg`;
  const events = new InMemoryServerEventBus((error) => log.error({ err: error }, "an event listener failed"));
  const table = buildToolTable(endpoints, config.baseUrl);
  void describeAllTools(table);
  const mcp: McpContext = {
    deps,
    log,
    toolTable: table,
    serverInfo: {
      name: "brand-visibility",
      title: "Brand Visibility Analytics",
      version: PACKAGE.version,
      websiteUrl: config.baseUrl,
      icons: [{ src: icon, mimeType: "image/svg+xml", sizes: ["any"] }],
    },
    instructions: instructions(config.baseUrl),
    baseUrl: config.baseUrl,
    requestStateKey: secrets.derive("request-state"),
    events,
    features: openFeatures(events),
  };
  return openMcpHandler(mcp, config.mcpUrl, config.ALLOWED_ORIGINS);
}
