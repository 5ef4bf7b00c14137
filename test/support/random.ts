import { randomFrom } from "../../proofs/recompute/selections.ts";

const seed = Number(process.env["RANDOM_SEED"] ?? Date.now() % 2 ** 31);
process.stderr.write(`RANDOM_SEED=${seed}\n`);

/** Numbers from 0 to 1 of the seed that this process prints, or that RANDOM_SEED gives. */
export const random = randomFrom(seed);
