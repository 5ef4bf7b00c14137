/** Numbers from a seed, 0 up to `below`. */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
type Draw = ReturnType<typeof seeded>;

const WORDS =
  "the a kettle water boils of in and litre steel that minutes with for limescale filter handle it is energy less than stove price warranty quiet kitchen temperature cup tea coffee which every can".split(
    " ",
  );

const wordsOf = (draw: Draw, count: number) => Array.from({ length: count }, () => WORDS[draw(WORDS.length)]).join(" ");
function sentencesOf(draw: Draw, count: number): string {
  return Array.from({ length: count }, () => {
    const figure = draw(6) === 0 ? ` in ${1 + draw(9)} minutes for ${10 + draw(90)} &euro;` : "";
    return `${wordsOf(draw, 8 + draw(14)).replace(/^./, (first) => first.toUpperCase())}${figure}.`;
  }).join(" ");
}
const linkOf = (draw: Draw) =>
  `<a href="/${wordsOf(draw, 2).replace(" ", "-")}?a=${draw(99)}&amp;b=1">${wordsOf(draw, 3)}</a>`;

const MAKE: Readonly<Record<string, (draw: Draw) => string>> = {
  article: (draw) =>
    [
      `<h2>${draw(2) ? "How " : ""}${wordsOf(draw, 5)}${draw(2) ? "?" : ""}</h2>`,
      ...Array.from(
        { length: 3 },
        () => `<p>${sentencesOf(draw, 4)} <em>${wordsOf(draw, 2)}</em> ${linkOf(draw)}</p>\n`,
      ),
      `<ul>${Array.from({ length: 4 }, () => `<li>${sentencesOf(draw, 1)}</li>`).join("\n")}</ul>`,
      `<blockquote>${sentencesOf(draw, 2)}<cite>Ann Lee</cite></blockquote>`,
      `<figure><img src="/i/${draw(999)}.webp" alt="${wordsOf(draw, 4)}" width="640" height="480" loading="lazy"></figure>`,
    ].join("\n"),
  product: (draw) =>
    [
      `<section class="specs" id="s${draw(999)}"><h3>${wordsOf(draw, 3)}</h3><table class="table table--striped">`,
      ...Array.from(
        { length: 12 },
        () => `<tr><th scope="row">${wordsOf(draw, 2)}</th><td>${draw(999)} W</td><td>${draw(99)},99 €</td></tr>`,
      ),
      `</table><p>${sentencesOf(draw, 2)}</p><div itemscope itemtype="https://schema.org/Review"><span itemprop="author">Ann</span>`,
      `<p itemprop="reviewBody">${sentencesOf(draw, 3)}</p></div></section>`,
    ].join("\n"),
  tags: (draw) =>
    Array.from(
      { length: 8 },
      () =>
        `<div class="col col-${draw(12)} px-4 flex" data-id="${draw(9999)}"><div class="card"><div class="card-body"><span class="badge">${wordsOf(draw, 1)}</span><a class="link" href="/p/${draw(9999)}" rel="nofollow"><span><i class="icon" aria-hidden="true"></i><b>${wordsOf(draw, 2)}</b></span></a><div><span>${draw(99)} €</span><svg viewBox="0 0 16 16"><path d="M0 0h16v16H0z"/></svg></div></div></div></div>`,
    ).join("\n"),
};
export const PAGE_KINDS = Object.keys(MAKE);

const HEAD = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Kettles compared</title>
<meta name="description" content="Which kettle boils a litre of water fastest, and what it costs."><meta name="viewport" content="width=device-width">
<meta property="og:title" content="Kettles"><link rel="canonical" href="https://www.example.com/kettles"><style>body{margin:0}</style>
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","datePublished":"2026-01-02","author":{"@type":"Person","name":"Ann Lee"}}</script>
</head><body><header><nav><ul>`;

export function seededPage(kind: string, seed: number, length: number): string {
  const draw = seeded(seed);
  const make = MAKE[kind];
  if (!make) throw new Error(`no pages of kind ${kind}`);
  const menu = Array.from({ length: 30 }, () => `<li>${linkOf(draw)}</li>`).join("");
  const parts = [`${HEAD}${menu}</ul></nav></header><main><h1>Kettles</h1><p>${sentencesOf(draw, 2)}</p>`];
  for (let size = parts[0]?.length ?? 0; size < length; size += parts.at(-1)?.length ?? 0) parts.push(make(draw));
  return `${parts.join("\n")}</main><footer>${menu}</footer><script>window.a=1</script></body></html>`;
}

const TAGS =
  "p div span ul ol li h2 h3 b i section article dl dt dd pre blockquote button table tr td th caption".split(" ");

/** A page of random tags, most of them unclosed. */
export function brokenPage(draw: Draw): string {
  return Array.from({ length: 4 + draw(14) }, (_, at) => {
    const [what, tag] = [draw(10), TAGS[draw(TAGS.length)]];
    if (what < 4) return `<${tag}>`;
    return what < 6 ? `</${tag}>` : ` w${at} `;
  }).join("");
}
