import { expect } from "vitest";
import { startServiceProcess } from "../support/killable-process.ts";
import { startPartner } from "../partner/partner-process.ts";
import { DUE_DATE } from "../partner/scene.ts";
import { longFault } from "./fault.ts";
import { startLightCaller, partnerFolder } from "./scene.ts";

longFault(
  {
    fault: "The partner hangs",
    seen: "The request that sends the brief gets `503 PARTNER_UNAVAILABLE` after its last attempt. Other requests succeed as usual (`200`)",
    lost: "Nothing",
    recovers:
      "When the partner responds and the brief is sent again; the partner receives it once. `PARTNER_TIMEOUT_SECONDS` and `PARTNER_ATTEMPTS` set how long a request waits",
  },
  async (see) => {
    await using partner = await startPartner();
    await using folder = await partnerFolder(partner.address);
    const env = {
      ...folder.env,
      PARTNER_BASE_URL: partner.address,
      PARTNER_TIMEOUT_SECONDS: "1",
      PARTNER_ATTEMPTS: "2",
    };
    await using _service = await startServiceProcess({ ...env, SERVE: "core,worker" });
    const caller = startLightCaller(() => folder.call("GET", `${folder.workspace.path}/tags`));
    await partner.fail("hang");
    const send = () => folder.call("POST", `${folder.brief.path}/partner`, { due_date: DUE_DATE });
    const refused = await send();
    see(`${refused.status} ${String(refused.body["code"])}`);
    await partner.fail(null);
    expect((await send()).status).toBe(200);
    expect((await partner.of(folder.brief.id)).submissions).toHaveLength(1);
    see((await caller.answers()).join());
  },
);
