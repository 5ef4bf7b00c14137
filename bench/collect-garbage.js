// Loaded into each process that is measured: at SIGUSR2 it collects all garbage, so that what is left is what it holds.
import { setFlagsFromString } from "node:v8";
import { isMainThread } from "node:worker_threads";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
if (isMainThread) process.on("SIGUSR2", () => collect());
