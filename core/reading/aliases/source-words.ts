/**
 * Folded headings of the part of an answer that lists where it comes from. Kept by hand: what assistants write, in the words of the
 * Chicago Manual of Style ("References", "Works Cited"), Duden ("Quellenangabe"), Le Robert ("Références"), the Diccionario de la lengua
 * española ("fuente", "referencia") and SIST 02 (参考文献).
 */
export const SOURCE_WORDS = [
  "(?:cited |key |primary |web |data )?sources?(?: cited| used| consulted)?",
  "references?(?: cited)?",
  "works cited",
  "citations?",
  "footnotes?",
  "further reading",
  "bibliography",
  "quellen?",
  "quellenangaben?",
  "quellenverzeichnis",
  "einzelnachweise",
  "literaturverzeichnis",
  "fussnoten",
  "weiterfuhrende links",
  "(?:sources? et )?references?(?: bibliographiques)?",
  "bibliographie",
  "fuentes?(?: consultadas| citadas)?",
  "referencias(?: bibliograficas)?",
  "bibliografia",
  "fonti",
  "出典(?:元)?",
  "参考(?:文献|資料|リンク|サイト|情報|url)?",
  "情報源",
  "引用元?",
  "ソース",
  "脚注",
].join("|");
