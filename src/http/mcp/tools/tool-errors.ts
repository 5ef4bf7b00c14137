import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Logger } from "pino";
import { errorBody } from "../../error-body.ts";
import { AppError, type ErrorCode, type FieldError } from "../../../../core/shared/errors.ts";
import { SOURCES, SOURCE_NAMES } from "../../../../core/sources/sources.ts";
import type { Tool } from "./tool-table.ts";
import { toToolFieldErrors, insertToolNames, toToolParameterName } from "./tool-parameter-names.ts";

const RETRYABLE_CODES: ReadonlySet<ErrorCode> = new Set(["RATE_LIMITED", "UNAVAILABLE", "STORAGE_FULL"]);

/** Error as tool result: `{code, message, retryable, hint}`; the hint names a helpful tool. */
export function buildToolErrorResult(
  error: unknown,
  tool: Tool,
  from: { toolNames: ReadonlySet<string>; requestId: string; log: Logger },
): CallToolResult {
  const { status, code, ...reported } = errorBody(error, from.requestId);
  const fields = reported.fields && toToolFieldErrors(tool.endpoint, reported.fields).map(nameSources);
  if (status >= 500) from.log.error({ err: error, requestId: from.requestId, tool: tool.name }, "tool call failed");
  const body = {
    code,
    message: insertToolNames(tool.endpoint, reported.message),
    retryable: RETRYABLE_CODES.has(code) || lacksConfirmation(tool, fields),
    hint: buildErrorHint(error, code, tool, from.toolNames),
    ...(fields === undefined ? {} : { fields }),
    ...(code === "INTERNAL" ? { request_id: from.requestId } : {}),
  };
  return { isError: true, content: [{ type: "text", text: JSON.stringify(body) }] };
}

function nameSources({ message, allowed, ...rest }: FieldError): FieldError {
  return { ...rest, message: insertSourceNames(message), ...(allowed && { allowed: allowed.map(insertSourceNames) }) };
}

function insertSourceNames(text: string): string {
  return text.replaceAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g, (label) => {
    const source = SOURCES.find((one) => one === label);
    return source ? SOURCE_NAMES[source] : label;
  });
}

function lacksQuote({ endpoint }: Tool, fields: readonly FieldError[] | undefined): boolean {
  return endpoint.present !== undefined && fields?.every(({ path }) => /^(?:quote_id|confirmed)$/.test(path)) === true;
}

function lacksConfirmation({ endpoint }: Tool, fields: readonly FieldError[] | undefined): boolean {
  return endpoint.present !== undefined && fields !== undefined && fields.every(({ path }) => path === "confirmed");
}

function buildErrorHint(error: unknown, code: ErrorCode, tool: Tool, names: ReadonlySet<string>): string {
  const price = describePricingCall(tool);
  switch (code) {
    case "NOT_FOUND":
      return buildIdHint(error instanceof AppError ? error.subject : undefined, tool, names);
    case "VALIDATION_FAILED":
      return lacksQuote(tool, error instanceof AppError ? error.fields : undefined)
        ? `Show the person the presentation from ${price}, wait for an explicit yes, then call again with the quote_id and confirmed: true.`
        : "Correct the named fields and call again.";
    case "NOT_CONFIRMED":
      return "Nothing was created and nothing spent. Ask the person what they want instead.";
    case "APPROVAL_REQUIRED":
      return "Give the person the address. Nothing is created or spent until they approve.";
    case "UNAUTHENTICATED":
      return "The person must sign in again.";
    case "FORBIDDEN":
      return "Do not retry. get_me shows the person's roles.";
    case "INSUFFICIENT_CREDITS":
      return "get_credits shows the balance and the cap.";
    case "QUOTE_EXPIRED":
    case "PRICE_CHANGED":
    case "QUOTE_FOREIGN":
      return `Call ${price} for a new quote, show it, and wait for a yes.`;
    case "QUOTE_USED":
      return "Do not retry with this quote.";
    case "QUOTA_EXCEEDED":
      return "Do not retry. get_organization shows the quotas. A person can delete something or ask for a larger quota.";
    case "AMBIGUOUS":
      return "Call again with one of the values in allowed. If the meaning is unclear, ask the person.";
    case "CONFLICT":
    case "UNPROCESSABLE":
      return `Do not retry with the same arguments. Read the current state first${readToolHint(tool, names)}.`;
    case "RATE_LIMITED":
      return "Wait for the time given in the message, then call again. Request more rows at once to need fewer calls.";
    case "UNAVAILABLE":
    case "STORAGE_FULL":
      return "Wait a moment, then call again.";
    default:
      return "Do not retry with the same arguments.";
  }
}

/** Call that returns the quote, such as `price_asset_evaluation with evaluation`. */
function describePricingCall({ name, endpoint }: Tool): string {
  const {
    organization_id: _o,
    workspace_id: _w,
    quote_id: _q,
    confirmed: _c,
    ...own
  } = endpoint.input.shape as object & Record<string, unknown>;
  const ids = Object.keys(own).map(toToolParameterName).join(" and ");
  return name.replace(/^(?:create|rerun)_/, "price_") + (ids === "" ? "" : ` with ${ids}`);
}

/** Tool that reads what a tool changes, such as get_tag for update_tag. */
function readToolHint(tool: Tool, names: ReadonlySet<string>): string {
  const reader = tool.name.replace(/^(?:update|rerun|archive)_/, "get_");
  return reader !== tool.name && names.has(reader) ? ` with ${reader}` : "";
}

/** Tool that lists ids of the missing thing, by parameter description or kind. */
function buildIdHint(subject: string | undefined, tool: Tool, names: ReadonlySet<string>): string {
  if (subject === undefined) return "Find ids with list_workspaces.";
  if (subject === "quote") return `A quote comes from ${describePricingCall(tool)}.`;
  const noun = subject.replaceAll(" ", "_");
  const ids = Object.keys(tool.endpoint.input.shape as object)
    .filter((key) => key.endsWith("_id"))
    .map(toToolParameterName);
  const described = (name: string | undefined) => findListTool(tool.listed.inputSchema.properties?.[name ?? ""]);
  const list = `list_${toPlural(noun)}`;
  const known = described(ids.find((name) => name === noun)) ?? (names.has(list) ? list : described(ids.at(-1)));
  return `Find ids with ${known ?? "list_workspaces"}.`;
}

function findListTool(field: unknown): string | undefined {
  return /\b(?:list|get)_[a-z_]+/.exec(JSON.stringify(field) ?? "")?.[0];
}

function toPlural(noun: string): string {
  if (noun.endsWith("sis")) return `${noun.slice(0, -2)}es`;
  return noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
