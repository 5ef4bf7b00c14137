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
/** The request whose answer is a stream of what changes. */
export const LISTEN = "subscriptions/listen";

/** The newest revision, or those of 2025. */
export type Era = "modern" | "legacy";

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
/** What a tool answers: its result, or a question to the person. */
export type Answered = CallToolResult | InputRequiredResult;

/** What every server of this process shares; made once, at start. */
export interface McpContext {
  deps: Deps;
  log: Logger;
  table: ToolTable;
  serverInfo: Implementation;
  instructions: string;
  /** Where the pages are on which a person approves. */
  baseUrl: string;
  requestStateKey: Buffer;
  /** What open `subscriptions/listen` streams are told. */
  events: ServerEventBus;
  features: ServerFeatures;
}

/** What a server has besides the tools of the table: prompts, resources, completion, and what a test suite adds. */
export interface ServerFeatures {
  capabilities: (era: Era) => ServerCapabilities;
  tools: readonly ExtraTool[];
  /** Sets the handlers of its methods for one exchange. */
  install(server: Server, at: { mcp: McpContext; serving: Serving; codec: RequestStateCodec }): void;
}

/** Makes features that can tell open `subscriptions/listen` streams of changes. */
export type OpenFeatures = (events: ServerEventBus) => ServerFeatures;

export interface ExtraTool extends ListedExtra {
  call(
    given: Fields,
    context: ServerContext,
    codec: RequestStateCodec,
    at: { mcp: McpContext; serving: Serving },
  ): Promise<Answered>;
}

/** What one exchange is about. */
export interface Serving {
  call: Call;
  view: ToolView;
  /** Why this caller's tools are not called now; told as their result, because a model reads nothing else. */
  refusal: AppError | undefined;
  /** True where the client's revision knows links to resources in results: from 2025-06-18 on. */
  takesLinks: boolean;
  /** True where a 2025-era client said at its start that it can show forms; newer ones say so with each request. */
  sessionShowsForms: boolean;
}

/** A tool call within its exchange. */
export interface CallContext {
  serving: Serving;
  context: ServerContext;
  codec: RequestStateCodec;
}
