import { setTimeout as sleep } from "node:timers/promises";
import { WITH_WORKER } from "../support/world.ts";
import { evaluationScene, PAGE } from "./evaluation-scene.ts";
import { startJudgeServer } from "./judge-server.ts";

type Judge = Awaited<ReturnType<typeof startJudgeServer>>;

/** One text scored by a model, with two attributes. */
export async function judgeText(judge: Judge, text = PAGE) {
  await using s = await evaluationScene({ env: { ...WITH_WORKER, ...judge.env } });
  const created = await s.create([await s.addText("Page", text)], { attributes: ["durability", "price"] });
  const ended = await s.until(created.body.id);
  const [score] = await s.scores(created.body.id);
  return { ended, score, credits: await s.credits() };
}

export async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await isSo()); waited += 5) {
    if (waited > 60_000) throw new Error("it does not go on");
    await sleep(5);
  }
}
