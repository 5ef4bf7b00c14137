import { simulated } from "../src/outside/sources/simulated/simulated.ts";
import { waitForAnswer } from "../test/providers/ask-provider.ts";
import { brand } from "../test/measurement/brands.ts";

export interface SimulationRow {
  brands: number;
  microsecondsPerAnswer: number;
  /** Ratio to the smallest catalog's time. */
  ratio: number;
}

const SIZES = [20, 200, 2_000];
const [ROUNDS, ANSWERS] = [9, 200];

/** Cost of a simulated answer with growing catalogs; medians of interleaved rounds. */
export async function benchSimulation(): Promise<SimulationRow[]> {
  const provider = simulated.open({}, { concurrency: 1 });
  if (!provider) throw new Error("simulation is off");
  const catalogs = SIZES.map((size) =>
    Array.from({ length: size }, (_, nth) => brand(`Quell${nth}or`, { domains: [`quell-${nth}.test`] })),
  );
  const costs = SIZES.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [place, brands] of catalogs.entries()) {
      const started = performance.now();
      for (let nth = 0; nth < ANSWERS; nth++) {
        const asked = {
          source: "ASSISTANT_A" as const,
          run: 1,
          collectNumber: 1,
          thematic: "T",
          topic: "T",
          persona: null,
        };
        const prompt = `the best one for purpose ${round} ${nth}`;
        await waitForAnswer(provider, { ...asked, prompt, country: "US", language: "en", brands });
      }
      costs[place]?.push(((performance.now() - started) * 1000) / ANSWERS);
    }
  }
  const medians = costs.map((each) => each.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN);
  return SIZES.map((size, place) => {
    const cost = medians[place] ?? Number.NaN;
    return { brands: size, microsecondsPerAnswer: cost, ratio: cost / (medians[0] ?? Number.NaN) };
  });
}
