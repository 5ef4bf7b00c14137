import { randomFrom } from "../../proofs/recompute/selections.ts";

const seed = Number(process.env["RANDOM_SEED"] ?? Date.now() % 2 ** 31);
process.stderr.write(`RANDOM_SEED=${seed}\n`);

/** Random numbers from 0 to 1; the seed is printed, or set by RANDOM_SEED. */
export const random = randomFrom(seed);
