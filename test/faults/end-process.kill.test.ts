import { once } from "node:events";
import { connect } from "node:net";
import { expect } from "vitest";
import { startAssistant, responseBody } from "../collecting/provider.ts";
import { startServiceProcess } from "../support/killable-process.ts";
import { startPartner } from "../partner/partner-process.ts";
import { DUE_DATE } from "../partner/scene.ts";
import { world } from "../support/world.ts";
import { longFault } from "./fault.ts";
import { faultFolder, partnerFolder, startCollect, openWaitingCall } from "./scene.ts";

/** A container is killed ten seconds after its SIGTERM. */
const CONTAINER_MS = 9000;

longFault(
  {
    fault: "The service gets SIGTERM, SIGINT (Ctrl-C) or SIGHUP (the terminal was closed)",
    seen: '`"msg":"stopping"`, then `"msg":"stopped"` and `exit code 0`, at most 9 seconds later',
    lost: "Nothing. Requests and jobs in progress complete, or are released for the next start",
    recovers: "At the next start",
  },
  async (see) => {
    await using folder = await faultFolder();
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      await using service = await startServiceProcess({ ...folder.env, SERVE: "core,worker" });
      const name = `tag ${signal}`;
      const answers = Array.from({ length: 5 }, (_, nth) =>
        folder.call("POST", `${folder.workspace.path}/tags`, { name: `${name} ${nth}` }).catch(() => undefined),
      );
      await answers[0];
      service.signal(signal);
      see(`exit code ${await service.ended}`);
      see(service.written());
      expect(service.written()).toContain(`"signal":"${signal}"`);
      for (const answer of answers) expect([201, undefined]).toContain((await answer)?.status);
    }
  },
);

longFault(
  {
    fault:
      "SIGTERM while a partner and a provider hang, a tool call waits for a person, and a client stops in its headers",
    seen: '`sends were aborted: the next start resumes them`, `jobs were aborted: they are released and run again`, `open connections were closed before their requests completed`, then `"msg":"stopped"` and `exit code 0` within 9 seconds. The request that sends the brief gets `503 WORKSPACE_UNAVAILABLE`',
    lost: "Acknowledged writes survive. The partner receives the brief once, and the run completes with the correct credits",
    recovers: "At the next start: the run at once, the send when it is `PARTNER_RECOVERY_SECONDS` old",
  },
  async (see) => {
    await using partner = await startPartner();
    await using folder = await partnerFolder(partner.address);
    let isHanging = true;
    await using provider = await startAssistant((prompt) =>
      isHanging ? { delayMs: 600_000 } : { body: responseBody(`**Acme** for ${prompt}`) },
    );
    const env = {
      ...folder.env,
      ...provider.env,
      PARTNER_BASE_URL: partner.address,
      PARTNER_TIMEOUT_SECONDS: "60",
      PARTNER_RECOVERY_SECONDS: "1",
      COLLECT_LEASE_SECONDS: "1",
    };
    const service = await startServiceProcess(env);
    const analysis = await startCollect(folder, 5);
    await expect.poll(() => provider.asked.size, { timeout: 20_000 }).toBeGreaterThan(0);
    const question = await openWaitingCall(folder);
    const silent = connect(Number(env.PORT), "127.0.0.1");
    silent.on("error", () => undefined);
    // Incomplete headers: the deadline of a body would close the connection first.
    silent.write("POST /v1/auth/token HTTP/1.1\r\n");
    await partner.hold("draft_asked");
    const send = folder.call("POST", `${folder.brief.path}/partner`, { due_date: DUE_DATE });
    await partner.held(1);
    service.signal("SIGTERM");
    const kill = setTimeout(() => service.signal("SIGKILL"), CONTAINER_MS);
    see(`exit code ${await service.ended}`);
    clearTimeout(kill);
    see(service.written());
    const { status, body } = await send;
    see(`${status} ${String(body["code"])}`);
    await question.ended;
    await partner.hold(null);
    isHanging = false;
    await using _next = await startServiceProcess(env);
    const due = async () => (await folder.call("GET", folder.brief.path)).body["partner_due_date"];
    await expect.poll(due, { timeout: 20_000 }).toBe(DUE_DATE);
    expect((await partner.of(folder.brief.id)).submissions).toHaveLength(1);
    await expect
      .poll(() => analysis.collect(), { timeout: 20_000 })
      .toMatchObject({ status: "completed", succeeded: 5 });
  },
);

longFault(
  {
    fault: "A second signal arrives while the service stops",
    seen: '`"msg":"stopped at once"` and `exit code 1`',
    lost: "Acknowledged writes survive, as after `kill -9`",
    recovers: "At the next start",
  },
  async (see) => {
    await using folder = await faultFolder();
    const service = await startServiceProcess({ ...folder.env, SERVE: "core" });
    const silent = connect(Number(folder.env.PORT), "127.0.0.1").on("error", () => undefined);
    silent.write("POST /v1/auth/token HTTP/1.1\r\n");
    await once(silent, "connect");
    service.signal("SIGTERM");
    await service.writes('"msg":"stopping"');
    service.signal("SIGTERM");
    see(`exit code ${await service.ended}`);
    see(service.written());
  },
);

longFault(
  {
    fault: "The service throws an uncaught error",
    seen: "`uncaught error: stopping`, with the error, and `exit code 1`",
    lost: "Acknowledged writes survive: the process stops as after SIGTERM, and writes the audit log",
    recovers: "At the next start: let your supervisor restart the service (`Restart=always`, `restart: always`)",
  },
  async (see) => {
    await using folder = await faultFolder();
    const breaks = "data:text/javascript,process.on('SIGUSR2',()=>{throw new Error('planted')})";
    const service = await startServiceProcess({ ...folder.env, SERVE: "core" }, { preloads: [breaks] });
    await folder.call("GET", `${folder.workspace.path}/personas`);
    service.signal("SIGUSR2");
    see(`exit code ${await service.ended}`);
    see(service.written());
    await using _next = await world({ dataDir: folder.env.DATA_DIR, env: { PORT: folder.env.PORT } });
    const { body } = await folder.call("GET", `${folder.organization.path}/audit-log?include_reads=true`);
    expect(JSON.stringify(body)).toContain("listPersonas");
  },
);
