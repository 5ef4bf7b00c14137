import { openOutside, type ProviderBehavior } from "./outside.ts";

// The simulated providers in a separate process, which prints its address and outlives the service.
// It exits with its parent.

const [habits = "", logFile = ""] = process.argv.slice(2);
const outside = await openOutside(JSON.parse(habits) as ProviderBehavior, logFile);
process.send?.(outside.url);
process.once("disconnect", () => {
  void outside[Symbol.asyncDispose]().then(() => process.exit());
});
