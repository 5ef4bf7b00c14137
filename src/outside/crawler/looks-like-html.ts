const OPENING_TAG = /^<(?:!doctype html|html|head|body|title|script|meta)\b/i;

/** Whether a body without Content-Type is HTML (WHATWG MIME Sniffing, section 7.1). Linear in the text's length. */
export function looksLikeHtml(text: string): boolean {
  let rest = text.trimStart();
  for (let end = endOfProlog(rest); end > 0; end = endOfProlog(rest)) rest = rest.slice(end).trimStart();
  return OPENING_TAG.test(rest);
}

/** End of the comment or the XML declaration that the text begins with; 0 without one. */
function endOfProlog(text: string): number {
  const isComment = text.startsWith("<!--");
  if (!isComment && !/^<\?xml/i.test(text)) return 0;
  const close = isComment ? "-->" : ">";
  const end = text.indexOf(close, "<!--".length);
  return end === -1 ? 0 : end + close.length;
}
