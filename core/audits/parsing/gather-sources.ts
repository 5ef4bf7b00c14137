import type { ParsedPage } from "../parsed-page.ts";
import type { PageText, ReadRange, TextRange } from "./gather-text.ts";
import { parseTokens, type Gatherer, type AppendBounded } from "./gatherer.ts";
import type { Tag } from "./element-stack.ts";

interface Spot extends TextRange {
  offset: number;
}
interface GatheredQuote extends Spot {
  isInline: boolean;
  cite: string | null;
  source: TextRange | null;
}

const MAX_NAME_LENGTH = 200;
const MAX_QUOTE_LENGTH = 2000;
const BYLINE_CLASS_PATTERN = /(?:^|[\s_-])(?:author|byline)(?:[\s_-]|$)/i;

/** Gathers only the outermost of nested elements. */
export function gatherSources(text: PageText, push: AppendBounded) {
  const times: (Spot & { datetime: string | null })[] = [];
  const [bylines, quotes]: [Spot[], GatheredQuote[]] = [[], []];
  let [isInTime, isInByline] = [false, false];
  let quote: GatheredQuote | null = null;
  /** The last ended quote: a figure caption, or a cite right after, names its source. */
  let ended: { quote: GatheredQuote; visibleTextCount: number; isInFigure: boolean } | null = null;
  let figures = 0;

  const spot = (offset: number): Spot => ({ from: text.length(), to: text.length(), offset });
  const closeRange = (range: TextRange) => {
    range.to = text.length();
  };
  function openTime({ offset, attributes }: Tag) {
    const time = { ...spot(offset), datetime: attributes.get("datetime")?.trim() ?? null };
    push(times, time);
    isInTime = true;
    return () => {
      isInTime = false;
      closeRange(time);
    };
  }
  function openByline({ offset }: Tag) {
    const byline = spot(offset);
    push(bylines, byline);
    isInByline = true;
    return () => {
      isInByline = false;
      closeRange(byline);
    };
  }
  function openQuote({ name, offset, attributes }: Tag) {
    const own: GatheredQuote = {
      ...spot(offset),
      isInline: name === "q",
      cite: attributes.get("cite")?.trim() ?? null,
      source: null,
    };
    push(quotes, own);
    quote = own;
    return () => {
      quote = null;
      if (figures === 0 || !ended?.isInFigure)
        ended = { quote: own, visibleTextCount: text.solid(), isInFigure: figures > 0 };
      closeRange(own);
    };
  }
  function openSource(of: GatheredQuote) {
    const range = spot(0);
    of.source = range;
    return () => closeRange(range);
  }
  /** Undefined for other elements, and for those without a quote. */
  function findQuote(name: string): GatheredQuote | undefined {
    if (name !== "cite" && name !== "footer" && name !== "figcaption") return undefined;
    const isAfter = ended && (ended.isInFigure || (name === "cite" && ended.visibleTextCount === text.solid()));
    const of = quote ?? (isAfter ? ended?.quote : undefined);
    return of?.source === null ? of : undefined;
  }
  function openOwn(tag: Tag) {
    const { name } = tag;
    if ((name === "blockquote" || name === "q") && !quote) return openQuote(tag);
    if (name === "figure" && !quote) {
      ended = null;
      figures += 1;
      return () => {
        ended = null;
        figures -= 1;
      };
    }
    const of = findQuote(name);
    if (of) return openSource(of);
    return name === "time" && !isInTime ? openTime(tag) : undefined;
  }
  const gatherer: Gatherer = {
    onTagOpen(tag) {
      if (!text.isSeen()) return undefined;
      const own = openOwn(tag);
      const byline = !isInByline && isByline(tag) ? openByline(tag) : undefined;
      return own && byline
        ? () => {
            own();
            byline();
          }
        : (own ?? byline);
    },
  };
  return {
    ...gatherer,
    /** Call it after the whole HTML was walked. */
    gathered(read: ReadRange): Pick<ParsedPage, "times" | "quotes" | "bylines"> {
      return {
        times: times.map(({ offset, datetime, ...range }) => ({
          datetime,
          text: read(range, MAX_NAME_LENGTH),
          offset,
        })),
        bylines: bylines.map(({ offset, ...range }) => ({ text: read(range, MAX_NAME_LENGTH), offset })),
        quotes: quotes.map(({ offset, isInline, cite, source, ...range }) => {
          const named = source ? read(source, MAX_NAME_LENGTH) : "";
          return {
            text: read(range, MAX_QUOTE_LENGTH),
            offset,
            isInline,
            attribution: named === "" ? cite : named,
            isInMain: false,
          };
        }),
      };
    },
  };
}

function isByline({ name, attributes }: Tag): boolean {
  if (attributes.size === 0 || name === "meta" || name === "link") return false;
  return (
    (name === "a" && parseTokens(attributes.get("rel")).includes("author")) ||
    parseTokens(attributes.get("itemprop")).includes("author") ||
    BYLINE_CLASS_PATTERN.test((attributes.get("class") ?? "").slice(0, 500))
  );
}
