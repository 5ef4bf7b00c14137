import type { PageReading } from "./parse5/reference.ts";

const NOTHING: PageReading = { titles: [], headings: [], links: [], tables: [], lists: [], text: "" };
const read = (found: Partial<PageReading>): PageReading => ({ ...NOTHING, ...found });

/**
 * Invalid HTML, and how browsers parse it. `npm run proof -- audit:speed` compares these with
 * parse5.
 */
export const BROKEN_PAGES: readonly (readonly [title: string, html: string, reading: PageReading])[] = [
  ["without html, head and body", "<title>A</title><p>b", read({ titles: ["A"], text: "b" })],
  ["whose body is ended twice", "<body><p>a</body></html><p>b</body>", read({ text: "ab" })],
  ["with paragraphs that are not ended", "<p>a<p>b<div>c<p>d</div>e</p>f", read({ text: "abcdef" })],
  ["with items that are not ended", "<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", read({ lists: [3, 1], text: "abcd" })],
  ["with items in no list", "<li>a<li>b", read({ text: "ab" })],
  ["with terms that are not ended", "<dl><dt>a<dd>b<dt>c<dd>d</dl>", read({ text: "abcd" })],
  ["with cells that are not ended", "<table><tr><td>a<td>b<tr><td>c</table>d", read({ tables: ["2 2"], text: "abcd" })],
  ["with cells without rows", "<table><td>a<td>b<tr><td>c</table>", read({ tables: ["2 2"], text: "abc" })],
  ["with parts of a table alone", "<tr><td>a</td></tr><p>b", read({ text: "ab" })],
  [
    "with a table in a cell",
    "<table><tr><td>a<table><tr><td>b<td>c</table><td>d</table>",
    read({ tables: ["1 2", "1 2"], text: "abcd" }),
  ],
  [
    "with a table in a table",
    "<table><tr><td>a</td><table><tr><td>b</table>",
    read({ tables: ["1 1", "1 1"], text: "ab" }),
  ],
  [
    "with end tags in a cell",
    "<div><table><tr><td>a</div></p></table>b</div>c",
    read({ tables: ["1 1"], text: "abc" }),
  ],
  ["with a heading that another one ends", "<h2>a<h3>b</h2>c</h3>d", read({ headings: ["2 a", "3 b"], text: "abcd" })],
  ["with the wrong end of a heading", "<h2>a</h3><p>b", read({ headings: ["2 a"], text: "ab" })],
  ["with links that are not ended", "<p><a href=1>a<a href=2>b</a>c", read({ links: ["1 a", "2 b"], text: "abc" })],
  [
    "with a link around blocks",
    "<a href=1><h2>a</h2><p>b</p></a>c",
    read({ headings: ["2 a"], links: ["1 ab"], text: "abc" }),
  ],
  ["with crossed formatting", "<p><b>a<i>b</b>c</i>d", read({ text: "abcd" })],
  ["with a div that a span's end does not end", "<span><div>a</span>b</div>c", read({ text: "abc" })],
  ["with end tags of nothing", "</div></p></span></br>a</li>", read({ text: "a" })],
  ["with elements that end themselves", "<div/>a<p/>b<br/>c", read({ text: "abc" })],
  ["with a form in a form", "<form><form>a</form>b</form>c", read({ text: "abc" })],
  ["with a button in a button", "<button>a<button>b</button>c", read({ text: "abc" })],
  ["with entities", "<p>&lt;b&gt; &amp &copy; &#x41;&#66; &nope; &notin; A&B", read({ text: "<b>&©AB&nope;∉A&B" })],
  ["with entities in attributes", '<a href="?a=1&copy=2&amp;b">x', read({ links: ["?a=1&copy=2&b x"], text: "x" })],
  ["with attributes twice", "<a href=1 HREF=2>x", read({ links: ["1 x"], text: "x" })],
  ["with a tag that is not ended", "<p>a</p><a href='b", read({ text: "a" })],
  ["with comments", "<p>a<!-- <p>b --><!-->c<!--->d<!-- e --!>f", read({ text: "acdf" })],
  ["with declarations", "<?xml version='1.0'?><!DOCTYPE html><p>a<![CDATA[b]]>c", read({ text: "ac" })],
  ["with tags in scripts and styles", "<script>'<p>a</p><!--'</script><style><p></style><p>b", read({ text: "b" })],
  ["with tags in a title", "<title>a<b>c</title><p>d", read({ titles: ["a<b>c"], text: "d" })],
  ["with tags in a text field", "<textarea><p>a</textarea><p>b", read({ text: "b" })],
  ["with broken tags in noscript", "<div><noscript></div><p>a</noscript>b</div>c", read({ text: "bc" })],
  ["with a template", "<template><tr><td>a</template><p>b", read({ text: "b" })],
  ["with a drawing that is not ended", "<svg><g><path/><text>a<p>b", read({ text: "b" })],
  [
    "with HTML in a drawing",
    "<svg><foreignObject><p>a</p></foreignObject><title>t</title></svg>b",
    read({ text: "b" }),
  ],
  ["with choices that are not ended", "<select><option>a<option>b</select>c", read({ text: "c" })],
  ["with signs that begin no tag", "<p>1 < 2 <3 </ a>b<>", read({ text: "1<2<3b<>" })],
];
