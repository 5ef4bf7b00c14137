import { insertActionScene } from "../support/action-scene.ts";
import { world } from "../support/world.ts";
import { PARTNER_TOKEN, startPartner } from "./partner-process.ts";

export const DUE_DATE = "2100-01-31T12:00:00.000Z";
export const RECIPIENTS = ["writer@example.com"];

/** A workspace that is connected to the partner at `address`. */
export async function partnerScene(address: string, options: { env?: Record<string, string>; dataDir?: string } = {}) {
  const w = await world({
    ...(options.dataDir === undefined ? {} : { dataDir: options.dataDir }),
    env: {
      PARTNER_BASE_URL: address,
      PARTNER_TIMEOUT_SECONDS: "0.5",
      PARTNER_ATTEMPTS: "2",
      ...options.env,
    },
  });
  const { owner, organization, workspace } = await w.acme();
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  const connect = (change: Record<string, unknown> = {}) =>
    owner.request("PUT", `${workspace.path}/platform-integrations/partner`, {
      body: { api_token: PARTNER_TOKEN, partner_workspace_id: "demo", recipients: RECIPIENTS, ...change },
    });
  const connected = await connect();
  if (connected.status !== 200) throw new Error(`The workspace was not connected: ${JSON.stringify(connected.body)}`);
  return {
    w,
    owner,
    organization,
    workspace,
    connect,
    /** A task's brief with its endpoints. */
    async newBrief(brief: NonNullable<Parameters<typeof insertActionScene>[2]>["brief"] = {}) {
      const made = await insertActionScene(w, ids, { brief });
      const path = `${workspace.path}/recommended-actions/${made.resultId}/tasks/${made.taskId}/brief`;
      return {
        id: made.briefId,
        path,
        send: (body: unknown = { due_date: DUE_DATE }, headers?: Record<string, string>) =>
          owner.post(`${path}/partner`, body, headers),
        read: async () => (await owner.get(path)).body,
      };
    },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

/** A scene with a separate partner process. */
export async function sceneWithPartner() {
  const partner = await startPartner();
  const scene = await partnerScene(partner.address);
  return {
    ...scene,
    partner,
    async [Symbol.asyncDispose]() {
      await scene[Symbol.asyncDispose]();
      await partner[Symbol.asyncDispose]();
    },
  };
}
