import { median } from "./in-turn.ts";
import { measure } from "./load.ts";
import { startProduct, WIDE_LIMITS } from "./product.ts";

const CALLERS = [1, 8, 64] as const;
const ROUNDS = 3;
const ROUND_MS = 1500;

/** How many tags a second so many callers add together, each acknowledged once it is on disk. */
export interface TagWrites {
  callers: number;
  aSecond: number;
  /** To what one caller adds, median over the rounds. */
  ratio: number;
}

/** `POST {W}/tags` by 1, 8 and 64 callers at once in turns: what they gain by sharing commits. */
export async function benchTagWrites(): Promise<TagWrites[]> {
  const product = await startProduct(WIDE_LIMITS);
  const load = {
    port: product.port,
    method: "POST" as const,
    path: `${product.workspacePath}/tags`,
    headers: { authorization: `Bearer ${product.accessToken}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "Autumn" }),
    ms: ROUND_MS,
  };
  const added = async (connections: number) => (await measure({ ...load, connections })).requestsPerSecond;
  try {
    await added(CALLERS[2]);
    const rounds: number[][] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const each: number[] = [];
      for (const callers of CALLERS) each.push(await added(callers));
      rounds.push(each);
    }
    return CALLERS.map((callers, at) => {
      const aSecond = median(rounds.map((each) => each[at] ?? 0));
      return { callers, aSecond, ratio: median(rounds.map((each) => (each[at] ?? 0) / (each[0] ?? 0))) };
    });
  } finally {
    await product.stop();
  }
}
