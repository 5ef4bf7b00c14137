import { z } from "zod";
import { analysisPath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { confirmedCreation } from "../quotes/confirmed-creation.ts";
import { confirmation, QUOTE_ERROR_CODES } from "../quotes/quote.ts";
import { collectCreation } from "./collect-creation.ts";
import { Collect } from "./collect.ts";

export const runCollect = endpoint({
  name: "runCollect",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/collects",
  status: 201,
  group: "Analyses",
  summary: "Start a run now",
  logged: "Ran analysis {analysis_id}",
  description:
    "Starts a run (`collect`) outside the schedule, with a quote of priceCollect that a person agreed to. Reserves its credits; the schedule stays as it is.",
  access: { workspace: "editor" },
  scope: "analyses:create",
  notATool: "write endpoint not marked for agents",
  input: z.strictObject({ ...analysisPath, ...confirmation }),
  output: Collect,
  errors: ["NOT_FOUND", "CONFLICT", ...QUOTE_ERROR_CODES],
  ...confirmedCreation(collectCreation),
});
