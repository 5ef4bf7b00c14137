import { distance } from "fastest-levenshtein";
import { foldName } from "../../core/shared/names.ts";
import { kindOf, Saying, thingsIn, type Fields } from "./names.ts";
import {
  fill,
  giverOf,
  namedThings,
  parametersOf,
  saysOwn,
  takesNames,
  type Known,
  type ListedTool,
  type Parameter,
} from "./parameters.ts";
import { bm25, tellingStems } from "./words.ts";

// A fixed player in the place of a language model: it sees what `tools/list` gives and what calls answer, and nothing else.
// It tries the tools that BM25 ranks first for the question. What a tool requires comes from the question's names and from
// earlier results; what is missing is fetched first from the tool that the parameter's description names. A refusal that
// says what is allowed is tried again with the nearest spelling, and the tool that its hint names is asked.

/** One call, and what came of it. */
export interface Played {
  tool: string;
  given: Fields;
  text: string;
  isError: boolean;
  structured: unknown;
}

export interface Game {
  tools: readonly ListedTool[];
  call: (tool: string, given: Fields) => Promise<Omit<Played, "tool" | "given">>;
  /** True once the results hold what is looked for. */
  isAnswered: (played: readonly Played[]) => boolean;
}

export const MOST_CALLS = 5;
/** So many of the tools that fit best are tried. */
const MOST_TOOLS = 3;
/** Words that more than this share of the tools use name nothing. */
const COMMON = 0.1;
/** So many lists of names are read before a tool that takes names. */
const MOST_LISTS = 1;
/** A list is worth a call that tells more than the ids of one filter. */
const WORTH_READING = 2;
/** Weight of a list that says which brand is the asking person's own. */
const OWN = 50;

/** Plays a question. `before` is what the person said earlier: where they work. */
export async function play(question: string, before: string, game: Game): Promise<Played[]> {
  const turn = new Turn(question, new Saying(before, question), game);
  try {
    for (const tool of turn.ranked().slice(0, MOST_TOOLS)) await turn.use(tool);
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
  }
  return turn.played;
}

/** Thrown where the play is over. */
class Ended extends Error {}

/** The play of one question. */
class Turn {
  readonly played: Played[] = [];
  private readonly question: string;
  private readonly saying: Saying;
  private readonly game: Game;
  private readonly usable: readonly ListedTool[];
  private readonly texts: string[];
  private readonly listed: Omit<Known, "results">;

  constructor(question: string, saying: Saying, game: Game) {
    this.question = question;
    this.saying = saying;
    this.game = game;
    this.usable = game.tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
    this.texts = this.usable.map(searchText);
    const stems = this.texts.map((text) => new Set(tellingStems(text)));
    this.listed = {
      isCommon: (word) => stems.filter((one) => one.has(word)).length > COMMON * stems.length,
      kinds: new Set(this.usable.flatMap((tool) => parametersOf(tool)).map(({ key }) => kindOf(key))),
    };
  }

  /** The tools that read, those whose texts fit the question best first. */
  ranked(): ListedTool[] {
    const scores = bm25(this.texts)(this.saying.subject(this.known().kinds));
    const order = this.usable.map((tool, at) => ({ tool, score: scores[at] ?? 0 }));
    return order
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .map(({ tool }) => tool);
  }

  /** Calls a tool with what it needs; what is missing is fetched before. `under` are the tools that wait for this one. */
  async use(tool: ListedTool, under: readonly string[] = []): Promise<void> {
    if (under.includes(tool.name)) return;
    const waiting = [...under, tool.name];
    // The narrowest comes last, and its list often has the ids of what is around it.
    const required = parametersOf(tool).filter(({ isRequired }) => isRequired);
    for (const parameter of required.toReversed()) {
      const giver = this.toolNamed(giverOf(parameter));
      const isMissing = this.fill(tool).missing.some(({ key }) => key === parameter.key);
      if (isMissing && giver) await this.use(giver, waiting);
    }
    if (under.length === 0) await this.learnNames(tool, waiting);
    const { given, missing } = this.fill(tool);
    if (missing.length > 0) return;
    const last = await this.call(tool, given);
    if (last?.isError) await this.mend(tool, last, waiting);
    // Its own result may have names that the question means.
    else if (last) await this.call(tool, this.fill(tool).given);
  }

  /** Reads the lists of names that a tool's filters take, while words of the question are unexplained. */
  private async learnNames(tool: ListedTool, waiting: readonly string[]): Promise<void> {
    const givers = parametersOf(tool).flatMap((parameter) => {
      const giver = parameter.isRequired && !parameter.isList ? undefined : giverOf(parameter);
      return giver === undefined || this.played.some((one) => one.tool === giver)
        ? []
        : [{ giver, weight: this.weightOf(parameter) }];
    });
    const weigh = (name: string) => givers.reduce((sum, { giver, weight }) => sum + (giver === name ? weight : 0), 0);
    const names = [...new Set(givers.map(({ giver }) => giver))].filter((name) => weigh(name) >= WORTH_READING);
    for (const name of names.toSorted((a, b) => weigh(b) - weigh(a)).slice(0, MOST_LISTS)) {
      const giver = this.toolNamed(name);
      if (giver && (this.unexplained().length > 0 || weigh(name) >= OWN)) await this.use(giver, waiting);
    }
  }

  /** How much a list of names can help with a parameter: most where it says which brand is the asking person's own. */
  private weightOf(parameter: Parameter): number {
    return 1 + (takesNames(parameter) ? 1 : 0) + (saysOwn(parameter, this.saying) ? OWN : 0);
  }

  /** Words of the question that neither the tools' texts nor names in results explain. */
  private unexplained(): string[] {
    const { results, isCommon, kinds } = this.known();
    const things = results.flatMap(({ tool, structured }) => thingsIn(tool, structured));
    const names = namedThings(things, this.saying, isCommon).map(({ thing }) => thing.label);
    const sent = this.saying.unknownNames(things, kinds).filter(({ kind }) => kind !== undefined);
    const explained = new Set([...names, ...sent.map(({ text }) => text), ...this.texts].flatMap(tellingStems));
    return tellingStems(this.question).filter((word) => !explained.has(word));
  }

  /** Tries a refused call again, with the nearest of what is allowed, or after the tool that the hint names. */
  private async mend(tool: ListedTool, { given, text }: Played, waiting: readonly string[]): Promise<void> {
    const refusal = JSON.parse(text) as { hint?: string; fields?: { path: string; allowed?: string[] }[] };
    const nearer = structuredClone(given);
    for (const { path, allowed } of refusal.fields ?? []) {
      if (allowed === undefined) continue;
      const [key = "", at] = path.split(".");
      const value = nearer[key];
      if (Array.isArray(value)) value[Number(at)] = nearest(String(value[Number(at)]), allowed);
      else nearer[key] = nearest(String(value), allowed);
    }
    await this.call(tool, nearer);
    const helper = this.toolNamed(/\b(?:list|get)_[a-z_]+/.exec(refusal.hint ?? "")?.[0]);
    if (!helper) return;
    await this.use(helper, waiting);
    await this.call(tool, this.fill(tool).given);
  }

  /** Makes a call that was not made before, within the bound. */
  private async call(tool: ListedTool, given: Fields): Promise<Played | undefined> {
    const same = JSON.stringify(given);
    if (this.played.some((one) => one.tool === tool.name && JSON.stringify(one.given) === same)) return undefined;
    if (this.played.length === MOST_CALLS) throw new Ended();
    const played = { tool: tool.name, given, ...(await this.game.call(tool.name, given)) };
    this.played.push(played);
    if (this.game.isAnswered(this.played)) throw new Ended();
    return played;
  }

  private fill(tool: ListedTool) {
    return fill(tool, this.saying, this.known());
  }

  private known(): Known {
    return { ...this.listed, results: this.played.filter(({ isError }) => !isError) };
  }

  private toolNamed(name: string | undefined): ListedTool | undefined {
    return this.usable.find((tool) => tool.name === name);
  }
}

/** What clients that search for tools search in: the name weighs most, then the title. */
function searchText({ name, title = "", description = "", _meta = {} }: ListedTool): string {
  const hints = Object.values(_meta).filter((hint) => typeof hint === "string");
  return [name, name, title, title, description, ...hints].join(" ");
}

/** The allowed value that differs from one by the fewest letters, if few enough; otherwise the one that was given. */
function nearest(value: string, allowed: readonly string[]): string {
  const wanted = foldName(value);
  const near = allowed.map((one) => ({ one, edits: distance(wanted, foldName(one)) }));
  const best = near.toSorted((a, b) => a.edits - b.edits)[0];
  return best && best.edits <= wanted.length / 4 ? best.one : value;
}
