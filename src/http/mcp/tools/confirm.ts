import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type InputRequiredResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { AppError } from "../../../../core/shared/errors.ts";
import { decline, invoke, present } from "../../../call/invoke.ts";
import { recordCall } from "../../../call/audit.ts";
import type { ToolAnswer, CallContext, Fields, Serving, McpContext } from "../mcp-context.ts";
import { buildToolResult } from "./tool-result.ts";
import type { Selection } from "../../../reads/read-messages.ts";
import type { Tool } from "./tool-table.ts";

/** Max time to answer a question on an open connection; at most the validity of a price. */
const MAX_CONFIRM_MS = 10 * 60_000;
const QUESTION_KEY = "confirm";
const APPROVAL_KEY = "approval";
// Form without fields: accepting it is the confirmation.
const FORM = { type: "object" as const, properties: {} };

/** State carried by the client between question and answer. */
const RequestStateSchema = z.object({ tool: z.string(), quote: z.string() });

type Action = "accept" | "decline" | "cancel";

type ConfirmedCall = CallContext & { selection: Selection };

/**
 * Runs a creation that spends credits. If the client can show forms, the person must confirm in
 * one; otherwise the assistant asks and sends `confirmed: true`.
 */
export async function callConfirmed(
  mcp: McpContext,
  tool: Tool,
  input: Fields,
  at: ConfirmedCall,
): Promise<ToolAnswer> {
  const { serving, context, selection } = at;
  if (!supportsForms(at)) {
    const call = {
      ...serving.call,
      confirmation: input["confirmed"] === true ? ("argument" as const) : ("none" as const),
    };
    const shown = input["confirmed"] === true && (await presentOrAskApproval(mcp, tool, input, at));
    if (shown && shown.approvalRequest) return shown.approvalRequest;
    return buildToolResult(tool, (await invoke(tool.endpoint, input, call, mcp.deps)) as Fields, selection);
  }
  const { confirmed: _, ...asked } = input;
  if (context.mcpReq.envelope === undefined) {
    const shown = await presentOrAskApproval(mcp, tool, asked, at);
    return applyFormAnswer(mcp, tool, asked, { serving, selection, action: await askOnStream(context, shown.message) });
  }
  const action = findFormAnswer(tool, asked, context);
  if (action !== undefined) return applyFormAnswer(mcp, tool, asked, { serving, selection, action });
  const shown = await presentOrAskApproval(mcp, tool, asked, at);
  if (shown.approvalRequest) return shown.approvalRequest;
  recordCall(tool.endpoint, asked, serving.call, mcp.deps, "asked");
  return inputRequired({
    inputRequests: { [QUESTION_KEY]: inputRequired.elicit({ message: shown.message, requestedSchema: FORM }) },
    requestState: await at.stateCodec.mint({ tool: tool.name, quote: String(asked["quote_id"]) }, context),
  });
}

const CapabilitiesSchema = z.object({
  elicitation: z.object({ form: z.unknown().optional(), url: z.unknown().optional() }).optional(),
});

/**
 * `elicitation: {}` implies forms; naming only another mode does not (2026-07-28,
 * client/elicitation).
 */
export function declaresForms(capabilities: unknown): boolean {
  const elicitation = CapabilitiesSchema.safeParse(capabilities).data?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

function supportsForms({ serving, context }: CallContext): boolean {
  const envelope: Fields | undefined = context.mcpReq.envelope;
  return envelope === undefined ? serving.sessionSupportsForms : declaresForms(envelope[CLIENT_CAPABILITIES_META_KEY]);
}

/** The person's answer to the question about this quote, if this round has one. */
function findFormAnswer(tool: Tool, asked: Fields, context: ServerContext): Action | undefined {
  const state = RequestStateSchema.safeParse(context.mcpReq.requestState());
  const answer = inputResponse(context.mcpReq.inputResponses, QUESTION_KEY);
  if (!state.success || answer.kind !== "elicit") return undefined;
  return state.data.tool === tool.name && state.data.quote === asked["quote_id"] ? answer.action : undefined;
}

async function askOnStream({ mcpReq }: ServerContext, message: string): Promise<Action | null> {
  const params = { message, requestedSchema: FORM };
  return mcpReq.send({ method: "elicitation/create", params }, { timeout: MAX_CONFIRM_MS }).then(
    (answer) => answer.action,
    () => null,
  );
}

async function applyFormAnswer(
  mcp: McpContext,
  tool: Tool,
  form: Fields,
  { serving, selection, action }: { serving: Serving; selection: Selection; action: Action | null },
): Promise<ToolAnswer> {
  const call = { ...serving.call, confirmation: "elicited" as const };
  if (action === "accept") {
    const output = await invoke(tool.endpoint, { ...form, confirmed: true }, call, mcp.deps);
    return buildToolResult(tool, output as Fields, selection);
  }
  if (action === "decline") {
    await decline(tool.endpoint, form, call, mcp.deps);
    throw new AppError("NOT_CONFIRMED", "The person declined. This is final: do not retry.");
  }
  recordCall(tool.endpoint, form, call, mcp.deps, action === null ? "unanswered" : "cancelled");
  throw new AppError("NOT_CONFIRMED", "The person did not answer, which is not a confirmation.");
}

/**
 * Presentation to show. If only a person in the browser may approve, requests that the client opens
 * the page (2026-07-28, client/elicitation, URL mode); throws APPROVAL_REQUIRED if it cannot, or did.
 */
async function presentOrAskApproval(
  mcp: McpContext,
  tool: Tool,
  asked: Fields,
  { serving, context: { mcpReq } }: CallContext,
): Promise<{ message: string; approvalRequest?: InputRequiredResult }> {
  const { message, approvalPath } = await present(tool.endpoint, asked, serving.call, mcp.deps);
  if (approvalPath === null) return { message };
  recordCall(tool.endpoint, asked, serving.call, mcp.deps, "APPROVAL_REQUIRED");
  const url = mcp.baseUrl + approvalPath;
  const envelope: Fields = mcpReq.envelope ?? {};
  const { elicitation } = CapabilitiesSchema.safeParse(envelope[CLIENT_CAPABILITIES_META_KEY]).data ?? {};
  if (elicitation?.url === undefined || inputResponse(mcpReq.inputResponses, APPROVAL_KEY).kind === "elicit") {
    throw new AppError("APPROVAL_REQUIRED", `A person must approve this at ${url}`);
  }
  const request = inputRequired.elicitUrl({ message: "Approve this cost in the browser, then continue here.", url });
  return { message, approvalRequest: inputRequired({ inputRequests: { [APPROVAL_KEY]: request } }) };
}
