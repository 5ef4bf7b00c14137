import { measure } from "./load.ts";
import { startProduct, WIDE_LIMITS } from "./product.ts";

const CALLERS = 64;
const ROUNDS = 3;
const ROUND_MS = 1500;

/** How many tags a second are added, each acknowledged once it is on disk. */
export interface TagWrites {
  together: number;
  alone: number;
  /** Median over the rounds. */
  ratio: number;
  callers: number;
}

/** `POST {W}/tags` by many callers at once against one: what they gain by sharing commits. */
export async function benchTagWrites(): Promise<TagWrites> {
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
    await added(CALLERS);
    const rounds: { together: number; alone: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({ together: await added(CALLERS), alone: await added(1) });
    }
    return {
      together: median(rounds.map(({ together }) => together)),
      alone: median(rounds.map(({ alone }) => alone)),
      ratio: median(rounds.map(({ together, alone }) => together / alone)),
      callers: CALLERS,
    };
  } finally {
    await product.stop();
  }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
