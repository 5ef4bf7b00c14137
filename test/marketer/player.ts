import { distance } from "fastest-levenshtein";
import { foldName } from "../../core/shared/names.ts";
import { kindOf, Utterance, listItems, type Fields } from "./names.ts";
import {
  fillArguments,
  valueToolOf,
  findNamedItems,
  listParameters,
  asksForOwnBrand,
  takesNames,
  type PlayerKnowledge,
  type ListedTool,
  type Parameter,
} from "./parameters.ts";
import { bm25, contentStems } from "./words.ts";

// A deterministic player in place of a language model. It sees only `tools/list` and results. It
// tries the tools that BM25 ranks first for the question. Required values come from names in the
// question or earlier results; missing ones are fetched from the tool named in the description.
// Rejections with allowed values are retried with the nearest spelling, and hinted tools are
// called.

/** Parameters whose names do not say that the next word is a name. */
const PREPOSITIONS = new Set(["since", "until"]);

/** A call with its result. */
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
  /** True once results contain the answer. */
  isAnswered: (played: readonly Played[]) => boolean;
}

export const MAX_CALLS = 5;
/** Max tools tried, best first. */
const MAX_TOOLS = 3;
/** Share of tools above which a word identifies none. */
const MAX_COMMON_SHARE = 0.1;
/** Max lists of names read before a tool that accepts names. */
const MAX_LISTS = 1;
/** Min weight of a list worth a call: more than the ids of one filter. */
const MIN_LIST_VALUE = 2;
/** Weight of a list that shows the person's own brand. */
const OWN_BRAND_WEIGHT = 50;

/** Plays a question. `before` is the person's earlier statement about their workspace. */
export async function play(question: string, before: string, game: Game): Promise<Played[]> {
  const turn = new Turn(question, new Utterance(before, question), game);
  try {
    for (const tool of turn.ranked().slice(0, MAX_TOOLS)) await turn.use(tool);
  } catch (error) {
    if (!(error instanceof PlayEnded)) throw error;
  }
  return turn.played;
}

/** Thrown where the play is over. */
class PlayEnded extends Error {}

class Turn {
  readonly played: Played[] = [];
  /** Values for missing parameters that earlier rejections listed, by key and description. */
  private readonly chosen = new Map<string, unknown>();
  private readonly question: string;
  private readonly saying: Utterance;
  private readonly game: Game;
  private readonly usable: readonly ListedTool[];
  private readonly texts: string[];
  private readonly listed: Omit<PlayerKnowledge, "results">;

  constructor(question: string, saying: Utterance, game: Game) {
    this.question = question;
    this.saying = saying;
    this.game = game;
    this.usable = game.tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
    this.texts = this.usable.map(searchText);
    const stems = this.texts.map((text) => new Set(contentStems(text)));
    this.listed = {
      isCommon: (word) => stems.filter((one) => one.has(word)).length > MAX_COMMON_SHARE * stems.length,
      kinds: new Set(
        this.usable
          .flatMap((tool) => listParameters(tool))
          .flatMap(({ key }) => (PREPOSITIONS.has(key) ? [] : kindOf(key))),
      ),
    };
  }

  /** Read-only tools, best match first. */
  ranked(): ListedTool[] {
    const scores = bm25(this.texts)(this.saying.subject(this.known().kinds));
    const order = this.usable.map((tool, at) => ({ tool, score: scores[at] ?? 0 }));
    return order
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .map(({ tool }) => tool);
  }

  /** Calls a tool, fetching missing values first. `under` has the tools waiting for this one. */
  async use(tool: ListedTool, under: readonly string[] = []): Promise<void> {
    if (under.includes(tool.name)) return;
    const waiting = [...under, tool.name];
    // The narrowest comes last, and its list often has the ids around it.
    const required = listParameters(tool).filter(({ isRequired }) => isRequired);
    for (const parameter of required.toReversed()) {
      const giver = this.toolNamed(valueToolOf(parameter));
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

  /**
   * Reads the lists of names that a tool's filters take, while words of the question are
   * unexplained.
   */
  private async learnNames(tool: ListedTool, waiting: readonly string[]): Promise<void> {
    const givers = listParameters(tool).flatMap((parameter) => {
      const giver = parameter.isRequired && !parameter.isList ? undefined : valueToolOf(parameter);
      return giver === undefined || this.played.some((one) => one.tool === giver)
        ? []
        : [{ giver, weight: this.weightOf(parameter) }];
    });
    const weigh = (name: string) => givers.reduce((sum, { giver, weight }) => sum + (giver === name ? weight : 0), 0);
    const names = [...new Set(givers.map(({ giver }) => giver))].filter((name) => weigh(name) >= MIN_LIST_VALUE);
    for (const name of names.toSorted((a, b) => weigh(b) - weigh(a)).slice(0, MAX_LISTS)) {
      const giver = this.toolNamed(name);
      if (giver && (this.unexplained().length > 0 || weigh(name) >= OWN_BRAND_WEIGHT)) await this.use(giver, waiting);
    }
  }

  /** Usefulness of a list of names for a parameter, highest if it shows the own brand. */
  private weightOf(parameter: Parameter): number {
    return 1 + (takesNames(parameter) ? 1 : 0) + (asksForOwnBrand(parameter, this.saying) ? OWN_BRAND_WEIGHT : 0);
  }

  /** Words of the question that neither the tools' texts nor names in results explain. */
  private unexplained(): string[] {
    const { results, isCommon, kinds } = this.known();
    const things = results.flatMap(({ tool, structured }) => listItems(tool, structured));
    const names = findNamedItems(things, this.saying, isCommon).map(({ thing }) => thing.label);
    const sent = this.saying.unknownNames(things, kinds).filter(({ kind }) => kind !== undefined);
    const explained = new Set([...names, ...sent.map(({ text }) => text), ...this.texts].flatMap(contentStems));
    return contentStems(this.question).filter((word) => !explained.has(word));
  }

  /** Retries a rejected call with the nearest allowed value, or after the hinted tool. */
  private async mend(tool: ListedTool, { given, text }: Played, waiting: readonly string[]): Promise<void> {
    const refusal = JSON.parse(text) as { hint?: string; fields?: { path: string; allowed?: string[] }[] };
    const nearer = structuredClone(given);
    for (const { path, allowed } of refusal.fields ?? []) {
      if (allowed === undefined) continue;
      const [key = "", at] = path.split(".");
      const value = nearer[key];
      if (value === undefined) {
        nearer[key] = allowed.find((name) => this.saying.find(name) !== -1) ?? allowed[0];
        const parameter = listParameters(tool).find((one) => one.key === key);
        this.chosen.set(`${key}: ${parameter?.description}`, nearer[key]);
      } else if (Array.isArray(value)) value[Number(at)] = nearest(String(value[Number(at)]), allowed);
      else if (typeof value === "string") nearer[key] = nearest(value, allowed);
    }
    await this.call(tool, nearer);
    const helper = this.toolNamed(/\b(?:list|get)_[a-z_]+/.exec(refusal.hint ?? "")?.[0]);
    if (!helper) return;
    await this.use(helper, waiting);
    await this.call(tool, this.fill(tool).given);
  }

  /** Makes a new call within the limit. */
  private async call(tool: ListedTool, given: Fields): Promise<Played | undefined> {
    const same = JSON.stringify(given);
    if (this.played.some((one) => one.tool === tool.name && JSON.stringify(one.given) === same)) return undefined;
    if (this.played.length === MAX_CALLS) throw new PlayEnded();
    const played = { tool: tool.name, given, ...(await this.game.call(tool.name, given)) };
    this.played.push(played);
    if (this.game.isAnswered(this.played)) throw new PlayEnded();
    return played;
  }

  private fill(tool: ListedTool) {
    const { given, missing } = fillArguments(tool, this.saying, this.known());
    const chosen = listParameters(tool).flatMap(({ key, description }) => {
      const value = this.chosen.get(`${key}: ${description}`);
      return value === undefined ? [] : [[key, value]];
    });
    return { given: { ...(Object.fromEntries(chosen) as Fields), ...given }, missing };
  }

  private known(): PlayerKnowledge {
    return { ...this.listed, results: this.played.filter(({ isError }) => !isError) };
  }

  private toolNamed(name: string | undefined): ListedTool | undefined {
    return this.usable.find((tool) => tool.name === name);
  }
}

/** Search text as in clients: the name has most weight, then the title. */
function searchText({ name, title = "", description = "", _meta = {} }: ListedTool): string {
  const hints = Object.values(_meta).filter((hint) => typeof hint === "string");
  return [name, name, title, title, description, ...hints].join(" ");
}

/** Nearest allowed value by edit distance, if near enough; else the value. */
function nearest(value: string, allowed: readonly string[]): string {
  const wanted = foldName(value);
  const near = allowed.map((one) => ({ one, edits: distance(wanted, foldName(one)) }));
  const best = near.toSorted((a, b) => a.edits - b.edits)[0];
  return best && best.edits <= wanted.length / 4 ? best.one : value;
}
