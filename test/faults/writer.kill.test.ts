import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { startServiceProcess } from "../support/killable-process.ts";
import { world } from "../support/world.ts";
import { longFault } from "./fault.ts";
import { faultFolder } from "./scene.ts";
import { random } from "../support/random.ts";

const LIVES = 5;
const CALLERS = 4;

longFault(
  {
    fault: "The service is killed (`kill -9`, out of memory, power loss) while clients write",
    seen: "Clients lose their connections (`fetch failed`). The next start logs `listening`",
    lost: "Acknowledged writes survive. A request without a response may or may not have taken effect: repeat it with its Idempotency-Key",
    recovers: "At the next start. Jobs resume when their lease expires (`COLLECT_LEASE_SECONDS`)",
  },
  async (see) => {
    await using folder = await faultFolder();
    const acknowledged = new Set<string>();
    const unanswered: string[] = [];
    const refused: unknown[] = [];
    const path = `${folder.workspace.path}/tags`;
    for (let life = 0; life < LIVES; life++) {
      await using service = await startServiceProcess({ ...folder.env, SERVE: "core" });
      const write = async (caller: number) => {
        for (let nth = 0; ; nth++) {
          const name = `tag-${life}-${caller}-${nth}`;
          const answer = await folder
            .call("POST", path, { name }, { "idempotency-key": name })
            .catch((error: Error) => {
              see(error.message);
              unanswered.push(name);
            });
          if (!answer) return;
          if (answer.status === 201) acknowledged.add(name);
          else refused.push(answer.body["code"]);
        }
      };
      const callers = Array.from({ length: CALLERS }, (_, caller) => write(caller));
      await sleep(100 + random() * 100);
      await service.kill();
      await Promise.all(callers);
      see(service.written());
    }
    await using _service = await world({ dataDir: folder.env.DATA_DIR, env: { PORT: folder.env.PORT } });
    for (const name of unanswered) {
      expect((await folder.call("POST", path, { name }, { "idempotency-key": name })).status).toBe(201);
    }
    const names: string[] = [];
    for (let cursor = ""; ;) {
      const { body } = await folder.call("GET", `${path}?limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`);
      names.push(...(body["data"] as { name: string }[]).map(({ name }) => name));
      if (typeof body["next_cursor"] !== "string") break;
      cursor = encodeURIComponent(body["next_cursor"]);
    }
    expect(refused).toEqual([]);
    expect(acknowledged.size).toBeGreaterThan(0);
    expect(unanswered).toHaveLength(LIVES * CALLERS);
    expect(names.toSorted()).toEqual([...acknowledged, ...unanswered].toSorted());
  },
);
