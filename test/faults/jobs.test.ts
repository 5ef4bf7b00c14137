import { expect } from "vitest";
import { startServiceProcess } from "../killable-process.ts";
import { assistant, responseBody } from "../collecting/provider.ts";
import { longFault } from "./fault.ts";
import { faultFolder } from "./scene.ts";

const QUESTIONS = 60;
const YEAR_MS = 365 * 86_400_000;
/** Has a process take its time for a year later than it is. */
const AHEAD = `data:text/javascript,${encodeURIComponent(`
  const Right = Date;
  globalThis.Date = class extends Right {
    constructor(...given) { super(...(given.length > 0 ? given : [Right.now() + ${YEAR_MS}])); }
    static now() { return Right.now() + ${YEAR_MS}; }
  };`)}`;

longFault(
  {
    fault: "The clock is a year ahead, the process is killed, and the clock is set right",
    seen: "Callers get `401 UNAUTHENTICATED` and sign in again. Collects, background jobs and schedules go on: the collect is `completed`",
    lost: "What expired by the wrong clock: sessions, links, and entries of the audit log older than `AUDIT_RETENTION_DAYS`. Rounds of a schedule that were taken for missed are planned again as far as their credits are still there",
    recovers: "By itself, at once; schedules within a minute",
  },
  async (see) => {
    await using provider = await assistant((prompt) => ({
      delayMs: 100,
      body: responseBody(`**Acme** for ${prompt}`),
    }));
    await using folder = await faultFolder();
    const env = { ...folder.env, ...provider.env, SERVE: "core,worker", COLLECT_CONCURRENCY: "4" };
    const { path } = folder.workspace;
    const signIn = async () => {
      const { body } = await folder.call("POST", "/v1/auth/token", { api_key: folder.owner.apiKey });
      return { authorization: `Bearer ${String(body["access_token"])}` };
    };
    const ahead = await startServiceProcess(env, { imports: [AHEAD] });
    const early = await signIn();
    const brand = await folder.call("POST", `${path}/brands`, { name: "Acme", relationship: "mine" }, early);
    const keywords = Array.from({ length: QUESTIONS }, (_, nth) => ({ text: `phone ${nth}` }));
    const setup = {
      name: "Phones",
      website: "https://acme.test",
      brand_id: brand.body["id"],
      sources: ["ASSISTANT_A"],
      thematics: [{ name: "Phones", topics: [{ name: "All", keywords }] }],
      runs_per_prompt: 1,
    };
    const priced = await folder.call("POST", `${path}/search-analyses/price`, setup, early);
    const confirmed = { quote_id: priced.body["quote_id"], confirmed: true };
    const created = await folder.call("POST", `${path}/search-analyses`, confirmed, early);
    await expect.poll(() => provider.asked.size, { timeout: 20_000 }).toBeGreaterThan(QUESTIONS / 3);
    await ahead.kill();

    await using _right = await startServiceProcess(env);
    const collects = `${path}/analyses/${String(created.body["id"])}/collects`;
    const refused = await folder.call("GET", collects, undefined, early);
    see(`${refused.status} ${String(refused.body["code"])}`);
    const again = await signIn();
    const status = async () => {
      const { body } = await folder.call("GET", collects, undefined, again);
      return (body["data"] as { status: string }[])[0]?.status;
    };
    await expect.poll(status, { timeout: 30_000, interval: 200 }).toBe("completed");
    see(String(await status()));
  },
);
