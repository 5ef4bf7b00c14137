import { sumMoments, type Moments } from "../../statistics/interval.ts";
import type { CollectPerception } from "./collect-perception.ts";
import type { QuestionInSlot } from "./group-facts-by-prompt.ts";

/** A pro or con of a brand, over the answers that name the brand. */
export interface ThemeTally {
  polarity: "pro" | "con";
  head: string;
  /** Most common wording. */
  phrase: string;
  moments: Moments;
}

interface RunningTheme {
  polarity: "pro" | "con";
  head: string;
  saidByPhrase: Map<string, number>;
  answersByPrompt: Map<number, number>;
}

export function tallyThemes(
  all: Iterable<CollectPerception>,
  brand: number,
  questions: readonly QuestionInSlot[],
): ThemeTally[] {
  const answersByPrompt = new Map<number, number>();
  const themes = new Map<string, RunningTheme>();
  for (const facts of all) {
    const { opinions, points, groups } = facts;
    const own = groups.map((group) => (group.brand === brand ? findOrAddTheme(themes, group) : undefined));
    for (const { position, prompt } of questions) {
      for (let at = opinions.rowStarts[position] ?? 0; at < (opinions.rowStarts[position + 1] ?? 0); at += 1)
        if (opinions.brands[at] === brand) addOne(answersByPrompt, prompt);
      for (let at = points.rowStarts[position] ?? 0; at < (points.rowStarts[position + 1] ?? 0); at += 1) {
        const theme = own[points.groupIndexes[at] ?? -1];
        if (theme) addOne(theme.answersByPrompt, prompt);
      }
    }
  }
  return [...themes.values()]
    .filter((theme) => theme.answersByPrompt.size > 0)
    .map(({ saidByPhrase, answersByPrompt: withTheme, ...theme }) => ({
      ...theme,
      phrase: findMostSaid(saidByPhrase),
      moments: sumMoments([...answersByPrompt].map(([prompt, n]) => ({ x: withTheme.get(prompt) ?? 0, n }))),
    }));
}

function findOrAddTheme(
  themes: Map<string, RunningTheme>,
  { polarity, head, phrase, said }: CollectPerception["groups"][number],
): RunningTheme {
  const key = `${polarity} ${head}`;
  const theme = themes.get(key) ?? { polarity, head, saidByPhrase: new Map(), answersByPrompt: new Map() };
  themes.set(key, theme);
  theme.saidByPhrase.set(phrase, (theme.saidByPhrase.get(phrase) ?? 0) + said);
  return theme;
}

function addOne(counts: Map<number, number>, prompt: number): void {
  counts.set(prompt, (counts.get(prompt) ?? 0) + 1);
}

/** Ties go to the first in alphabetical order. */
function findMostSaid(saidByPhrase: ReadonlyMap<string, number>): string {
  const [most] = [...saidByPhrase].toSorted(([a, said], [b, more]) => more - said || (a < b ? -1 : 1));
  return most?.[0] ?? "";
}
