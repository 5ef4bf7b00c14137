import MarkdownIt from "markdown-it";
import type { Html } from "./html.ts";

const markdownRenderer = new MarkdownIt("commonmark", { html: false }).enable("table").disable("image");
markdownRenderer.validateLink = (address) => /^https?:\/\//i.test(address);
markdownRenderer.core.ruler.push("inside_a_page", ({ tokens }) => {
  for (const token of tokens) {
    // Lowers headings, because page and section headings use the levels above.
    if (token.type.startsWith("heading")) token.tag = `h${Math.min(Number(token.tag.slice(1)) + 2, 6)}`;
    // Drops styles, because the content security policy forbids inline ones.
    token.attrs = token.attrs?.filter(([name]) => name !== "style") ?? null;
    for (const child of token.children ?? []) {
      if (child.type === "link_open") child.attrSet("rel", "noopener noreferrer nofollow");
    }
  }
});

/** For untrusted Markdown: escapes HTML, links only to the web and loads no images. */
export function renderMarkdown(text: string): Html {
  return { markup: markdownRenderer.render(text) };
}
