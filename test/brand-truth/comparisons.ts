import { isResultPageSource } from "../../core/sources/sources.ts";
import { changeBetween, ratio, createShare, judgeChanges, roundToSixDigits, type ValuedAnswer } from "./figures.ts";
import { isNamed, stanceOf } from "./perception.ts";
import { OWN, RIVALS, type AskedQuestion, type BrandTruth, type TrueAnswer } from "./scene.ts";
import { sortAnswers, isUnsolicited, selectParts, type Part, type Request } from "./selection.ts";

/** Names of the world's aspects: head nouns, since none is an attribute of the setup. */
const NAMES: Readonly<Record<string, string>> = { "warm-up": "warm-up", pump: "pump", "steam wand": "wand" };
const STANCES = ["winner", "recommended", "caveated", "mentioned", "discouraged"];

type Brand = Part["brand"];
type Preference = "wins" | "losses" | "both";
const VALUES: Readonly<Record<Preference, number>> = { wins: 1, losses: 0, both: 0.5 };

/** A row without metrics: its answers, rival and aspect. */
interface Compared {
  part: Part;
  rival: Brand;
  /** Undefined where every aspect counts. */
  aspect: string | null | undefined;
  fair: TrueAnswer[];
}

/** Expected response of comparisons, optionally by aspect. */
export function expectedComparisons(s: BrandTruth, request: Request, isByAspect = false) {
  const own = s.brands.find(({ name }) => name === OWN);
  if (!own) throw new Error("no own brand");
  const parts = selectParts(s, { ...request, groupBy: request.groupBy.filter((one) => one !== "brand") });
  const rivals = RIVALS.flatMap((name) => s.brands.filter((brand) => brand.name === name));
  const compared = parts.flatMap((part) =>
    rivals.flatMap((rival): Compared[] => {
      const fair = sortAnswers(s, fairIn(part.current, own, rival));
      if (!isByAspect) return [{ part, rival, aspect: undefined, fair }];
      const aspects = [...new Set(fair.flatMap((answer) => aspectsIn(answer, own, rival)))];
      const sorted = aspects.toSorted((a, b) => ((a ?? "") < (b ?? "") ? -1 : 1));
      return sorted.map((aspect) => ({ part, rival, aspect, fair }));
    }),
  );
  const changes = compared.map(({ part: { current, before }, rival, aspect }) => {
    const value = (answer: TrueAnswer) => valueOf(preferenceIn(answer, [own, rival], aspect));
    const sides = [fairIn(before ?? [], own, rival), fairIn(current, own, rival)] as const;
    return before && changeBetween(sides, { value, isShare: true, isAlone: false });
  });
  const rows = compared.map((one, at) => ({
    part: one.part,
    row: { ...rowOf(one, own), change: judgeChanges(changes, one.part.against)[at] },
  }));
  return parts.flatMap((part) =>
    rows
      .filter((one) => one.part === part)
      .toSorted((a, b) => (a.row.win_rate ?? 2) - (b.row.win_rate ?? 2))
      .map(({ row }) => row),
  );
}

/**
 * Answers to prompts that name both or neither of two, and ask for neither pros nor cons, nor for
 * an invented name.
 */
function fairIn(answers: readonly TrueAnswer[], own: Brand, rival: Brand): TrueAnswer[] {
  return answers.filter((answer) => {
    const { kind, brandId, otherBrandId } = answer.question.asked;
    // Result pages have no opinions.
    if (!isUnsolicited(answer) || isResultPageSource(answer.source)) return false;
    return kind === "comparison" ? otherBrandId === rival.id : brandId !== own.id && brandId !== rival.id;
  });
}

function nameOf(aspect: string | null): string | null {
  return aspect === null ? null : (NAMES[aspect] ?? `unknown: ${aspect}`);
}

/** Aspects in which an answer compares two brands. */
function aspectsIn({ truth }: TrueAnswer, own: Brand, rival: Brand): (string | null)[] {
  const pair = new Set([own.id, rival.id]);
  const said = truth.perception?.comparisons ?? [];
  return said.filter(({ better, worse }) => pair.has(better) && pair.has(worse)).map(({ aspect }) => nameOf(aspect));
}

function preferenceIn(
  { truth }: TrueAnswer,
  [own, rival]: readonly [Brand, Brand],
  wanted: string | null | undefined,
): Preference | undefined {
  const said = (truth.perception?.comparisons ?? []).filter(({ aspect }) => nameOf(aspect) === (wanted ?? null));
  const isOf = ({ better, worse, isDraw }: (typeof said)[number], preferred: Brand, other: Brand) =>
    (better === preferred.id && worse === other.id) || (isDraw && better === other.id && worse === preferred.id);
  const wins = said.some((one) => isOf(one, own, rival));
  const loses = said.some((one) => isOf(one, rival, own));
  if (wins && loses) return "both";
  if (wins) return "wins";
  return loses ? "losses" : undefined;
}

function valueOf(preference: Preference | undefined): number | undefined {
  return preference && VALUES[preference];
}

function preferring(
  answers: readonly TrueAnswer[],
  pair: readonly [Brand, Brand],
  aspect?: string | null,
): ValuedAnswer[] {
  return answers.flatMap((answer) => {
    const value = valueOf(preferenceIn(answer, pair, aspect));
    return value === undefined ? [] : [{ answer, value }];
  });
}

function rateOf(valued: readonly ValuedAnswer[]): number | null {
  return ratio(
    valued.reduce((sum, { value }) => sum + value, 0),
    valued.length,
  );
}

function rowOf({ part, rival, aspect, fair }: Compared, own: Brand) {
  const pair = [own, rival] as const;
  const { brand_id: _id, is_my_brand: _mine, ...names } = part.names;
  const preferred = preferring(fair, pair, aspect);
  const { interval, grade, prompts } = createShare(preferred, part.sources);
  return {
    ...names,
    rival: rival.name,
    rival_id: rival.id,
    ...countsOf(preferred),
    answers: preferred.length,
    prompts,
    win_rate: rateOf(preferred),
    ci_low: interval && roundToSixDigits(interval.low),
    ci_high: interval && roundToSixDigits(interval.high),
    grade,
    ...(aspect === undefined ? wholeOf(fair, pair) : { aspect }),
    quotations: quotationsOf(fair, pair, aspect),
  };
}

function countsOf(valued: readonly ValuedAnswer[]) {
  const count = (which: number) => valued.filter(({ value }) => value === which).length;
  return { wins: count(1), losses: count(0), both: count(0.5) };
}

/** Metrics of the whole pair only. */
function wholeOf(fair: readonly TrueAnswer[], [own, rival]: readonly [Brand, Brand]) {
  const both = fair
    .filter((answer) => isNamed(answer, own.id) && isNamed(answer, rival.id))
    .map((answer): ValuedAnswer => {
      const [mine, theirs] = [own, rival].map(({ id }) => STANCES.indexOf(stanceOf(answer, id)));
      return { answer, value: mine === theirs ? 0.5 : Number((mine ?? 0) < (theirs ?? 0)) };
    });
  const placeOf = ({ name }: Brand, { text }: AskedQuestion) => text.indexOf(name);
  const asking = fair.filter(({ question }) => question.asked.kind === "comparison");
  const ordered = (isOwnFirst: boolean) =>
    preferring(
      asking.filter(({ question }) => placeOf(own, question) < placeOf(rival, question) === isOwnFirst),
      [own, rival],
    );
  const aspects = new Set(fair.flatMap((answer) => aspectsIn(answer, own, rival)));
  const without = fair.filter((answer) => preferenceIn(answer, [own, rival], undefined) === undefined);
  const named = without.filter((answer) => isNamed(answer, own.id) && isNamed(answer, rival.id));
  const compared = named.filter((answer) => aspectsIn(answer, own, rival).length > 0);
  const missing = without.filter((answer) => asking.includes(answer) && !named.includes(answer));
  return {
    no_preference: named.length + missing.length,
    brand_missing: missing.length,
    aspects_only: compared.length,
    no_pick: named.length - compared.length,
    stance_answers: both.length,
    stance_rate: rateOf(both),
    first_answers: ordered(true).length,
    first_rate: rateOf(ordered(true)),
    second_answers: ordered(false).length,
    second_rate: rateOf(ordered(false)),
    aspects: [...aspects]
      .flatMap((aspect) => (aspect === null ? [] : [{ aspect, valued: preferring(fair, [own, rival], aspect) }]))
      .toSorted((a, b) => b.valued.length - a.valued.length || (a.aspect < b.aspect ? -1 : 1))
      .slice(0, 5)
      .map(({ aspect, valued }) => ({ aspect, ...countsOf(valued) })),
  };
}

/** First sentence that prefers each brand, in order of occurrence. */
function quotationsOf(fair: readonly TrueAnswer[], [own, rival]: readonly [Brand, Brand], wanted?: string | null) {
  const found = [
    { better: own, worse: rival },
    { better: rival, worse: own },
  ].flatMap(({ better, worse }) => {
    const isIt = (one: { better: number; worse: number; aspect: string | null }) =>
      one.better === better.number && one.worse === worse.number && nameOf(one.aspect) === (wanted ?? null);
    const at = fair.findIndex((answer) => preferenceIn(answer, [better, worse], wanted) === "wins");
    const { stored, source } = fair[at] ?? {};
    const span = stored?.perception?.comparisons.find(isIt);
    if (!span) return [];
    const { aspect, start, end } = span;
    const text = stored?.text.slice(start, end);
    return [{ at, quotation: { preferred: better.name, aspect, answer_id: stored?.id, source, start, end, text } }];
  });
  return found.toSorted((a, b) => a.at - b.at).map(({ quotation }) => quotation);
}
