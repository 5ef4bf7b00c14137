import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "./password.ts";

/** Power of ten; below it, a password is common or derived from the user's name. */
const MIN_GUESSES_LOG10 = 9;
/** Time grows faster than the length, and the beginning is decisive enough. */
const MAX_ESTIMATED_LENGTH = 64;
const ESTIMATION_TIMEOUT_MS = 10_000;

export interface PasswordOwner {
  email: string;
  name?: string | undefined;
}

export async function findPasswordProblem(password: string, owner: PasswordOwner): Promise<string | undefined> {
  if (password.length < PASSWORD_MIN_LENGTH || password.length > PASSWORD_MAX_LENGTH) {
    return `The password must have ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters.`;
  }
  if ((await queueEstimation(password, listPersonalWords(owner))) >= MIN_GUESSES_LOG10) return undefined;
  return "This password is easy to guess: it is common, or like your name or e-mail. Choose a few words that do not belong together.";
}

function listPersonalWords({ email, name = "" }: PasswordOwner): string[] {
  const words = [email, name, name.replaceAll(" ", ""), ...email.split(/[@.+_-]/), ...name.split(" ")];
  return [...words.filter((word) => word.length > 2), "brand", "visibility", "brandvisibility"];
}

// Estimation takes up to 100 ms of CPU and 30 MB of word lists, so it runs in a short-lived thread.
const ESTIMATOR_SCRIPT = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { ZxcvbnFactory } = require(workerData.judge);
  const { adjacencyGraphs: graphs, dictionary } = require(workerData.lists);
  parentPort.postMessage(new ZxcvbnFactory({ graphs, dictionary }).check(workerData.password, workerData.words).guessesLog10);
`;

/** Serialises estimations, so that concurrent requests cannot exhaust memory with threads. */
let lastEstimation: Promise<unknown> = Promise.resolve();

function queueEstimation(password: string, words: string[]): Promise<number> {
  const judged = lastEstimation.then(() => estimateGuessesLog10(password.slice(0, MAX_ESTIMATED_LENGTH), words));
  lastEstimation = judged.catch(() => undefined);
  return judged;
}

async function estimateGuessesLog10(password: string, words: string[]): Promise<number> {
  const require = createRequire(import.meta.url);
  const lists = require.resolve("@zxcvbn-ts/language-common");
  const workerData = { judge: require.resolve("@zxcvbn-ts/core"), lists, password, words };
  const thread = new Worker(ESTIMATOR_SCRIPT, { eval: true, workerData, env: {}, execArgv: [] });
  try {
    return await new Promise<number>((resolve, reject) => {
      const late = new Error("judging a password took too long");
      setTimeout(() => reject(late), ESTIMATION_TIMEOUT_MS).unref();
      thread.once("message", resolve).once("error", reject);
    });
  } finally {
    await thread.terminate();
  }
}
