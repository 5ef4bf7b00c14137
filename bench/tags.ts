import { median } from "./interleave.ts";
import { measure } from "./load.ts";
import { startProduct, WIDE_LIMITS } from "./product.ts";

const CALLERS = [1, 8, 64] as const;
const ROUNDS = 3;
const [WARM_UP_MS, ROUND_MS] = [1000, 1500];

/**
 * Tags per second added by this number of concurrent callers, each acknowledged after the commit.
 */
export interface TagWrites {
  callers: number;
  aSecond: number;
  /** Median ratio to one caller over the rounds. */
  ratio: number;
}

/**
 * `POST {W}/tags` by 1, 8 and 64 concurrent callers, alternating: the gain of shared commits. Each
 * round starts a new service, because each creation counts the organization's tags, which must stay
 * near a plan's limit.
 */
export async function benchTagWrites(): Promise<TagWrites[]> {
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await roundOf());
  return CALLERS.map((callers, at) => {
    const aSecond = median(rounds.map((each) => each[at] ?? 0));
    return { callers, aSecond, ratio: median(rounds.map((each) => (each[at] ?? 0) / (each[0] ?? 0))) };
  });
}

/** Tags per second by number of callers. */
async function roundOf(): Promise<number[]> {
  const product = await startProduct(WIDE_LIMITS);
  const load = {
    port: product.port,
    method: "POST" as const,
    path: `${product.workspacePath}/tags`,
    headers: { authorization: `Bearer ${product.accessToken}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "Autumn" }),
  };
  try {
    await measure({ ...load, connections: CALLERS[2], ms: WARM_UP_MS });
    const each: number[] = [];
    for (const connections of CALLERS)
      each.push((await measure({ ...load, connections, ms: ROUND_MS })).requestsPerSecond);
    return each;
  } finally {
    await product.stop();
  }
}
