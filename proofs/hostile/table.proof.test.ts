import { appendFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseExtent, report } from "../../test/support/proof.ts";
import { SCENE_TIMEOUT_MS } from "../../test/whole/scene.ts";
import { restRows, toolRows } from "./endpoint-rows.ts";
import { formRows } from "./form-rows.ts";
import { openJudge, worstRows, type Cost } from "./judge.ts";
import { mcpRows } from "./mcp-rows.ts";
import { oauthRows } from "./oauth-rows.ts";
import type { Row } from "./rows.ts";
import { drawSample } from "./sample.ts";
import { scimRows } from "./scim-rows.ts";
import { openHostileScene, type HostileScene } from "./scene.ts";

const SEED = Number(process.env["HOSTILE_SEED"] ?? 20_261_127);
/** Sends only rows whose names contain this text. */
const ONLY = process.env["HOSTILE_ONLY"] ?? "";
/** A file for the cost of each row, one JSON object per line. */
const LOG = process.env["HOSTILE_LOG"];

let at: HostileScene;
beforeAll(async () => {
  at = await openHostileScene();
}, SCENE_TIMEOUT_MS);
afterAll(() => at[Symbol.asyncDispose]());

test(
  "no cheap request stops a thread, gets an answer much larger than itself or takes much memory",
  async () => {
    // Attack: block the service for everyone with one cheap request.
    using judge = openJudge(at);
    const all = [
      ...restRows(at),
      ...toolRows(at),
      ...(await formRows(at)),
      ...scimRows(at),
      ...oauthRows(at),
      ...mcpRows(at),
    ];
    const rows = chooseExtent<Row[]>(all, drawSample(all, SEED)).filter(({ name }) => name.includes(ONLY));
    const costs: Cost[] = [];
    for (const row of rows) {
      const cost = await judge.judge(row);
      costs.push(cost);
      if (LOG !== undefined) appendFileSync(LOG, `${JSON.stringify(cost)}\n`);
    }
    const faults = costs.flatMap((cost) => cost.faults.map((fault) => `${cost.row}: ${fault}`));
    console.info(`hostile: ${rows.length} of ${all.length} rows; HOSTILE_SEED=${SEED} repeats them`);
    report("The rows that stop a thread for longest:", ...worstRows(costs), ...faults);
    expect(faults).toEqual([]);
  },
  chooseExtent(1_800_000, 180_000),
);
