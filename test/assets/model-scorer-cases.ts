import { setTimeout as sleep } from "node:timers/promises";
import { WITH_WORKER } from "../support/world.ts";
import { evaluating, PAGE } from "./evaluating.ts";
import { judgeServer } from "./judge-server.ts";

type Judge = Awaited<ReturnType<typeof judgeServer>>;

/** One text scored by a model, with two attributes. */
export async function judged(judge: Judge, text = PAGE) {
  await using s = await evaluating({ env: { ...WITH_WORKER, ...judge.env } });
  const created = await s.create([await s.addText("Page", text)], { attributes: ["durability", "price"] });
  const ended = await s.until(created.body.id);
  const [score] = await s.scores(created.body.id);
  return { ended, score, credits: await s.credits() };
}

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await isSo()); waited += 5) {
    if (waited > 60_000) throw new Error("it does not go on");
    await sleep(5);
  }
}
