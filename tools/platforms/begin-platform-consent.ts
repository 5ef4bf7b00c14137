import { z } from "zod";
import { toConsentSealContext, insertPlatformConsent } from "../../db/platforms/platform-consents.ts";
import { workspacePath } from "../../core/shared/fields.ts";
import { addMs } from "../../core/shared/time.ts";
import { consoleEndpoint } from "../endpoint.ts";
import { PlatformField } from "./platform-account.ts";

const CONSENT_LIFETIME_MS = 15 * 60_000;

/** Only the console runs this flow (interface.md section 5). */
export const beginPlatformConsent = consoleEndpoint({
  name: "beginPlatformConsent",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/platform-integrations",
  group: "Platform Integrations",
  summary: "Begin to connect a platform",
  logged: "Began to connect a platform",
  description: "Starts the OAuth authorization at a platform. Returns the address at which a person grants access.",
  access: { workspace: "editor" },
  notATool: "account administration",
  input: z.strictObject({
    ...workspacePath,
    platform: PlatformField,
    state_hash: z.string(),
    session_hash: z.string(),
    proof: z.string(),
  }),
  output: z.object({ begun: z.literal(true) }),
  async handle({ platform, state_hash: stateHash, session_hash: sessionHash, proof }, { tenant, now, sealer }) {
    await insertPlatformConsent(tenant, {
      stateHash,
      platform,
      sessionHash,
      sealedProof: sealer.seal(proof, toConsentSealContext(stateHash)),
      createdAt: now,
      expiresAt: addMs(now, CONSENT_LIFETIME_MS),
    });
    return { begun: true as const };
  },
});
