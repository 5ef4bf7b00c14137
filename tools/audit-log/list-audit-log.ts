import { z } from "zod";
import { listAuditLog as listAuditRows } from "../../db/audit-log/audit-log.ts";
import { Id, InstantField, listSchema, listQuery, organizationPath, textSchema } from "../../core/shared/fields.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { renderActionText, listReadActionNames } from "./audited-actions.ts";

export const AuditLogEntrySchema = z
  .object({
    id: Id,
    at: InstantField,
    endpoint: z.string().describe("Name of the operation, or of an event such as signIn."),
    text: z
      .string()
      .describe("Description of the operation, with the names at that time; for a denied call, the attempt."),
    outcome: z.string().describe("ok, or an error code."),
    user_id: Id.nullable().describe(
      "The person; null without sign-in, for operator commands, and for rejected unknown callers.",
    ),
    user_email: z.string().nullable().describe("E-mail of that person."),
    door: z.string().describe("Interface: rest, mcp, web, scim, command, service, or link (any holder of the link)."),
    client_id: z
      .string()
      .nullable()
      .describe("API key, SCIM token or connected assistant; null for a person's browser."),
    client_name: z.string().nullable().describe("Name of the API key or SCIM token."),
    scopes: z.array(z.string()).describe("Scopes of the client."),
    workspace_id: Id.nullable(),
    cost_credits: z.int().nullable().describe("Credits committed by the call."),
    confirmation: z
      .string()
      .describe("Kind of confirmation of the cost: none, argument, elicited (form in the client) or browser."),
    request_id: z.string().describe("X-Request-Id of the response."),
    count: z
      .int()
      .describe("Number of calls in this entry. refusedCalls counts calls from outside the organization per minute."),
  })
  .meta({ id: "AuditLogEntry" });

const instantField = (what: string) => InstantField.optional().describe(what);

export const listAuditLog = endpoint({
  name: "listAuditLog",
  method: "GET",
  path: "/v1/organizations/:organization_id/audit-log",
  group: "Members",
  summary: "Read the audit log",
  description:
    "Lists operations with their actor and target, newest first. Reads are excluded unless requested. With filters, pages can be short: continue while there is a next_cursor.",
  access: { organization: "owner" },
  notATool: "account administration",
  input: z.strictObject({
    ...organizationPath,
    user_id: Id.optional().describe("Only operations of this person."),
    endpoint: textSchema(100).optional().describe("Only this operation, such as createInvitation."),
    outcome: textSchema(50).optional().describe("Only this outcome: ok, or an error code such as FORBIDDEN."),
    include_reads: z.boolean().default(false).describe("true: include reads. Reads of the console are never logged."),
    from: instantField("Only from this instant on."),
    to: instantField("Only before this instant; with both ends given, an export is complete and stays the same."),
    ...listQuery,
  }),
  output: listSchema(AuditLogEntrySchema),
  async handle(input, { tenant, endpoints }) {
    const { endpoint: operation, outcome, user_id: userId } = input;
    const without = input.include_reads || operation !== undefined ? undefined : listReadActionNames(endpoints);
    const [from, to] = [toUtc(input.from), toUtc(input.to)];
    const filter = { userId, endpoint: operation, outcome, without, from, to };
    const { rows, searchedTo } = await listAuditRows(tenant, filter, parsePagination("audit-log", input));
    return toPage("audit-log", input, rows, {
      key: (row) => [row.at, row.id],
      row: (row) => ({
        ...toSnakeCase(row),
        text: row.text ?? renderActionText(row, endpoints),
        user_id: row.userId ?? null,
        client_id: row.clientId ?? null,
        scopes: row.scopes.split(" ").filter(Boolean),
        workspace_id: row.workspaceId ?? null,
        cost_credits: row.costCredits ?? null,
      }),
      searchedTo,
    });
  },
});

function toUtc(at: string | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
