import { z } from "zod";
import { listAuditLog as listAuditRows } from "../../db/audit-log/audit-log.ts";
import { Id, InstantField, listOf, listQuery, organizationPath, textSchema } from "../../core/shared/fields.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { actionText, listReadActionNames } from "./audited-actions.ts";

export const AuditLogEntry = z
  .object({
    id: Id,
    at: InstantField,
    endpoint: z.string().describe("Name of the operation, or of an event such as signIn."),
    text: z.string().describe("What was done, with names as they were then; of a refusal what was tried."),
    outcome: z.string().describe("ok, or the code of the refusal."),
    user_id: Id.nullable().describe(
      "The person; null without sign-in, for operator commands, and for rejected unknown callers.",
    ),
    user_email: z.string().nullable().describe("E-mail of that person."),
    door: z.string().describe("rest, mcp, web, scim, command, service, or link: by its holder."),
    client_id: z
      .string()
      .nullable()
      .describe("The API key, SCIM token or connected assistant; null for a person's browser."),
    client_name: z.string().nullable().describe("Name of the API key or SCIM token."),
    scopes: z.array(z.string()).describe("What the client was allowed."),
    workspace_id: Id.nullable(),
    cost_credits: z.int().nullable().describe("Credits that the call committed."),
    confirmation: z.string().describe("How a person said yes to what it costs: none, argument, elicited or browser."),
    request_id: z.string().describe("X-Request-Id of the answer."),
    count: z
      .int()
      .describe(
        "How many calls the entry stands for. refusedCalls are those of callers outside the organization, counted per minute.",
      ),
  })
  .meta({ id: "AuditLogEntry" });

const instant = (what: string) => z.iso.datetime({ offset: true }).optional().describe(what);

export const listAuditLog = endpoint({
  name: "listAuditLog",
  method: "GET",
  path: "/v1/organizations/:organization_id/audit-log",
  group: "Members",
  summary: "Read the audit log",
  description:
    "Shows who did what to what, newest first, without what was only read unless asked for. With filters a page can be short: go on while there is next_cursor.",
  access: { organization: "owner" },
  notATool: "account administration",
  input: z.strictObject({
    ...organizationPath,
    user_id: Id.optional().describe("Only what this person did."),
    endpoint: textSchema(100).optional().describe("Only this operation, such as createInvitation."),
    outcome: textSchema(50).optional().describe("Only this outcome: ok, or an error code such as FORBIDDEN."),
    include_reads: z
      .boolean()
      .default(false)
      .describe("true: also what was only read. The console's own reads are not in the log."),
    from: instant("Only from this instant on."),
    to: instant("Only before this instant; with both ends given, an export is complete and stays the same."),
    ...listQuery,
  }),
  output: listOf(AuditLogEntry),
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
        text: row.text ?? actionText(row, endpoints),
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
