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
    fault: "Told to end: SIGTERM, SIGINT (Ctrl-C) or SIGHUP (the terminal was closed)",
    seen: '`"msg":"stopping"`, then `"msg":"stopped"` and `exit code 0`, at most 9 seconds later',
    lost: "Nothing. Requests and jobs under way end or are given back",
    recovers: "With the next start",
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
      "SIGTERM beside a partner and a provider that hang, a call that waits for a person, and a client that sends nothing",
    seen: '`sends were broken off: the next start resumes them`, `jobs were broken off: they are given back, to be done again`, `connections were cut: their requests had not ended`, then `"msg":"stopped"` and `exit code 0` within 9 seconds. The sender is answered `503 WORKSPACE_UNAVAILABLE`',
    lost: "Nothing that was answered. The brief is at the partner once, and the collect ends to the credit",
    recovers: "With the next start: the collect at once, the send once it is `PARTNER_RECOVERY_SECONDS` old",
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
    silent.write(`POST /v1/auth/token HTTP/1.1\r\nhost: localhost:${env.PORT}\r\ncontent-length: 9\r\n\r\n`);
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
    fault: "Told to end a second time while it stops",
    seen: '`"msg":"stopped at once"` and `exit code 1`',
    lost: "Nothing that was answered, as after `kill -9`",
    recovers: "With the next start",
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
    fault: "An error in the service that nothing catches",
    seen: "`an error that nothing caught: stopping`, with the error, and `exit code 1`",
    lost: "Nothing that was answered: the process ends as after SIGTERM, and writes the audit log",
    recovers: "With the next start: have it started again when it ends (`Restart=always`, `restart: always`)",
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
