import type {
  CallToolResult,
  Implementation,
  InputRequiredResult,
  RequestStateCodec,
  Server,
  ServerCapabilities,
  ServerContext,
  ServerEventBus,
} from "@modelcontextprotocol/server";
import type { Logger } from "pino";
import type { AppError } from "../../../core/shared/errors.ts";
import type { Call, Deps } from "../../call/deps.ts";
import type { ListedExtra, ToolTable, ToolView } from "./tools/tool-table.ts";

export const MODERN_REVISION = "2026-07-28";
export const LISTEN_METHOD = "subscriptions/listen";

/** Protocol era: the newest revision, or the revisions of 2025. */
export type ProtocolEra = "modern" | "legacy";

export type Fields = Record<string, unknown>;

export type ToolAnswer = CallToolResult | InputRequiredResult;

export interface McpContext {
  deps: Deps;
  log: Logger;
  toolTable: ToolTable;
  serverInfo: Implementation;
  instructions: string;
  baseUrl: string;
  requestStateKey: Buffer;
  events: ServerEventBus;
  features: ServerFeatures;
}

/** Server capabilities besides tools: prompts, resources, completion, and additions of tests. */
export interface ServerFeatures {
  capabilities: (era: ProtocolEra) => ServerCapabilities;
  tools: readonly ExtraTool[];
  install(server: Server, at: { mcp: McpContext; serving: Serving; stateCodec: RequestStateCodec }): void;
}

export type OpenFeatures = (events: ServerEventBus) => ServerFeatures;

export interface ExtraTool extends ListedExtra {
  runTool(
    given: Fields,
    context: ServerContext,
    codec: RequestStateCodec,
    at: { mcp: McpContext; serving: Serving },
  ): Promise<ToolAnswer>;
}

export interface Serving {
  call: Call;
  toolView: ToolView;
  /**
   * Reason why tools are unavailable, such as a rate limit; returned as tool result, since models
   * only read results.
   */
  callError: AppError | undefined;
  /** True if the client's revision supports resource links in results (2025-06-18 on). */
  supportsLinks: boolean;
  /**
   * True if a 2025-era client declared form support on initialization; newer clients declare it per
   * request.
   */
  sessionSupportsForms: boolean;
}

export interface CallContext {
  serving: Serving;
  context: ServerContext;
  stateCodec: RequestStateCodec;
}
