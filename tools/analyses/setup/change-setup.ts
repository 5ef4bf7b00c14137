import { z } from "zod";
import { analysisPath } from "../../../core/shared/fields.ts";
import { endpoint } from "../../endpoint.ts";
import { confirmedCreation } from "../../quotes/confirmed-creation.ts";
import { confirmation, QUOTE_ERROR_CODES } from "../../quotes/quote.ts";
import { Analysis } from "../analysis.ts";
import { changeCreation } from "./setup-change.ts";

export const changeSetup = endpoint({
  name: "changeSetup",
  method: "PUT",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/setup",
  group: "Analyses",
  summary: "Change the setup of an analysis",
  logged: "Changed the setup of analysis {analysis_id}",
  description:
    "Changes the setup of an analysis from its next run on, with a quote of priceSetup that a person agreed to. Reserves or releases the difference in credits. Earlier runs keep their setup.",
  access: { workspace: "editor" },
  scope: "analyses:create",
  notATool: "write endpoint not marked for agents",
  input: z.strictObject({ ...analysisPath, ...confirmation }),
  output: Analysis,
  errors: ["NOT_FOUND", "CONFLICT", ...QUOTE_ERROR_CODES],
  ...confirmedCreation(changeCreation),
});
