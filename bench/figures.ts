import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startDuck, type Duck } from "./duck.ts";
import { casesOf, type Body, type Case } from "./figures-cases.ts";
import { COLLECTS, insertFigures, insertFiguresOf, loadStatements } from "./figures-scene.ts";
import { startProduct, WIDE_LIMITS, type Product } from "./product.ts";
import { readAnswer, formatNumber, lightCalls, printLightCalls, quantile } from "./light-calls.ts";

// Metrics requests over HTTP at ten million positions, compared with DuckDB summing the same rows
// on two threads.

const ROUNDS = Number(process.env["ROUNDS"] ?? 15);
const ONLY = process.env["ONLY"] ?? "";
const LIGHT_MS = 10_000;

const dir = await mkdtemp(join(tmpdir(), "visibility-figures-"));
const product = await startProduct(WIDE_LIMITS, async (db, owner) => {
  await insertFigures(db, owner);
  let places = 0;
  for (const collect of COLLECTS.keys()) places += await insertFiguresOf(db, collect, join(dir, "places.csv"));
  console.info(`${places.toLocaleString("en")} places in ${COLLECTS.length} collects`);
});
const duck = startDuck();
let missedGoals = 0;
try {
  await duck.run(loadStatements(join(dir, "places.csv")));
  await compare(product, duck);
  await measureUnderLoad(product);
} finally {
  await duck.stop();
  await product.stop();
  await rm(dir, { recursive: true });
}
process.exitCode = missedGoals === 0 ? 0 : 1;

async function compare(of: Product, against: Duck): Promise<void> {
  const cases = casesOf(of).filter(({ what }) => what.includes(ONLY));
  const times = cases.map(() => ({ first: Number.NaN, ours: [] as number[], theirs: [] as number[] }));
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [at, one] of cases.entries()) {
      // Requests without a comparison are the slowest, so they run only three rounds.
      if (one.statements.length === 0 && round > 2) continue;
      const started = performance.now();
      const body = await get(of, one.path);
      const ours = performance.now() - started;
      const time = times[at];
      if (!time) continue;
      if (round < 0) {
        time.first = ours;
        await expectSameSums(one, body, against);
      } else {
        time.ours.push(ours);
        time.theirs.push(one.statements.length === 0 ? Number.NaN : await against.run(one.statements));
      }
    }
  }
  console.info("Milliseconds: the first request, the median, DuckDB's median; how many times as fast");
  for (const [at, { what, goal }] of cases.entries()) {
    const { first = Number.NaN, ours: each, theirs: others } = times[at] ?? {};
    const [ours, theirs] = [quantile(each, 0.5), quantile(others, 0.5)];
    const ratio = theirs / ours;
    if (goal !== null && ratio < goal) missedGoals += 1;
    const verdict =
      goal === null
        ? ""
        : `${formatNumber(theirs)}  ratio ${formatNumber(ratio)}  goal ${goal}${ratio < goal ? " MISSED" : ""}`;
    console.info(`  ${what.padEnd(40)} ${formatNumber(first)} ${formatNumber(ours)}  ${verdict}`);
  }
}

/** Throws if the response differs from DuckDB. */
async function expectSameSums({ what, statements, shown, expected }: Case, body: Body, against: Duck): Promise<void> {
  if (statements.length === 0) return;
  const [ours, theirs] = [shown(body), expected(body, await against.rowsOf(statements))];
  const differs = ours.findIndex((row, at) => row !== theirs[at]);
  if (ours.length === 0 || differs >= 0) throw new Error(`${what}: ${ours[differs]} is not ${theirs[differs]}`);
}

/** Latency for another organization: idle, and while one caller requests metrics without pauses. */
async function measureUnderLoad(of: Product): Promise<void> {
  const idle = await lightCalls(of, sleep(LIGHT_MS));
  const over = new AbortController();
  const busy = (async () => {
    const cases = casesOf(of).filter(({ statements }) => statements.length > 0);
    while (!over.signal.aborted) for (const { path } of cases) await get(of, path);
  })();
  const beside = await lightCalls(of, sleep(LIGHT_MS));
  over.abort();
  await busy;
  console.info("Another organization's calls, p99 in ms: idle, beside figures; goal twice idle");
  missedGoals += printLightCalls(idle, beside);
}

async function get({ port, accessToken }: Product, path: string): Promise<Body> {
  const headers = { authorization: `Bearer ${accessToken}` };
  return JSON.parse(await readAnswer(fetch(`http://localhost:${port}${path}`, { headers }))) as Body;
}
