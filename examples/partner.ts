import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { standInPartner } from "./stand-in.ts";
import { openStandInControl, STAND_IN_FAULTS, STAND_IN_STEPS, type StandInFault } from "./stand-in-control.ts";
import { openStandInState } from "./stand-in-state.ts";

const HELP = `A stand-in for the authoring tool that briefs are sent to (docs/integrations.md). It sends no e-mail.

  npx brand-visibility partner [--port 3100] [--token TOKEN] [--workspace ID] [--max-length 100000] [--state FILE] [--fail FAULT]

--port        port on 127.0.0.1; 0 for any free port (default 3100)
--token       the token it accepts (default: a new one)
--workspace   a workspace of the tool, repeatable (default: demo)
--max-length  maximum characters of a brief
--state       a file to store briefs in; without it they are lost on exit
--fail        fails from the start: ${STAND_IN_FAULTS.join(", ")}
--help        prints this text

While it runs: GET /briefs lists its briefs; PUT /control {"fail": FAULT or null} makes it fail; PUT /control
{"hold": STEP or null} makes it pause at a step (${STAND_IN_STEPS.join(", ")}) and releases
paused requests, unless "keep" is true; GET /control/held/COUNT responds once that many requests are paused; PATCH /control/briefs/REFERENCE {"status", "final"} acts as the writers.
`;

const OPTIONS = {
  port: { type: "string", default: "3100" },
  token: { type: "string" },
  workspace: { type: "string", multiple: true, default: ["demo"] },
  "max-length": { type: "string", default: "100000" },
  state: { type: "string" },
  fail: { type: "string" },
  help: { type: "boolean", default: false },
} as const satisfies ParseArgsConfig["options"];

type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>["values"];

export function runPartner(args: string[]): void {
  const { values } = parseArgs({ args, options: OPTIONS });
  const fault = STAND_IN_FAULTS.find((one) => one === values.fail);
  if (values.help) process.stdout.write(HELP);
  else if (values.fail !== undefined && fault === undefined) {
    process.stderr.write(`Unknown fault.\n\n${HELP}`);
    process.exitCode = 2;
  } else start(values, fault ?? null);
}

function start(values: Options, fail: StandInFault | null): void {
  const token = values.token ?? randomBytes(24).toString("base64url");
  let address = "";
  const app = standInPartner({
    token,
    workspaceIds: values.workspace,
    maxLength: Number(values["max-length"]),
    state: openStandInState(values.state, () => address),
    control: openStandInControl(fail),
  });
  const server = createServer(app);
  server.listen(Number(values.port), "127.0.0.1", () => {
    // A server that listens on a port returns AddressInfo.
    const { port } = server.address() as AddressInfo;
    address = `http://127.0.0.1:${port}`;
    process.stdout.write(welcome({ address, token, workspace: values.workspace[0] ?? "demo" }));
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
    });
  }
}

function welcome({ address, token, workspace }: { address: string; token: string; workspace: string }): string {
  return `
  A stand-in partner is running.

  Address      ${address}
  Token        ${token}
  Workspace    ${workspace}
  Its briefs   ${address}/briefs

  Start the service with PARTNER_BASE_URL=${address}, then connect a workspace:
  PUT /v1/organizations/ORGANIZATION/workspaces/WORKSPACE/platform-integrations/partner
  {"api_token": "${token}", "partner_workspace_id": "${workspace}", "recipients": ["writer@example.com"]}

`;
}
