import { openOutside, type Habits } from "./outside.ts";

// The outside world as a process of its own, which says its address and outlives the service. It ends with what started it.

const [habits = "", logFile = ""] = process.argv.slice(2);
const outside = await openOutside(JSON.parse(habits) as Habits, logFile);
process.send?.(outside.url);
process.once("disconnect", () => {
  void outside[Symbol.asyncDispose]().then(() => process.exit());
});
