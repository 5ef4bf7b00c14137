import { setTimeout as sleep } from "node:timers/promises";
import { v7 as uuidv7 } from "uuid";
import { grantCredits } from "../db/credits/credits.ts";
import { addBrands, collect } from "../proofs/crowd/work.ts";
import { CONNECTIONS, median } from "./interleave.ts";
import { LIGHT_KINDS, lightCalls, quantile } from "./light-calls.ts";
import { measure } from "./load.ts";
import { startProduct, WIDE_LIMITS, type Product } from "./product.ts";

const ROUNDS = 3;
const ROUND_MS = 3000;
const BRANDS = 20;
const QUANTILES = [0.5, 0.99] as const;
/** 2,000 prompts: a few seconds of work. */
const ASKING = { keywords: 500, sources: ["ASSISTANT_A", "ASSISTANT_B", "SEARCH_A", "SEARCH_B"], runs: 1 };

/** Latency in milliseconds for a caller of a quiet organization, by kind of call and quantile. */
export interface CrowdLatency {
  what: string;
  idle: number;
  beside: number;
  /** Median ratio over the rounds. */
  ratio: number;
}

/**
 * One caller with pauses: alternately idle, and while another organization runs a collect and
 * sixteen callers.
 */
export async function benchUnderCrowd(): Promise<CrowdLatency[]> {
  const product = await startProduct(WIDE_LIMITS, (db, { organizationId }) =>
    grantCredits({ db, organizationId }, 1e6, { id: uuidv7(), at: new Date().toISOString(), note: "Bench" }),
  );
  try {
    const of = { baseUrl: `http://localhost:${product.port}` };
    const tenant = { ...product, path: product.workspacePath, toolToken: product.token };
    const owner = { ...tenant, workspaceId: "", email: "", password: "" };
    const brandId = await addBrands(of, owner, BRANDS);
    await lightCalls(product, sleep(ROUND_MS));
    const rounds: { idle: number[][]; beside: number[][] }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const idle = await lightCalls(product, sleep(ROUND_MS));
      const asked = collect(of, owner, { ...ASKING, name: `round ${round}`, brandId });
      // The analysis exists from here on.
      await asked.analysisId();
      const beside = await lightCalls(product, runCallers(product));
      await asked.ended;
      rounds.push({ idle, beside });
    }
    return LIGHT_KINDS.flatMap((kind, at) =>
      QUANTILES.map((part) => {
        const each = rounds.map(({ idle, beside }) => [quantile(idle[at], part), quantile(beside[at], part)] as const);
        const [idle, beside] = [median(each.map(([one]) => one)), median(each.map(([, one]) => one))];
        const ratio = median(each.map(([alone, now]) => now / alone));
        return { what: `${kind}, p${part * 100}`, idle, beside, ratio };
      }),
    );
  } finally {
    await product.stop();
  }
}

function runCallers({ port, workspacePath, accessToken }: Product): Promise<unknown> {
  const headers = { accept: "application/json", authorization: `Bearer ${accessToken}` };
  const request = { method: "GET" as const, path: `${workspacePath}/brands`, body: "", headers };
  return measure({ ...request, port, connections: CONNECTIONS, ms: ROUND_MS });
}
