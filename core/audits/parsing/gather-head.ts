import type { LinkTag, LocatedText, MetaTag } from "../parsed-page.ts";
import { parseTokens, type Gatherer, type AppendBounded } from "./gatherer.ts";

/** Head elements count anywhere in the page. */
export function gatherHead(push: AppendBounded, isSeen: () => boolean) {
  const [titles, metas, links, jsonLd]: [LocatedText[], MetaTag[], LinkTag[], LocatedText[]] = [[], [], [], []];
  const page: { language: string | null; baseHref: string | null; scriptCount: number } = {
    language: null,
    baseHref: null,
    scriptCount: 0,
  };
  let raw: LocatedText | null = null;

  let isInTitle = false;
  const readRaw = (list: LocatedText[], offset: number, isTitle = false) => {
    const own = { text: "", offset };
    raw = own;
    isInTitle = isTitle;
    return () => {
      push(list, own);
      raw = null;
    };
  };
  const gatherer: Gatherer = {
    onTagOpen({ name, offset, attributes }) {
      if (name === "html") page.language ??= attributes.get("lang")?.trim() ?? null;
      else if (name === "base") page.baseHref ??= attributes.get("href")?.trim() ?? null;
      else if (name === "title" && isSeen()) return readRaw(titles, offset, true);
      else if (name === "script") {
        if (/^\s*application\/ld\+json\b/i.test(attributes.get("type") ?? "")) return readRaw(jsonLd, offset);
        page.scriptCount += 1;
      } else if (name === "meta") {
        const named = attributes.get("name") ?? attributes.get("property") ?? attributes.get("http-equiv");
        if (named !== undefined)
          push(metas, { name: named.trim().toLowerCase(), content: attributes.get("content") ?? "", offset });
      } else if (name === "link" && attributes.has("href")) {
        const hreflang = attributes.get("hreflang") ?? null;
        const href = (attributes.get("href") ?? "").trim();
        push(links, {
          rel: parseTokens(attributes.get("rel")),
          href,
          hreflang,
          type: attributes.get("type") ?? null,
          offset,
        });
      }
      return undefined;
    },
  };
  return {
    ...gatherer,
    page,
    titles,
    metas,
    links,
    jsonLd,
    text(text: string, at: number) {
      if (raw === null) return;
      // Starts at the first text, because faults of JSON-LD have offsets relative to it.
      if (raw.text === "" && !isInTitle) raw.offset = at;
      raw.text += text;
    },
  };
}
